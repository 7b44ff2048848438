/** The adapter for Anthropic's API: a model for `runTools` in three modes, and its parts for other loops. */

export * from "./messages.js";
export { SEARCH_VERSION, TOOL_SEARCH_MODELS } from "../../wire/anthropic-models.js";
export * from "./parts.js";
export { messagesRequest } from "./request.js";
export type * from "./types.js";
export type { AnthropicSift } from "./door.js";
export { toolsift } from "./toolsift.js";
export type { RunResult, RunSettings } from "../../doorway/loop-door.js";
export type { LoopOptions } from "../../doorway/loop-options.js";
export type { OwnTool } from "../../doorway/own-tools.js";
export type * from "../../doorway/types.js";
export type { User, UserOptions } from "../../doorway/user.js";
