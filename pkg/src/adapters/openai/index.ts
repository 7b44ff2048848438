/** The adapter for OpenAI's APIs: each as a model for `runTools`, and in parts for other loops. */

export * from "./chat.js";
export { type ResponsesCall, responsesAnswers, responsesCalls, responsesItems } from "./items.js";
export * from "./responses.js";
export type { Additions, Given } from "./tool-search.js";
