/** The door for OpenAI: runs over Chat Completions and over the Responses API. Loaded by `toolsift()`. */

import type OpenAI from "openai";
import { LoopDoorway, type RunResult, type RunSettings } from "../../door/loop-door.js";
import type { Session } from "../../index.js";
import { type ChatOptions, type ChatParams, type ChatReply, chatModel } from "./chat.js";
import { type ResponsesOptions, type ResponsesParams, type ResponsesReply, responsesModel } from "./responses.js";

/** What `toolsift` returns: tool search for OpenAI's APIs. */
export class OpenAISift extends LoopDoorway {
  /**
   * Runs the model over Chat Completions until it calls no more tools.
   *
   * ```ts
   * const messages = [{ role: "user" as const, content: "What do you know about me?" }];
   * const { text } = await sift.run("chat-42", new OpenAI(), { model: "gpt-5.4", messages });
   * ```
   *
   * @param session the id of the conversation, or its session
   * @param client an OpenAI client, or any that speaks Chat Completions
   * @param params those of `client.chat.completions.create`; replies and answers are appended to `messages`
   * @param options those of `chatModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `option_conflict`, `session_id_invalid`,
   * `disposed` after `close`; what the client throws
   */
  async run(
    session: string | Session,
    client: Pick<OpenAI, "chat">,
    params: ChatParams,
    options: ChatOptions & RunSettings = {},
  ): Promise<RunResult<ChatReply>> {
    return this.lead(session, (model) => chatModel(client, params, model), options);
  }

  /**
   * Runs a conversation as `run` does, over the Responses API.
   *
   * @param params those of `client.responses.create`; `input` grows, or is emptied where the vendor keeps the conversation
   * @param options those of `responsesModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError as `run`
   */
  async runResponses(
    session: string | Session,
    client: Pick<OpenAI, "responses">,
    params: ResponsesParams,
    options: ResponsesOptions & RunSettings = {},
  ): Promise<RunResult<ResponsesReply>> {
    return this.lead(session, (model) => responsesModel(client, params, model), options);
  }
}
