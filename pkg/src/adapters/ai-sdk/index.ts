/** The adapter for AI SDK 6 and 7: returns settings to spread into `generateText`, `streamText` and agents. */

export { type SiftedTools, siftTools } from "./sifted.js";
export type { AiSdkSift } from "./door.js";
export { type AiSdkOptions, toolsift } from "./toolsift.js";
export type { CallSettings, KnownSettings, Sifted } from "./door.js";
export type * from "./types.js";
