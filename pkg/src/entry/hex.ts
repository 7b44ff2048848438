/** Converts a hex string to bytes, with the fastest method of the runtime. */

/**
 * Returns the bytes of a hex string. The package uses hex instead of base64: two fixed characters per byte keep repetitions
 * of the wasm visible to gzip and brotli, so that the compressed package is smaller although the file is larger.
 */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromHex?: (hex: string) => Uint8Array<ArrayBuffer> }).fromHex;
  if (native !== undefined) return native.call(Uint8Array, hex);
  // Read from the global object, because a bare `Buffer` makes bundlers for browsers add a polyfill.
  const node = (globalThis as { Buffer?: { from(text: string, encoding: "hex"): Uint8Array<ArrayBuffer> } }).Buffer;
  if (node !== undefined) return node.from(hex, "hex");
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (digit(hex.charCodeAt(2 * i)) << 4) | digit(hex.charCodeAt(2 * i + 1));
  }
  return bytes;
}

function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
