/** Computes the hash of a tool's definition exactly like the core. Packs and `enrich` use it without starting the core. */

/** The golden ratio as a 64-bit fraction, in two halves. */
const STIR_HIGH = 0x9e3779b9;
const STIR_LOW = 0x7f4a7c15;

const encoder = new TextEncoder();

/** Returns the text that is hashed after a tool's name: its description, with each run of white space as one space. */
export function hashedText(description: string): string {
  return description
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/**
 * Returns the hash of a tool's name and description, as 16 hexadecimal digits.
 *
 * @param text the result of `hashedText`
 */
export function hashOf(name: string, text: string): string {
  // No name contains U+0000.
  const bytes = encoder.encode(`${name}\0${text}`);
  // The last bytes are padded with zeros to a whole 8-byte word.
  const padded = new Uint8Array(bytes.length - (bytes.length % 8) + 8);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  let high = 0;
  let low = bytes.length;
  for (let at = 0; at < padded.length; at += 8) {
    const left = high ^ view.getUint32(at + 4, true);
    const right = low ^ view.getUint32(at, true);
    high = highOfProduct(right, STIR_LOW) + Math.imul(right, STIR_HIGH) + Math.imul(left, STIR_LOW);
    low = Math.imul(right, STIR_LOW) ^ high;
  }
  return hex(high) + hex(low);
}

/** Returns the upper 32 bits of the product of two unsigned 32-bit numbers. */
function highOfProduct(one: number, other: number): number {
  const [a, b] = [one >>> 16, one & 0xffff];
  const [c, d] = [other >>> 16, other & 0xffff];
  const middle = b * c + ((b * d) >>> 16);
  return a * c + Math.floor(middle / 0x10000) + ((((middle & 0xffff) + a * d) / 0x10000) >>> 0);
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, "0");
}
