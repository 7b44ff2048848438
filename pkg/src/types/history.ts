/** Types for restoring a session from the messages of a conversation. */

import type { WireFormat } from "./wire.js";

/**
 * The format of a conversation's messages.
 *
 * - `"openai"`: the `messages` of Chat Completions.
 * - `"openai-responses"`: the items of the Responses API, input and output one after the other.
 * - `"anthropic"`: the `messages` of the Messages API.
 * - `"google"`: the `contents` of the Gemini API.
 * - `"bedrock"`: the `messages` of Amazon Bedrock's Converse.
 * - `"mcp"`: for agents whose messages have another format. A list of the model's calls, the oldest first, each `{ name,
 *   arguments, result }`; `result` is a result of MCP's `tools/call`, or a string.
 * - `"ai-sdk"`: `ModelMessage`s or `UIMessage`s of AI SDK.
 * - `"langchain"`: LangChain's messages, as objects or as JSON.
 * - `"pydantic-ai"`: pydantic-ai's messages, as Python programs store them.
 */
export type MessageFormat = WireFormat | "ai-sdk" | "langchain" | "pydantic-ai";

/** Options of `session.fromMessages`. */
export interface FromMessagesOptions {
  format: MessageFormat;
}

/** The report of `session.fromMessages`. All lists have names as the model sees them. */
export interface HistoryReport {
  /** Tools that were loaded by this call. */
  revealed: string[];
  /** Tools that were loaded before and are deferred again, because no message mentions them. */
  concealed: string[];
  /**
   * Tools that the messages show as loaded but that could not be loaded: the catalog does not have the tool, the tool is
   * outside the session's scope, or the session has no room for it.
   */
  missing: string[];
}
