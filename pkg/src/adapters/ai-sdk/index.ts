/** How does AI SDK search tools? What is spread into `generateText`, `streamText` and agents, for ai 6 and ai 7. */

export { SiftedTools, siftTools } from "./sifted.js";
export type * from "./types.js";
