/** The adapter for Anthropic's API: a model for `runTools`. */

export * from "./messages.js";
export { type AnthropicSift, toolsift } from "./toolsift.js";
