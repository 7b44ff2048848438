/** How do OpenAI's APIs search tools? Each as a model for `runTools`, and in parts for loops of one's own. */

export * from "./chat.js";
export { type ResponsesCall, responsesAnswers, responsesCalls, responsesItems } from "./items.js";
export * from "./responses.js";
export type { Additions, Given } from "./tool-search.js";
