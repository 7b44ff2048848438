/** Tool search for the Gemini API: a model for `runTools`, and its parts for loops of your own. */

export * from "./model.js";
export * from "./parts.js";
export { type GoogleParams, type GoogleRequest, googleRequest } from "./request.js";
export type { GoogleSift } from "./door.js";
export { toolsift } from "./toolsift.js";
export type { RunResult, RunSettings } from "../../doorway/loop-door.js";
export type { LoopOptions } from "../../doorway/loop-options.js";
export type { OwnTool } from "../../doorway/own-tools.js";
export type * from "../../doorway/types.js";
export type { User, UserOptions } from "../../doorway/user.js";
