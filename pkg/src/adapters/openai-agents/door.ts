/** The entry point for the OpenAI Agents SDK: settings that are ready for `new Agent`. Imported by `toolsift()`. */

import type { AgentOptions } from "@openai/agents";
import { Doorway, type Parts } from "../../door/doorway.js";
import type { Session } from "../../index.js";
import type { Defined } from "../../types/defined.js";
import type { Misspelt, NotFoundOptions, SiftAgents } from "./agents.js";

/** The result of `toolsift`: tool search for the OpenAI Agents SDK. */
export class AgentsSift extends Doorway {
  readonly #agents: SiftAgents;

  /** @internal */
  constructor(parts: Parts, agents: SiftAgents) {
    super(parts);
    this.#agents = agents;
  }

  /**
   * Adds the tools and the prompt section of a session to the settings of an agent. The agent's own tools are always sent;
   * pass tools to be searched to `toolsift({ tools })`. Make one agent for each conversation.
   *
   * ```ts
   * const agent = new Agent(sift.with("chat-42", { name: "Helper", instructions: "You help." }));
   * ```
   *
   * @param session the id of the conversation, or its session
   * @throws ToolSiftError as `siftAgents(…).with`; `disposed` after `close`
   */
  with<S extends AgentOptions<any, any>>(session: string | Session, settings: S & Misspelt<S>): S {
    return this.#agents.with(session, settings);
  }

  /**
   * Returns the options of a run, with an answer to calls of tools that the agent does not have. Without these options the
   * SDK ends a run at the first such call.
   */
  runOptions<const O extends object = {}>(options?: O & NotFoundOptions): O & Defined<Required<NotFoundOptions>> {
    return this.#agents.runOptions(options);
  }
}
