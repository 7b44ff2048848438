/** The adapter for Anthropic's API: a model for `runTools` in three modes. */

export * from "./messages.js";
export type { MessagesClient, MessagesMode, MessagesOptions, MessagesParams, MessagesReply } from "./types.js";
export type { AnthropicSift } from "./door.js";
export { toolsift } from "./toolsift.js";
