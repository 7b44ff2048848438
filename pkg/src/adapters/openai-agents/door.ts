/** The entry point for the OpenAI Agents SDK: settings that are ready for `new Agent`. Imported by `toolsift()`. */

import { Doorway, type Parts } from "../../door/doorway.js";
import type { SiftAgents } from "./agents.js";

/** The result of `toolsift`: tool search for the OpenAI Agents SDK. */
export class AgentsSift extends Doorway {
  /**
   * Adds the tools and the prompt section of a session to the settings of an agent, as `siftAgents(…).with` does. Pass tools
   * to be searched to `toolsift({ tools })`. It throws `disposed` after `close`.
   *
   * ```ts
   * const agent = new Agent(sift.with("chat-42", { name: "Helper", instructions: "You help." }));
   * ```
   */
  readonly with: SiftAgents["with"];
  /** Returns the options of a run, as `siftAgents(…).runOptions` does. */
  readonly runOptions: SiftAgents["runOptions"];

  /** @internal */
  constructor(parts: Parts, agents: SiftAgents) {
    super(parts);
    this.with = (session, settings) => agents.with(session, settings);
    this.runOptions = (options) => agents.runOptions(options);
  }
}
