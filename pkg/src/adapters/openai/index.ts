/** The adapter for OpenAI's APIs: each as a model for `runTools`. */

export { type ChatOptions, type ChatParams, type ChatReply, chatModel } from "./chat.js";
export { type ResponsesOptions, type ResponsesParams, type ResponsesReply, responsesModel } from "./responses.js";
export type { OpenAISift } from "./door.js";
export { toolsift } from "./toolsift.js";
export type { RunResult, RunSettings } from "../../doorway/loop-door.js";
export type { LoopOptions } from "../../doorway/loop-options.js";
export type { OwnTool } from "../../doorway/own-tools.js";
export type * from "../../doorway/types.js";
export type { User, UserOptions } from "../../doorway/user.js";
