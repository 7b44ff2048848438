/** The catalog that all agents share, with what runs its tools; and the list of tools that one agent has of it. */

import type { Tool } from "@openai/agents";
import type { Session, ToolSift } from "../../index.js";
import type { ToolLimit } from "../../wire/limits.js";
import type { AgentsOptions, AnyFunctionTool } from "./options.js";

/** The catalog of `siftAgents`, with the SDK's tools that it holds back. */
export class Catalog {
  constructor(
    readonly sift: ToolSift,
    /** The SDK's tools that are deferred, by name. */
    readonly natives: ReadonlyMap<string, AnyFunctionTool>,
    readonly options: AgentsOptions,
  ) {}

  /** The SDK's tool of a name, unless the session has one of its own under the name. */
  native(name: string, session: Session): AnyFunctionTool | undefined {
    return session.named([name]).get(name)?.own ? undefined : this.natives.get(name);
  }
}

/** The tools of one agent, and what its session says of them. */
export interface ToolList {
  readonly tools: Tool<any>[];
  readonly catalog: Catalog;
  readonly open: () => Session;
  /** How many tools the model's vendor takes. */
  readonly limit: ToolLimit | undefined;
  /** The tools that are the session's; all others are the agent's own. */
  readonly ours: WeakSet<Tool<any>>;
  /** Whether a request was made with the tools, and nothing has happened since. Iterating them then reads them as sent. */
  isSent: boolean;
}
