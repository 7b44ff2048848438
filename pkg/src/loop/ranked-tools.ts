/** The tools that a ranker of the host's chooses from: names at once, definitions when it asks for one. */

import type { HeldBack, RankedTool, RankedTools, Searchable } from "../types/index.js";

/** A session, as far as its tools are read. */
export interface Ranked extends Searchable {
  searchedNames(): string[];
  heldBack(): HeldBack<"mcp">[];
}

/** Reads the names now, and the definitions of all tools when the first one is asked for. */
export function rankedTools(reads: <T>(read: (session: Ranked) => T) => T): RankedTools {
  const names = reads((session) => session.searchedNames());
  let definitions: ReadonlyMap<string, RankedTool> | undefined;
  const all = () => (definitions ??= reads((session) => definitionsIn(session, new Set(names))));
  return { names, get: (name) => all().get(name), [Symbol.iterator]: () => all().values() };
}

function definitionsIn(session: Ranked, names: ReadonlySet<string>): Map<string, RankedTool> {
  const servers = new Map(session.tools().map(({ name, server }) => [name, server]));
  const deferred = session.heldBack().filter(({ name }) => names.has(name));
  return new Map(
    deferred.map(({ name, definition: { description = "", inputSchema } }) => {
      return [name, { name, server: servers.get(name) ?? null, description, inputSchema }];
    }),
  );
}
