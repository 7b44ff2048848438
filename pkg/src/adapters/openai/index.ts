/** The adapter for OpenAI's APIs: each as a model for `runTools`, and in parts for other loops. */

export * from "./chat.js";
export * from "./parts.js";
export * from "./responses.js";
export type { Additions, GivenTools } from "./tool-search.js";
export type { OpenAISift } from "./door.js";
export { toolsift } from "./toolsift.js";
export type { RunResult, RunSettings } from "../../doorway/loop-door.js";
export type { LoopOptions } from "../../doorway/loop-options.js";
export type { OwnTool } from "../../doorway/own-tools.js";
export type * from "../../doorway/types.js";
export type { User, UserOptions } from "../../doorway/user.js";
