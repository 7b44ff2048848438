/** Explains why a tool was found: the parts of its score, by the words of the query. */
import type { HitPart, SearchResult } from "toolsift";

/** What a part of a score is about: a word as it was written, one that stands for it, or how all of it fits. */
export type Kind = "written" | "meant" | "whole";

/** What the parts of one word of the query add; those that no word accounts for come last, without a term. */
export interface Group {
  term: string;
  parts: HitPart[];
  sum: number;
}

export const KINDS: Record<Kind, string> = {
  written: "words as written",
  meant: "related words",
  whole: "fit of the whole query",
};

const WRITTEN: readonly HitPart["how"][] = ["word", "pattern", "whole-query", "inside"];
const WHOLE: readonly HitPart["how"][] = ["covered", "server", "intent"];

export function kindOf(part: HitPart): Kind {
  // A server is a field too, in which a word may stand.
  if (part.term === "" && WHOLE.includes(part.how)) return "whole";
  return WRITTEN.includes(part.how) ? "written" : "meant";
}

/** In the order of the query, each with its largest part first. */
export function groupsOf(parts: readonly HitPart[]): Group[] {
  const byTerm = new Map<string, HitPart[]>();
  for (const part of parts) byTerm.set(part.term, [...(byTerm.get(part.term) ?? []), part]);
  const groups = [...byTerm].map(([term, own]) => ({
    term,
    parts: own.sort((a, b) => b.contribution - a.contribution),
    sum: sumOf(own),
  }));
  return [...groups.filter(({ term }) => term !== ""), ...groups.filter(({ term }) => term === "")];
}

/** What each kind of part adds to a score. */
export function kindsOf(parts: readonly HitPart[]): { kind: Kind; sum: number }[] {
  const kinds = Object.keys(KINDS) as Kind[];
  const sums = kinds.map((kind) => ({ kind, sum: sumOf(parts.filter((part) => kindOf(part) === kind)) }));
  return sums.filter(({ sum }) => sum > 0);
}

/** What a full bar stands for: all that can be had where that is known, or else the best score. Null: no ranking. */
export function scaleOf(result: SearchResult | null): number | null {
  if (result === null || ["select", "pattern", "none"].includes(result.stage)) return null;
  return result.stage === "sift" ? 1 : Math.max(...result.hits.map((hit) => hit.score));
}

function sumOf(parts: readonly HitPart[]): number {
  return parts.reduce((sum, part) => sum + part.contribution, 0);
}
