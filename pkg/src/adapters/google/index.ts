/** Tool search for the Gemini API: a model for `runTools`. */

export * from "./model.js";
export type { GoogleParams } from "./request.js";
export type { GoogleSift } from "./door.js";
export { toolsift } from "./toolsift.js";
