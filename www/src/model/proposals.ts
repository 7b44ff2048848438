/** Proposes queries from the catalog: what a tool does in the words of its description, without those of its name. */
import type { ToolInfo } from "toolsift";
import type { Line } from "./lines.ts";

/** Few enough to read, and enough to tell rankers apart. */
const MOST = 40;

/** A query of fewer words says too little to find one tool. */
const FEWEST_WORDS = 3;

/** At most so many words: people do not type more. */
const MOST_WORDS = 12;

/** The same number of tools of each server, as far as it goes; the largest descriptions say most. */
export function proposedLines(tools: readonly ToolInfo[]): Omit<Line, "line">[] {
  const byServer = new Map<string | null, Omit<Line, "line">[]>();
  for (const tool of tools) {
    const query = queryOf(tool);
    if (query === null) continue;
    byServer.set(tool.server, [...(byServer.get(tool.server) ?? []), { query, tools: [tool.name] }]);
  }
  const chosen: Omit<Line, "line">[] = [];
  for (let round = 0; chosen.length < MOST; round += 1) {
    const before = chosen.length;
    for (const [, own] of byServer) {
      // Spread over the list: neighbours are alike.
      const share = Math.max(1, Math.ceil(MOST / byServer.size));
      const step = Math.max(1, Math.floor(own.length / share));
      const line = own[round * step];
      if (line !== undefined && chosen.length < MOST) chosen.push(line);
    }
    if (chosen.length === before) break;
  }
  return chosen;
}

/** The first sentence as somebody would type it, or null where it only repeats the name. */
function queryOf({ originalName, description }: ToolInfo): string | null {
  const [sentence = ""] = description.slice(0, 400).trim().split(/(?<=[.!?:])\s|\n/);
  const named = new Set(wordsOf(originalName).map(stem));
  const words = sentence
    .replace(/[.:!?]+$/, "")
    .split(/\s+/)
    .filter((word) => wordsOf(word).length > 0 && !wordsOf(word).some((part) => named.has(stem(part))));
  const said = words.filter((word) => word.length > 2);
  if (said.length < FEWEST_WORDS) return null;
  return words.slice(0, MOST_WORDS).join(" ").toLowerCase().replaceAll("→", " ").replaceAll("|", " ");
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Enough to see that `files` and `file` are one word. */
function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s|e)$/, "");
}
