/** Reads the texts of tools: words of names, first sentences, groups. */

import type { Tool } from "./check.js";

/** The most characters of a first sentence: a query has no more. */
const MOST_CHARS = 300;
/** Halves of surrogate pairs, which a query must not hold: a cut leaves them. */
const HALVES = /\p{Cs}/gu;

/** The first sentence of a description; empty where there is none. */
export function openingOf(description: string): string {
  // The text is cut first: descriptions may have 64 KiB.
  const start = description.slice(0, 4 * MOST_CHARS).trim();
  return (start.split(/(?<=[.!?])\s|\n/)[0] ?? "").slice(0, MOST_CHARS).replace(HALVES, "").trim();
}

/** The words of a name in any spelling style: `create issue` for `createIssue` and `create_issue`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A text for comparison: its letters and digits in lower case. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The names of the parameters. */
export function parametersOf({ inputSchema }: Tool): string[] {
  return Object.keys(Object(inputSchema["properties"]));
}

/** The names of tools, in their order. */
export function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ originalName }) => originalName);
}

/** `a, b, c and 4 more`, of names in quotes. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  return names.length > most ? `${shown.join(", ")} and ${names.length - most} more` : shown.join(", ");
}

/** `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `1 tool`, `2 tools`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
