/** The adapter for AI SDK 6 and 7: what is spread into `generateText`, `streamText` and agents. */

export { SiftedTools, siftTools } from "./sifted.js";
export type * from "./types.js";
