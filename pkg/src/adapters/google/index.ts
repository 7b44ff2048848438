/** Tool search for the Gemini API: a model for `runTools`, and its parts for loops of your own. */

export * from "./model.js";
export * from "./reply.js";
export { type GoogleParams, type GoogleRequest, googleRequest } from "./request.js";
export * from "./stream.js";
