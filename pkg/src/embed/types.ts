/** The types of embeddings: what a host passes, and what it gets. */

import type { FusedRanker, Signal } from "../types.js";

/** A vector as models return it, of any length; it is made one of length 1. */
export type Vector = ArrayLike<number>;

/** Tells an embedding model what the texts are for. */
export interface EmbedContext {
  /** Whether they stand for tools, or are a query: some models want to be told. */
  kind: "tool" | "query";
  /** Ends the work when nobody waits for it any more. */
  signal: Signal;
}

/** Turns texts into vectors, one for each, in their order. */
export type Embed = (texts: readonly string[], context: EmbedContext) => readonly Vector[] | PromiseLike<readonly Vector[]>;

/** Options of `embeddings`. */
export interface EmbeddingOptions extends Pick<FusedRanker, "rerank" | "rerankWhen"> {
  /** The model's name, with its version: an index whose vectors are another model's is refused. */
  model: string;
  embed: Embed;
  /** What `exportIndex` returned: its tools are not embedded again. */
  index?: Uint8Array | ArrayBuffer | undefined;
  /** Texts of one call of `embed`. Default 64. */
  batch?: number | undefined;
  /** Calls of `embed` for tools that run at once. Default 2. */
  concurrency?: number | undefined;
}

/** The size of the tools' vectors. */
export interface EmbeddingSize {
  /** How many there are. */
  vectors: number;
  /** Numbers of each; 0 before the first. */
  dims: number;
  /** Bytes in memory and in an index: a byte for each number, and 12 for each vector. */
  bytes: number;
}
