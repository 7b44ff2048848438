/** The adapter for Anthropic's API: a model for `runTools` in three modes, and its parts for other loops. */

export * from "./answers.js";
export * from "./messages.js";
export { TOOL_SEARCH_MODELS } from "./models.js";
export * from "./reply.js";
export { messagesRequest } from "./request.js";
export type * from "./types.js";
