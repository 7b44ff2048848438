/** Explains why a tool was found: the parts of its score, by the words of the query. */
import type { HitPart, How, SearchedField } from "toolsift";

/** The kind of a score's part: a word as written, a related word, or the fit of the whole request. */
export type Kind = "written" | "meant" | "whole";

/** The score's parts for one word of the query. Parts without a word are in the last group, with an empty term. */
export interface Group {
  term: string;
  parts: HitPart[];
  sum: number;
}

export const KINDS: Record<Kind, string> = {
  written: "words as written",
  meant: "related words",
  whole: "fit of the whole request",
};

const WRITTEN: readonly HitPart["how"][] = ["word", "pattern", "whole-query", "inside"];
const WHOLE: readonly HitPart["how"][] = ["covered", "server", "intent"];

export function kindOf(part: HitPart): Kind {
  // A server's name is also a field in which a word may match.
  if (part.term === "" && WHOLE.includes(part.how)) return "whole";
  return WRITTEN.includes(part.how) ? "written" : "meant";
}

/** Groups parts in the order of the query, each group with its largest part first. */
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

/** Returns the sum of each kind of part. */
export function kindsOf(parts: readonly HitPart[]): { kind: Kind; sum: number }[] {
  const kinds = Object.keys(KINDS) as Kind[];
  const sums = kinds.map((kind) => ({ kind, sum: sumOf(parts.filter((part) => kindOf(part) === kind)) }));
  return sums.filter(({ sum }) => sum > 0);
}

function sumOf(parts: readonly HitPart[]): number {
  return parts.reduce((sum, part) => sum + part.contribution, 0);
}

/** Describes how a tool's text matches a word of the query, or the whole query. */
export const HOWS: Record<How, string> = {
  pattern: "matches it",
  "whole-query": "the whole request",
  word: "the same word",
  inside: "holds it",
  similar: "similar",
  stem: "a form of it",
  synonym: "a synonym",
  translation: "what people mean by it",
  relative: "begins alike",
  repair: "probably meant",
  covered: "The request covers",
  server: "The request names the server",
  intent: "It fits a part of the request by itself",
  host: "The host scored it",
};

export const FIELDS: Record<SearchedField, string> = {
  name: "name",
  server: "server",
  hint: "hint",
  keyword: "keywords",
  query: "what people ask",
  description: "description",
  parameter: "parameters",
  value: "values of a parameter",
  text: "its texts",
};
