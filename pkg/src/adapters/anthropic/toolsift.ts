/** The function `toolsift` for Anthropic's API: connects the servers, registers the tools, and runs the model. */

import type { LoopDoorway, LoopOptions, RunResult, RunSettings } from "../../door/loop-door.js";
import type { Session } from "../../index.js";
import {
  type MessagesClient,
  type MessagesOptions,
  type MessagesParams,
  type MessagesReply,
  messagesModel,
} from "./messages.js";

/** The result of `toolsift`: tool search for Anthropic's API. */
export interface AnthropicSift extends LoopDoorway {
  /**
   * Runs the model over the Messages API until it calls no more tools.
   *
   * ```ts
   * const messages = [{ role: "user" as const, content: "What do you know about me?" }];
   * const { text } = await sift.run("chat-42", new Anthropic(), { model: "claude-opus-5-5", max_tokens: 4096, messages });
   * ```
   *
   * @param session the id of the conversation, or its session
   * @param client a client of `@anthropic-ai/sdk`, or a client with the same methods for another platform
   * @param params the parameters of `client.messages.create`; replies and answers are appended to `messages`
   * @param options the options of `messagesModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `option_conflict`, `session_id_invalid`,
   *   `disposed` after `close`; errors of the client
   */
  run(
    session: string | Session,
    client: MessagesClient,
    params: MessagesParams,
    options?: MessagesOptions & RunSettings,
  ): Promise<RunResult<MessagesReply>>;
}

/**
 * Adds tool search to Anthropic's API in one call: connects the MCP servers, registers their tools and your own, and keeps
 * the sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await sift.run("chat-42", client, params);
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as described at `DoorwayOptions`; then everything that was started is stopped
 */
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<AnthropicSift> {
  const { opened } = await import("../../door/loop-door.js");
  return opened({ run: messagesModel }, options);
}
