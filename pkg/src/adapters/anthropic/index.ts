/** The adapter for Anthropic's API: a model for `runTools` in three modes. */

export * from "./messages.js";
export type { MessagesClient, MessagesMode, MessagesOptions, MessagesParams, MessagesReply } from "./types.js";
export type { AnthropicSift } from "./door.js";
export { toolsift } from "./toolsift.js";
export type { RunResult, RunSettings } from "../../doorway/loop-door.js";
export type { LoopOptions } from "../../doorway/loop-options.js";
export type { OwnTool } from "../../doorway/own-tools.js";
export type * from "../../doorway/types.js";
export type { User, UserOptions } from "../../doorway/user.js";
