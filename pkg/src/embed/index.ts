/**
 * Embeddings of the host's own model beside the ranker: tools are found by meaning too, and the core still decides what is
 * shown and loaded.
 *
 * ```ts
 * import { embeddings } from "toolsift/embed";
 *
 * const rank = embeddings({ model: "all-MiniLM-L6-v2", embed: (texts) => vectorsOf(texts) });
 * await rank.prepare(sift); // each tool once
 * const outcome = await session.callAsync("search_tools", { query: "is it raining?" }, { rank });
 * ```
 */

export { Embeddings, embeddings } from "./embeddings.js";
export type { Embed, EmbedContext, EmbeddingOptions, EmbeddingSize, Vector } from "./types.js";
