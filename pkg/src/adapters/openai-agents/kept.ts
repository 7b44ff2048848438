/** What all agents share: the catalog, the SDK's tools that are held back, and the function that runs the others. */

import type { ToolInfo, ToolSift } from "../../index.js";
import type { AgentsOptions, AnyFunctionTool } from "./options.js";

/** What `siftAgents` was given. */
export class Kept {
  #revision = -1;
  #catalog: ReadonlyMap<string, ToolInfo> = new Map();

  constructor(
    readonly sift: ToolSift,
    /** The SDK's tools that are held back, by name. */
    readonly natives: ReadonlyMap<string, AnyFunctionTool>,
    readonly options: AgentsOptions,
  ) {}

  /** The tools of the catalog, by the names that the model sees. */
  get catalog(): ReadonlyMap<string, ToolInfo> {
    const { revision } = this.sift;
    if (revision !== this.#revision) this.#catalog = new Map(this.sift.tools().map((tool) => [tool.name, tool]));
    this.#revision = revision;
    return this.#catalog;
  }
}
