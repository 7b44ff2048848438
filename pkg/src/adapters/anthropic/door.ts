/** The entry point for Anthropic: runs over the Messages API. Imported by `toolsift()`. */

import { LoopDoorway, type RunResult, type RunSettings } from "../../door/loop-door.js";
import type { Session } from "../../index.js";
import {
  type MessagesClient,
  type MessagesOptions,
  type MessagesParams,
  type MessagesReply,
  messagesModel,
} from "./messages.js";

/** The result of `toolsift`: tool search for Anthropic's API. */
export class AnthropicSift extends LoopDoorway {
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
  async run(
    session: string | Session,
    client: MessagesClient,
    params: MessagesParams,
    options: MessagesOptions & RunSettings = {},
  ): Promise<RunResult<MessagesReply>> {
    return this.lead(session, (model) => messagesModel(client, params, model), options);
  }
}
