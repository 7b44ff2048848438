/** A catalog for each set of tools that model calls bring. A program has few such sets, so the newest are kept. */

import type { ToolSift, ToolSiftOptions } from "../../index.js";
import { RecentCatalogs } from "../../hop/recent-catalogs.js";
import type { FunctionTool } from "./types.js";

/** Sets of tools that are kept. */
const MOST = 8;

/** The catalog of one set of tools. */
export interface Catalog {
  /** What tells the set from others. */
  text: string;
  sift: ToolSift;
  /** The names of the tools that the catalog refuses. They are sent unchanged. */
  refused: ReadonlySet<string>;
}

/** Makes catalogs, and keeps some. */
export class Catalogs {
  readonly #options: ToolSiftOptions;
  readonly #kept = new RecentCatalogs<Catalog>(MOST);

  constructor(options: ToolSiftOptions) {
    this.#options = options;
  }

  /**
   * The catalog of a set of tools, to be released after its use.
   *
   * @throws ToolSiftError what the constructor of `ToolSift` throws
   */
  async use(tools: readonly FunctionTool[]): Promise<{ catalog: Catalog; release: () => void }> {
    const { ToolSift } = await import("toolsift:self");
    const parts = ({ name, description, inputSchema }: FunctionTool) => [name, description, inputSchema];
    const text = JSON.stringify(tools.map(parts));
    const catalog = this.#kept.find((one) => one.text === text) ?? makeCatalog(text, new ToolSift(this.#options), tools);
    return { catalog, release: this.#kept.use(catalog) };
  }
}

function makeCatalog(text: string, sift: ToolSift, tools: readonly FunctionTool[]): Catalog {
  const definitions = tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
  const { rejected } = sift.register(definitions as Parameters<ToolSift["register"]>[0]);
  return { text, sift, refused: new Set(rejected.map(({ name }) => name)) };
}
