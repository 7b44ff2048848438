/** Quarantined tools, in a catalog of their own: a search says that it would have found them, and no word of theirs. */

import type { Catalog } from "../core/reviewer.js";
import type { ToolInfo } from "../types/index.js";
import { encoded } from "../core/written-list.js";
import { foreign } from "./foreign.js";

/** Tools of one server that are searched, and the characters that each may have. */
const SEARCHED = 500;
const MOST_CHARS = 65_536;
const HITS = 50;
/**
 * The score from which on a tool would have been found. With each of 30 public servers quarantined whole, 87 % of the requests for its tools
 * are told of it, and 17 % of those for the tools of others.
 */
const LEAST_SCORE = 0.15;
/** Servers that a text names. */
const NAMED = 5;

/** A tool that waits. */
export interface AwaitedTool {
  server: string;
  name: string;
  /** Whether it is a skill. */
  skill?: boolean | undefined;
}

/** What waits, by server. */
export class Awaited {
  readonly #catalog: Catalog;
  readonly #servers = new Set<string>();

  /** @param catalog an empty catalog */
  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Takes what waits of a server now. */
  sync(server: string, definitions: readonly object[]): void {
    if (definitions.length === 0 && !this.#servers.delete(server)) return;
    if (definitions.length > 0) this.#servers.add(server);
    const texts = definitions.slice(0, SEARCHED).map((one) => JSON.stringify(one));
    const fitting = texts.filter(({ length }) => length <= MOST_CHARS);
    this.#catalog.use((core) => core.sync(0, encoded(fitting), { server, names: "alias" }));
  }

  get servers(): string[] {
    return [...this.#servers];
  }

  /** The tools that a search would have found. */
  found(query: string): AwaitedTool[] {
    if (this.#servers.size === 0) return [];
    const { hits } = this.#catalog.search(query, { limit: HITS });
    const found = new Set(hits.filter(({ score }) => score >= LEAST_SCORE).map(({ name }) => name));
    if (found.size === 0) return [];
    const tools = JSON.parse(this.#catalog.use((core) => core.tools())) as ToolInfo[];
    const those = tools.filter(({ name }) => found.has(name));
    return those.map(({ server, originalName, skill }) => ({ server: server!, name: originalName, skill }));
  }

  dispose(): void {
    this.#catalog.dispose();
  }
}

/**
 * What a model is told of tools that wait: how many of which server, a line for each server.
 *
 * @param way what a person does to approve those of a server
 */
export function awaitedText(tools: readonly AwaitedTool[], way: (server: string) => string): string {
  const counts = new Map<string, AwaitedTool[]>();
  for (const tool of tools) counts.set(tool.server, [...(counts.get(tool.server) ?? []), tool]);
  const lines = [...counts].slice(0, NAMED).map(([server, those]) => {
    const skills = those.filter(({ skill }) => skill === true).length;
    const what = [counted(those.length - skills, "tool"), counted(skills, "skill")].flat().join(" and ");
    const waits = `${what} of ${foreign(server, 80, "line")} ${those.length === 1 ? "waits" : "wait"} for approval`;
    return `${waits}: ${way(server)}.`;
  });
  return [...lines, ...(counts.size > NAMED ? [`… and of ${counts.size - NAMED} more servers.`] : [])].join("\n");
}

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];
