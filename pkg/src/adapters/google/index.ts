/** Tool search for the Gemini API: a model for `runTools`. */

export * from "./model.js";
export type { GoogleParams } from "./request.js";
export { type GoogleSift, toolsift } from "./toolsift.js";
