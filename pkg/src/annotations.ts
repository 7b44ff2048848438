/**
 * Keeps what MCP servers say of the effects of their tools, for the hosts that ask before a call runs. The model never reads
 * it, and the core does not return it.
 */

import type { Rejected, ToolAnnotations, ToolIdentity } from "./types.js";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

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
  take(tools: readonly unknown[], server: string | undefined, rejected: readonly Rejected[]): void {
    const skipped = new Set(rejected.map(({ name }) => name));
    for (let at = 0; at < tools.length; at++) {
      const tool = readTool(tools[at]);
      if (tool === undefined || skipped.has(tool.name)) continue;
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

/** Reads a definition that the core has read already, and that may have getters which throw the second time. */
function readTool(tool: unknown): { name: string; server: string | null; annotations: ToolAnnotations | undefined } | undefined {
  try {
    const { name, server, annotations } = tool as Record<string, unknown>;
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
