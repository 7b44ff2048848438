/** A catalog for each set of tools that model calls bring. A program has few such sets, so the newest are kept. */

import type { ToolSift, ToolSiftOptions } from "../../index.js";
import { Recent } from "../../recent.js";
import type { FunctionTool } from "./types.js";

/** Sets of tools that are kept. */
const MOST = 8;

/** The catalog of one set of tools. */
export interface Catalog {
  sift: ToolSift;
  /** The names of the tools that the catalog refuses. They are sent unchanged. */
  refused: ReadonlySet<string>;
}

/** Makes catalogs, and keeps some. */
export class Catalogs {
  readonly #options: ToolSiftOptions;
  readonly #kept = new Recent<string, Catalog>(MOST);

  constructor(options: ToolSiftOptions) {
    this.#options = options;
  }

  /** @throws ToolSiftError what the constructor of `ToolSift` throws */
  async of(tools: readonly FunctionTool[]): Promise<Catalog> {
    const { ToolSift } = await import("toolsift:self");
    const parts = ({ name, description, inputSchema }: FunctionTool) => [name, description, inputSchema];
    const key = JSON.stringify(tools.map(parts));
    const catalog = this.#kept.get(key) ?? makeCatalog(new ToolSift(this.#options), tools);
    this.#kept.set(key, catalog);
    return catalog;
  }
}

function makeCatalog(sift: ToolSift, tools: readonly FunctionTool[]): Catalog {
  const definitions = tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
  const { rejected } = sift.register(definitions as Parameters<ToolSift["register"]>[0]);
  return { sift, refused: new Set(rejected.map(({ name }) => name)) };
}
