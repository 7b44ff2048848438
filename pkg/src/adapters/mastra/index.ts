/** How do Mastra's agents search tools? With a processor that gives each step the tools that its session has at hand. */

export type { MastraTool, MastraTools, ProcessorOptions } from "./options.js";
export { ToolSiftProcessor } from "./processor.js";
export { type AboutRun, sessionOf } from "./thread.js";
