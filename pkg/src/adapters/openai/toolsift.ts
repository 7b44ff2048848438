/** The function `toolsift` for OpenAI's APIs: connects the servers, registers the tools, and runs the model. */

import type OpenAI from "openai";
import type { LoopDoorway, LoopOptions, RunResult, RunSettings } from "../../door/loop-door.js";
import type { Session } from "../../index.js";
import { type ChatOptions, type ChatParams, type ChatReply, chatModel } from "./chat.js";
import { type ResponsesOptions, type ResponsesParams, type ResponsesReply, responsesModel } from "./responses.js";

/** The result of `toolsift`: tool search for OpenAI's APIs. */
export interface OpenAISift extends LoopDoorway {
  /**
   * Runs the model over Chat Completions until it calls no more tools.
   *
   * ```ts
   * const messages = [{ role: "user" as const, content: "What do you know about me?" }];
   * const { text } = await sift.run("chat-42", new OpenAI(), { model: "gpt-5.4", messages });
   * ```
   *
   * @param session the id of the conversation, or its session
   * @param client an OpenAI client, or any client for Chat Completions
   * @param params the parameters of `client.chat.completions.create`; replies and answers are appended to `messages`
   * @param options the options of `chatModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `option_conflict`, `session_id_invalid`,
   *   `disposed` after `close`; errors of the client
   */
  run(
    session: string | Session,
    client: Pick<OpenAI, "chat">,
    params: ChatParams,
    options?: ChatOptions & RunSettings,
  ): Promise<RunResult<ChatReply>>;

  /**
   * Does the same as `run`, over the Responses API.
   *
   * @param params the parameters of `client.responses.create`; replies and answers are appended to `input`, or `input` is
   *   emptied if the vendor stores the conversation
   * @param options the options of `responsesModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError as `run`
   */
  runResponses(
    session: string | Session,
    client: Pick<OpenAI, "responses">,
    params: ResponsesParams,
    options?: ResponsesOptions & RunSettings,
  ): Promise<RunResult<ResponsesReply>>;
}

/**
 * Adds tool search to OpenAI's APIs in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
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
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<OpenAISift> {
  const { opened } = await import("../../door/loop-door.js");
  return opened({ run: chatModel, runResponses: responsesModel }, options);
}
