/** How does Anthropic's API search tools? As a model for `runTools`, on three roads, and in parts for other loops. */

export * from "./answers.js";
export * from "./messages.js";
export { TOOL_SEARCH_MODELS } from "./models.js";
export * from "./reply.js";
export { messagesRequest } from "./request.js";
export type * from "./types.js";
