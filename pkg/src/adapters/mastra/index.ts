/** The adapter for Mastra's agents: a processor that gives each step the tools of its session. */

export type { MastraTool, MastraTools, ProcessorOptions } from "./options.js";
export { type SiftProcessor, siftProcessor } from "./processor.js";
export { type AboutRun, threadSessionId } from "./session-id.js";
export type { AgentSettings, KnownSettings, MastraSift, SiftedAgent } from "./door.js";
export { type MastraDoorOptions, toolsift } from "./toolsift.js";
