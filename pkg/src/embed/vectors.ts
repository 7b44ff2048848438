/**
 * Keeps the vectors of tools by the hash of their texts, so that a tool that stays is never embedded again. Each is of length
 * 1, in a byte for each number: that changed no measured figure, and is a quarter of the memory.
 */

import { ToolSiftError } from "../errors.js";
import { kind } from "../values.js";
import type { EmbeddingSize, Vector } from "./types.js";

/** A vector of length 1: whole numbers from -127 to 127, and what each is to be multiplied by. */
export interface QuantizedVector {
  values: Int8Array;
  scale: number;
}

/** Bytes of all vectors of one `embeddings`: 600,000 tools of 384 numbers. */
const MOST_BYTES = 256 * 1024 * 1024;
/** The most numbers of a vector; the models of 2026 have up to 4,096. */
export const MOST_DIMS = 8_192;
/** Bytes of a vector beside its numbers: its hash and its scale. */
export const OVERHEAD = 12;

/** The vectors of some tools. */
export class Vectors {
  readonly #kept = new Map<string, QuantizedVector>();
  #dims = 0;

  get(hash: string): QuantizedVector | undefined {
    return this.#kept.get(hash);
  }

  get size(): EmbeddingSize {
    const vectors = this.#kept.size;
    return { vectors, dims: this.#dims, bytes: vectors * (this.#dims + OVERHEAD) };
  }

  /**
   * Keeps vectors of one size. Where there is no room, the oldest go that nobody wants now.
   *
   * @throws ToolSiftError `embedding_failed` for another size than that of the others, and where even those that are wanted
   * do not fit; nothing is kept then
   */
  keep(vectors: ReadonlyMap<string, QuantizedVector>, dims: number, wanted: ReadonlySet<string>): void {
    if (this.#dims > 0 && dims !== this.#dims) {
      throw new ToolSiftError("embedding_failed", `embed returned vectors of ${dims} numbers, and of ${this.#dims} before`);
    }
    const most = Math.floor(MOST_BYTES / (dims + OVERHEAD));
    if (wanted.size > most) {
      const message = `${wanted.size} tools with vectors of ${dims} numbers; at most ${most} fit in ${MOST_BYTES} bytes`;
      throw new ToolSiftError("embedding_failed", message);
    }
    this.#dims = dims;
    for (const [hash, vector] of vectors) this.#kept.set(hash, vector);
    for (const hash of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      if (!wanted.has(hash)) this.#kept.delete(hash);
    }
  }
}

/**
 * The vectors that a model returned for some texts, of length 1; zeros stay zeros.
 *
 * @param dims how many numbers each must have; 0 for as many as the first
 * @throws ToolSiftError `embedding_failed`
 */
export function unitsOf(vectors: unknown, texts: number, dims: number): Float64Array[] {
  const failed = (message: string) => new ToolSiftError("embedding_failed", `embed returned ${message}`);
  if (!Array.isArray(vectors)) throw failed(`${typeof vectors}, not a list of vectors`);
  if (vectors.length !== texts) throw failed(`${vectors.length} vectors for ${texts} texts`);
  let size = dims;
  return Array.from(vectors as readonly (Vector | null | undefined)[], (vector, at) => {
    const length = vector?.length;
    if (typeof length !== "number" || typeof vector !== "object") throw failed(`${typeof vector} as vector ${at}`);
    if (length < 1 || length > MOST_DIMS) throw failed(`${length} numbers as vector ${at}; 1 to ${MOST_DIMS}`);
    if (size > 0 && length !== size) throw failed(`${length} numbers as vector ${at}; the others have ${size}`);
    size = length;
    let sum = 0;
    for (let place = 0; place < length; place++) {
      const value: unknown = vector![place];
      if (typeof value !== "number" || !Number.isFinite(value))
        throw failed(`${isPrinted(value) ? String(value).slice(0, 80) : kind(value)} at place ${place} of vector ${at}`);
      sum += value * value;
    }
    const norm = Math.sqrt(sum);
    if (norm === Infinity) throw failed(`numbers that are too large as vector ${at}`);
    return Float64Array.from({ length }, (_, place) => (norm === 0 ? 0 : vector![place]! / norm));
  });
}

const isPrinted = (value: unknown): boolean => typeof value === "number" || typeof value === "string";

/** A vector of length 1 in a byte for each number. */
export function quantized(unit: Float64Array): QuantizedVector {
  const scale = unit.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  return {
    values: Int8Array.from(unit, (value) => (scale === 0 ? 0 : Math.round(value / scale))),
    scale: Math.fround(scale),
  };
}

/** How close two vectors are: the cosine of their angle. */
export function cosine({ values, scale }: QuantizedVector, unit: Float64Array): number {
  // Four sums at once take less than half the time of one.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < values.length; at += 4) {
    a += values[at]! * unit[at]!;
    b += values[at + 1]! * unit[at + 1]!;
    c += values[at + 2]! * unit[at + 2]!;
    d += values[at + 3]! * unit[at + 3]!;
  }
  for (; at < values.length; at++) a += values[at]! * unit[at]!;
  return (a + b + c + d) * scale;
}
