/**
 * Writes vectors as bytes, and reads them: a checksum and the length of the head (4 bytes each, little-endian), the head as
 * JSON, and for each vector its hash (8 bytes), its scale (a float of 4) and its numbers (a byte each).
 */

import { ToolSiftError } from "../errors.js";
import { type QuantizedVector, MOST_DIMS, OVERHEAD } from "./vectors.js";

/** The header of the section. */
export interface Head {
  model: string;
  dims: number;
  vectors: number;
}

/** Writes vectors by the hashes of their texts. */
export function write(model: string, dims: number, vectors: ReadonlyMap<string, QuantizedVector>): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ model, dims, vectors: vectors.size } satisfies Head));
  const bytes = new Uint8Array(8 + head.length + vectors.size * (dims + OVERHEAD));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, head.length, true);
  bytes.set(head, 8);
  let at = 8 + head.length;
  for (const [hash, { values, scale }] of vectors) {
    view.setUint32(at, parseInt(hash.slice(0, 8), 16));
    view.setUint32(at + 4, parseInt(hash.slice(8), 16));
    view.setFloat32(at + 8, scale, true);
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, dims), at + OVERHEAD);
    at += OVERHEAD + dims;
  }
  view.setUint32(0, checksum(bytes.subarray(4)), true);
  return bytes;
}

/**
 * Reads them.
 *
 * @throws ToolSiftError `index_invalid`
 */
export function read(bytes: Uint8Array): { head: Head; vectors: Map<string, QuantizedVector> } {
  const invalid = new ToolSiftError("index_invalid", "the vectors of the index are cut or changed; export it again");
  if (bytes.length < 8) throw invalid;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const from = 8 + view.getUint32(4, true);
  if (view.getUint32(0, true) !== checksum(bytes.subarray(4)) || from > bytes.length) throw invalid;
  const head = headOf(bytes.subarray(8, from));
  if (head === undefined || bytes.length !== from + head.vectors * (head.dims + OVERHEAD)) throw invalid;
  const vectors = new Map<string, QuantizedVector>();
  for (let at = from; at < bytes.length; at += OVERHEAD + head.dims) {
    const hex = (place: number) => view.getUint32(place).toString(16).padStart(8, "0");
    // A copy, so that the host's bytes can go.
    const values = Int8Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + at + OVERHEAD, head.dims));
    vectors.set(hex(at) + hex(at + 4), { values, scale: view.getFloat32(at + 8, true) });
  }
  return { head, vectors };
}

function headOf(bytes: Uint8Array): Head | undefined {
  try {
    const { model, dims, vectors } = JSON.parse(new TextDecoder().decode(bytes)) as Head;
    const isCount = (count: unknown) => Number.isInteger(count) && (count as number) >= 0;
    return typeof model === "string" && isCount(dims) && dims <= MOST_DIMS && isCount(vectors)
      ? { model, dims, vectors }
      : undefined;
  } catch {
    return undefined;
  }
}

/** FNV-1a of 32 bits: it finds accidental damage. */
function checksum(bytes: Uint8Array): number {
  let state = 0x811c9dc5;
  for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193);
  return state >>> 0;
}
