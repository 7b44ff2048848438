/** Indexes quarantined tools, so that a search can report that it would have found them, without their texts. */

import type { Catalog } from "../core/reviewer.js";
import type { ToolInfo } from "../types/index.js";
import { encoded } from "../core/written-list.js";
import { foreign } from "./foreign.js";

/** The maximum number of indexed tools of one server, and of characters of each definition. */
const SEARCHED = 500;
const MOST_CHARS = 65_536;
const HITS = 50;
/**
 * The minimum score at which a quarantined tool counts as found. With 30 public servers, each with all its tools
 * quarantined: searches report these tools for 87 % of the requests for them, and for 17 % of the requests for tools of
 * other servers.
 */
const LEAST_SCORE = 0.15;
/** The maximum number of servers in a text. */
const NAMED = 5;

/** A quarantined tool. */
export interface AwaitedTool {
  server: string;
  name: string;
  /** True for a skill. */
  skill?: boolean | undefined;
}

/** The index of quarantined tools, by server. */
export class Awaited {
  readonly #servers = new Set<string>();

  /** @param catalog an empty catalog */
  constructor(private readonly catalog: Catalog) {}

  /** Replaces the quarantined tools of a server. */
  sync(server: string, definitions: readonly object[]): void {
    if (definitions.length === 0 && !this.#servers.delete(server)) return;
    if (definitions.length > 0) this.#servers.add(server);
    const texts = definitions.slice(0, SEARCHED).map((one) => JSON.stringify(one));
    const fitting = texts.filter(({ length }) => length <= MOST_CHARS);
    this.catalog.use((core) => core.sync(0, encoded(fitting), { server, names: "alias" }));
  }

  get servers(): string[] {
    return [...this.#servers];
  }

  /** Returns the quarantined tools that a search would have found. */
  found(query: string): AwaitedTool[] {
    if (this.#servers.size === 0) return [];
    const { hits } = this.catalog.search(query, { limit: HITS });
    const found = new Set(hits.filter(({ score }) => score >= LEAST_SCORE).map(({ name }) => name));
    if (found.size === 0) return [];
    const tools = JSON.parse(this.catalog.use((core) => core.tools())) as ToolInfo[];
    const those = tools.filter(({ name }) => found.has(name));
    return those.map(({ server, originalName, skill }) => ({ server: server!, name: originalName, skill }));
  }

  dispose(): void {
    this.catalog.dispose();
  }
}

/**
 * Returns a text for the model about quarantined tools: their number for each server, with one line for each server.
 *
 * @param way returns an instruction for a person to approve a server's tools
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
