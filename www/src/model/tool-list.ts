/** Which tools the catalog lists, in which order: as rows, with a heading for each server where they stand by server. */
import type { ToolInfo, ToolState } from "toolsift";
import { isSent } from "./states.ts";

export type Show = "all" | "sent" | "found" | ToolState;

export const SHOWS: Record<Show, string> = {
  all: "all states",
  sent: "sent in full",
  found: "found",
  revealed: "revealed",
  pinned: "pinned",
  eager: "eager",
  deferred: "deferred",
  hidden: "out of scope",
};

export type Order = "server" | "tokens" | "name";

export const ORDERS: Record<Order, string> = { server: "by server", tokens: "largest first", name: "by name" };

export interface Wanted {
  text: string;
  show: Show;
  order: Order;
}

export type Row = { kind: "server"; server: string; tools: number; tokens: number } | { kind: "tool"; tool: ToolInfo };

/** The texts that a filter looks into, in lower case: made once for a catalog. */
export function haystacks(tools: readonly ToolInfo[]): string[] {
  return tools.map(({ name, server, description }) => `${name}\n${server ?? ""}\n${description}`.toLowerCase());
}

export function rowsOf(
  tools: readonly ToolInfo[],
  texts: readonly string[],
  { text, show, order }: Wanted,
  found: ReadonlySet<string>,
): { rows: Row[]; shown: number } {
  const wanted = text.trim().toLowerCase();
  const shown = tools.filter((tool, at) => inState(tool, show, found) && (texts[at] ?? "").includes(wanted));
  if (order === "server") return { rows: byServer(shown), shown: shown.length };
  const sorted = [...shown].sort(order === "tokens" ? (a, b) => b.tokens - a.tokens : (a, b) => (a.name < b.name ? -1 : 1));
  return { rows: sorted.map((tool) => ({ kind: "tool", tool })), shown: shown.length };
}

function inState(tool: ToolInfo, show: Show, found: ReadonlySet<string>): boolean {
  if (show === "all") return true;
  if (show === "sent") return isSent(tool);
  return show === "found" ? found.has(tool.name) : tool.state === show;
}

function byServer(tools: readonly ToolInfo[]): Row[] {
  const groups = new Map<string, ToolInfo[]>();
  for (const tool of tools) {
    const own = groups.get(tool.server ?? "");
    if (own) own.push(tool);
    else groups.set(tool.server ?? "", [tool]);
  }
  return [...groups].flatMap(([server, own]): Row[] => {
    const tokens = own.reduce((sum, tool) => sum + tool.tokens, 0);
    return [{ kind: "server", server, tools: own.length, tokens }, ...own.map((tool): Row => ({ kind: "tool", tool }))];
  });
}
