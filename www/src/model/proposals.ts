/** Proposes queries for some of the tools: what people ask for where that is known, or else what a description begins with. */
import type { ToolInfo } from "toolsift";
import type { Line } from "./lines.ts";

/** Few enough to read, and enough to tell rankers apart. */
const MOST = 40;

/** A longer first sentence is cut: people do not type more. */
const MOST_WORDS = 14;

/** The same number of tools of each server, as far as it goes, spread over its list: neighbours are alike. */
export function proposedLines(
  tools: readonly ToolInfo[],
  askedFor: (tool: ToolInfo) => readonly string[],
): Pick<Line, "query" | "tools">[] {
  const byServer = new Map<string | null, ToolInfo[]>();
  for (const tool of tools) {
    const own = byServer.get(tool.server);
    if (own) own.push(tool);
    else byServer.set(tool.server, [tool]);
  }
  const share = Math.max(1, Math.ceil(MOST / Math.max(1, byServer.size)));
  const chosen: Pick<Line, "query" | "tools">[] = [];
  for (let round = 0; round < Math.max(share, MOST) && chosen.length < MOST; round += 1) {
    for (const own of byServer.values()) {
      const step = Math.max(1, Math.floor(own.length / share));
      const tool = own[round * step];
      const query = tool && (askedFor(tool)[0] ?? openingOf(tool));
      if (tool && query && chosen.length < MOST) chosen.push({ query: plain(query), tools: [tool.name] });
    }
  }
  return chosen;
}

function openingOf({ description }: ToolInfo): string {
  const [sentence = ""] = description
    .slice(0, 400)
    .trim()
    .split(/(?<=[.!?:])\s|\n/);
  const words = sentence.replace(/[.:!?]+$/, "").split(/\s+/);
  return words.slice(0, MOST_WORDS).join(" ");
}

/** A query without what stands between queries and tools. */
function plain(query: string): string {
  return query.replace(/→|->|\||\s+/g, " ").trim();
}
