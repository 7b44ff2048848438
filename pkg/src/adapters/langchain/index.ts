/** The adapter for LangChain: a middleware for agents, and parts for graphs of LangGraph. */

export { siftMiddleware, type SiftMiddleware } from "./middleware.js";
export type { LangChainOptions, RunInfo } from "./options.js";
export { type ToolNodeInput, type ToolNodeOutput, type SiftGraph, siftGraph } from "./graph-parts.js";
export type { AnswerMark } from "./replies.js";
export type { BoundTool } from "./catalog.js";
export type { AgentSettings, KnownSettings, LangChainSift, SiftedAgent } from "./door.js";
export { type LangChainDoorOptions, toolsift } from "./toolsift.js";
