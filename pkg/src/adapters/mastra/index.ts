/** The adapter for Mastra's agents: a processor that gives each step the tools of its session. */

export type { MastraTool, MastraTools, ProcessorOptions } from "./options.js";
export { ToolSiftProcessor } from "./processor.js";
export { type AboutRun, sessionOf } from "./thread.js";
