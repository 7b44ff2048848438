/** A catalog for each set of tools that model calls bring. A program has few such sets, so the newest are kept. */

import type { ToolSift, ToolSiftOptions } from "../../index.js";
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
  readonly #kept = new Map<string, Catalog>();

  constructor(options: ToolSiftOptions) {
    this.#options = options;
  }

  /** @throws ToolSiftError what the constructor of `ToolSift` throws */
  async of(tools: readonly FunctionTool[]): Promise<Catalog> {
    const { ToolSift } = await import("toolsift:self");
    const parts = ({ name, description, inputSchema }: FunctionTool) => [name, description, inputSchema];
    const key = JSON.stringify(tools.map(parts));
    const known = this.#kept.get(key);
    const catalog = known ?? made(new ToolSift(this.#options), tools);
    this.#kept.delete(key);
    this.#kept.set(key, catalog);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MOST) this.#kept.delete(oldest);
    return catalog;
  }
}

function made(sift: ToolSift, tools: readonly FunctionTool[]): Catalog {
  const definitions = tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
  const { rejected } = sift.register(definitions as Parameters<ToolSift["register"]>[0]);
  return { sift, refused: new Set(rejected.map(({ name }) => name)) };
}
