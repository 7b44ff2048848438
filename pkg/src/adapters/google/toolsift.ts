/** The function `toolsift` for the Gemini API: connects the servers, registers the tools, and runs the model. */

import type { LoopDoorway, LoopOptions, RunResult, RunSettings } from "../../door/loop-door.js";
import type { Session } from "../../index.js";
import { type GoogleClient, type GoogleOptions, type GoogleReply, googleModel } from "./model.js";
import type { GoogleParams } from "./request.js";

/** The result of `toolsift`: tool search for the Gemini API. */
export interface GoogleSift extends LoopDoorway {
  /**
   * Runs the model with `generateContent` until it calls no more tools.
   *
   * ```ts
   * const contents = [{ role: "user", parts: [{ text: "What do you know about me?" }] }];
   * const { text } = await sift.run("chat-42", new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
   * ```
   *
   * @param session the id of the conversation, or its session
   * @param client a `GoogleGenAI` client, for the Gemini API or for Vertex AI
   * @param params the parameters of `ai.models.generateContent`; replies and answers are appended to `contents`
   * @param options the options of `googleModel`, and `maxSteps` and `signal`
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `option_conflict`, `session_id_invalid`,
   *   `disposed` after `close`; errors of the client
   */
  run(
    session: string | Session,
    client: GoogleClient,
    params: GoogleParams,
    options?: GoogleOptions & RunSettings,
  ): Promise<RunResult<GoogleReply>>;
}

/**
 * Adds tool search to the Gemini API in one call: connects the MCP servers, registers their tools and your own, and keeps
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
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<GoogleSift> {
  const { opened } = await import("../../door/loop-door.js");
  return opened({ run: googleModel }, options);
}
