/** The tools that a ranker of the host's chooses from: names at once, definitions when it asks for one. */

import type { HeldBack, RankedTool, RankedTools, Searchable } from "../types.js";

/** A session, as far as its tools are read. */
export interface Ranked extends Searchable {
  heldBack(): HeldBack<"mcp">[];
}

/** Names of tools that have gone, which are forgotten when they are more than the others and these. */
const SPARE = 1_000;

/** The names of each catalog's tools, by the number of the tool's version: reading them again takes long in a large one. */
const namesOf = new WeakMap<object, Map<number, string>>();

/** Reads the names now, and the definitions of all tools when the first one is asked for. */
export function rankedTools(reads: <T>(read: (session: Ranked) => T) => T): RankedTools {
  const names = reads((session) => namesIn(session));
  let definitions: ReadonlyMap<string, RankedTool> | undefined;
  const all = () => (definitions ??= reads((session) => definitionsIn(session, new Set(names))));
  return { names, get: (name) => all().get(name), [Symbol.iterator]: () => all().values() };
}

function namesIn(session: Searchable): string[] {
  const { catalog, ids, texts } = session.embeddable();
  let known = namesOf.get(catalog) ?? new Map<number, string>();
  if (known.size > 2 * ids.length + SPARE)
    known = new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!]] : [])));
  namesOf.set(catalog, known);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) for (const [at, { name }] of texts(unknown).entries()) known.set(unknown[at]!, name);
  return ids.map((id) => known.get(id)!);
}

function definitionsIn(session: Ranked, names: ReadonlySet<string>): Map<string, RankedTool> {
  const servers = new Map(session.tools().map(({ name, server }) => [name, server]));
  const held = session.heldBack().filter(({ name }) => names.has(name));
  return new Map(
    held.map(({ name, definition: { description = "", inputSchema } }) => {
      return [name, { name, server: servers.get(name) ?? null, description, inputSchema }];
    }),
  );
}
