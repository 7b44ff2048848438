/**
 * Puts vectors behind a prebuilt index, and finds them there again. The index stays as it is: whoever does not know of
 * vectors cuts them off by the last twelve bytes, the length of the section and a mark.
 */

const MARK = "tsvec001";
const TRAILER = 4 + MARK.length;

/** An index, and the vectors behind it where there are any. */
export interface Parts {
  index: Uint8Array;
  vectors?: Uint8Array;
}

/** Takes an index apart. */
export function apart(bytes: Uint8Array): Parts {
  const end = bytes.length - TRAILER;
  if (end < 0 || [...MARK].some((sign, at) => bytes[end + 4 + at] !== sign.charCodeAt(0))) return { index: bytes };
  const from = end - new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true);
  // A length that cannot be: the core refuses the whole.
  return from < 0 ? { index: bytes } : { index: bytes.subarray(0, from), vectors: bytes.subarray(from, end) };
}

/** Puts vectors behind an index. */
export function together(index: Uint8Array, vectors: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(index.length + vectors.length + TRAILER);
  bytes.set(index);
  bytes.set(vectors, index.length);
  const end = index.length + vectors.length;
  new DataView(bytes.buffer).setUint32(end, vectors.length, true);
  [...MARK].forEach((sign, at) => (bytes[end + 4 + at] = sign.charCodeAt(0)));
  return bytes;
}
