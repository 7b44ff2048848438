/** The catalog that all agents share, with the functions that run its tools; and the tool list of one agent. */

import type { Tool } from "@openai/agents";
import type { Session, ToolSift } from "../../index.js";
import type { ToolLimit } from "../../wire/limits.js";
import type { AgentsOptions, AnyFunctionTool } from "./options.js";

/** The catalog of `siftAgents`, and the SDK's tools that are deferred. */
export class Catalog {
  constructor(
    readonly sift: ToolSift,
    /** The SDK's deferred tools, by name. */
    readonly natives: ReadonlyMap<string, AnyFunctionTool>,
    readonly options: AgentsOptions,
  ) {}

  /** Returns the SDK's tool of a name, unless the session has its own tool of that name. */
  native(name: string, session: Session): AnyFunctionTool | undefined {
    return session.named([name]).get(name)?.own ? undefined : this.natives.get(name);
  }
}

/** The tools of one agent, and the data that they are assembled from. */
export interface ToolList {
  readonly tools: Tool<any>[];
  readonly catalog: Catalog;
  readonly open: () => Session;
  /** The maximum number of tools of the model's vendor; undefined for no limit. */
  readonly limit: ToolLimit | undefined;
  /** The session's tools in the list; all others are the agent's own. */
  readonly ours: WeakSet<Tool<any>>;
  /** True right after a request with the tools. Then iterating returns them unchanged, without reading the session. */
  isSent: boolean;
}
