/**
 * Keeps what MCP servers say of the effects of their tools, for the hosts that ask before a call runs. The model never reads
 * it, and the core does not return it.
 */

import type { Rejected, ToolAnnotations, ToolIdentity } from "./types.js";
import { read } from "./values.js";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** What is read of a definition. */
export interface Annotated {
  name: string;
  /** The server that the definition names by itself. */
  server: string | null;
  annotations: ToolAnnotations | undefined;
}

/**
 * Reads the annotations of definitions, before the core reads these: getters of the host must not run when the catalog has
 * changed. What cannot be read has none.
 */
export function annotationsIn(tools: readonly unknown[]): Annotated[] {
  const length = read("not_json", "tools", () => tools.length);
  return Array.from({ length }, (_, at) => readTool(tools, at)).filter((tool) => tool !== undefined);
}

/** The annotations of one catalog, by server and by the name under which a tool was registered. */
export class Annotations {
  readonly #servers = new Map<string | null, Map<string, ToolAnnotations>>();

  /** The same tool or call with its annotations, where the server gave any. */
  on<T extends ToolIdentity>(tool: T, name = tool.name): T {
    const annotations = this.#servers.get(tool.server)?.get(name);
    return annotations === undefined ? tool : { ...tool, annotations: { ...annotations } };
  }

  /**
   * Takes the annotations of tools that were registered. A rejected tool changes nothing: the catalog may hold another one of
   * its name.
   *
   * @param server the server that was named with the list; without it a definition may name its own
   */
  take(tools: readonly Annotated[], server: string | undefined, rejected: readonly Rejected[]): void {
    const skipped = new Set(rejected.map(({ name }) => name));
    for (const tool of tools) {
      if (skipped.has(tool.name)) continue;
      const key = server ?? tool.server;
      const known = this.#servers.get(key);
      if (tool.annotations === undefined) known?.delete(tool.name);
      else if (known === undefined) this.#servers.set(key, new Map([[tool.name, tool.annotations]]));
      else known.set(tool.name, tool.annotations);
    }
  }

  /** Forgets the annotations of a server's tools, except those of some names. */
  drop(server: string, kept: readonly Rejected[] = []): void {
    const names = new Set(kept.map(({ name }) => name));
    const known = this.#servers.get(server);
    for (const name of known?.keys() ?? []) if (!names.has(name)) known?.delete(name);
    if (known?.size === 0) this.#servers.delete(server);
  }
}

function readTool(tools: readonly unknown[], at: number): Annotated | undefined {
  try {
    const { name, server, annotations } = tools[at] as Record<string, unknown>;
    if (typeof name !== "string") return undefined;
    const named = typeof server === "string" && server.trim() !== "" ? server : null;
    return { name, server: named, annotations: hintsOf(annotations) };
  } catch {
    return undefined;
  }
}

function hintsOf(annotations: unknown): ToolAnnotations | undefined {
  const given = Object(annotations) as Record<string, unknown>;
  const hints = HINTS.filter((hint) => typeof given[hint] === "boolean").map((hint) => [hint, given[hint]]);
  return hints.length === 0 ? undefined : (Object.fromEntries(hints) as ToolAnnotations);
}
