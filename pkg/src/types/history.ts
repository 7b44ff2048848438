/** What a conversation can be read from: its messages, in the shape in which the host keeps them. */

import type { WireFormat } from "./wire.js";

/**
 * The shape of a conversation's messages.
 *
 * - `"openai"`: the `messages` of Chat Completions.
 * - `"openai-responses"`: the items of the Responses API, input and output one after the other.
 * - `"anthropic"`: the `messages` of the Messages API.
 * - `"google"`: the `contents` of the Gemini API.
 * - `"bedrock"`: the `messages` of Amazon Bedrock's Converse.
 * - `"mcp"`: for agents with a shape of their own, the model's calls in their order: `{ name, arguments, result }`, with
 *   the result of MCP's `tools/call` or a text.
 * - `"ai-sdk"`: `ModelMessage`s or `UIMessage`s of AI SDK.
 * - `"langchain"`: LangChain's messages, alive or as JSON.
 * - `"pydantic-ai"`: pydantic-ai's messages, as Python programs store them.
 */
export type MessageFormat = WireFormat | "ai-sdk" | "langchain" | "pydantic-ai";

/** Options of `session.fromMessages`. */
export interface FromMessagesOptions {
  format: MessageFormat;
}

/** What `session.fromMessages` changed, by the names that the model sees. */
export interface HistoryReport {
  /** Tools that are revealed now and were not before. */
  revealed: string[];
  /** Tools that were revealed, and of which the conversation says nothing. */
  concealed: string[];
  /**
   * Names that the conversation says were revealed, and that are not: the catalog has no such tool (now), it is outside the
   * session's scope, or the session has no room for it.
   */
  missing: string[];
}
