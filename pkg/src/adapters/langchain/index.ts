/** How do LangChain's agents and LangGraph's graphs search tools? A middleware for the ones, parts for the others. */

export { toolSiftMiddleware, type ToolSiftMiddleware } from "./middleware.js";
export type { LangChainOptions, RunInfo } from "./options.js";
export { type ToolNodeInput, type ToolNodeOutput, type ToolSiftParts, toolSiftParts } from "./parts.js";
export type { AnswerMark } from "./replies.js";
export type { BoundTool } from "./catalog.js";
