/** One server's list: how it is registered and named, when it is of no use, and when it is an update. */
import { ToolSift, type ToolDefinition } from "toolsift";
import { isRecord } from "../model/json.ts";
import { plural } from "../model/numbers.ts";
import type { Source } from "../model/source.ts";
import { wireTools } from "../model/wire.ts";
import type { SourceView } from "./types.ts";

/** What registering needs of a list. */
export type List = Pick<Source, "server" | "names" | "tools" | "words"> & Partial<Pick<Source, "report">>;

export function register(sift: ToolSift, list: List): void {
  const { server, names, words } = list;
  list.report = sift.register(list.tools, { server, names, ...(words && { enrichment: words }) });
}

/** The name, or the name with the first number that none of these servers has. */
export function freeName(name: string, sources: readonly Source[]): string {
  const taken = new Set(sources.map(({ server }) => server));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** Why nothing of a list can be used; null where something can. Where only the names are wrong, it gets safe ones. */
export function unusable(source: Source): string | null {
  const sift = new ToolSift();
  try {
    register(sift, source);
    if (source.report.registered.length === 0 && source.report.rejected.some(({ alias }) => alias)) {
      source.names = "alias";
      register(sift, source);
    }
    const { registered, rejected } = source.report;
    if (registered.length > 0) return null;
    return `none of its ${plural(source.tools.length, "tool")} can be used. ${rejected[0]?.message ?? ""}`.trim();
  } finally {
    sift.dispose();
  }
}

/** Whether two lists have a tool in common: the newer one is then taken as an update. */
export function overlap(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  const names = new Set(wireTools(one).map(({ name }) => name));
  return wireTools(other).some(({ name }) => names.has(name));
}

export function viewOf({ server, from, start, tools, names, own, report }: Source): SourceView {
  const { registered, rejected, repaired } = report;
  const functions = own && tools.length > 0 && tools.every((tool) => isRecord(tool) && !("inputSchema" in tool));
  return { server, from, start, functions, names, own, registered: registered.length, rejected, repaired };
}
