/** How does the Gemini API search tools? As a model for `runTools`, and in parts for loops of one's own. */

export * from "./model.js";
export * from "./reply.js";
export { type GoogleParams, type GoogleRequest, googleRequest } from "./request.js";
export * from "./stream.js";
