/** Reads the texts of tools (words of names, first sentences, lists of names), and formats numbers. */

import type { Tool } from "./check.js";
import type { Finding } from "./types.js";

/** The maximum number of characters of a first sentence, because a query has no more. */
const MOST_CHARS = 300;
/** Half surrogate pairs, which a cut can leave and a query must not have. */
const HALVES = /\p{Cs}/gu;

/** Returns the first sentence of a description; empty if there is none. */
export function openingOf(description: string): string {
  // The text is cut first, because descriptions may have 64 KiB.
  const start = description.slice(0, 4 * MOST_CHARS).trim();
  return (start.split(/(?<=[.!?])\s|\n/)[0] ?? "").slice(0, MOST_CHARS).replace(HALVES, "").trim();
}

/** Returns the words of a name in any spelling style: `create issue` for `createIssue` and `create_issue`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Returns the letters and digits of a text in lower case, for comparisons. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Returns the names of a tool's parameters. */
export function parametersOf({ inputSchema }: Tool): string[] {
  return Object.keys(Object(inputSchema["properties"]));
}

/** Returns the names of tools, in the same order. */
export function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ originalName }) => originalName);
}

/** Returns the tools that a finding concerns: one, or several. */
export function concerned(tools: readonly Tool[]): Pick<Finding, "tool" | "tools"> {
  const names = [...new Set(namesOf(tools))];
  return names.length === 1 ? { tool: names[0]! } : { tool: null, tools: names };
}

/** Returns names in quotes, such as `"a", "b", "c" and 4 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  return names.length > most ? `${shown.join(", ")} and ${names.length - most} more` : shown.join(", ");
}

/** Formats a number, such as `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Formats a number with its noun: `1 tool`, `2 tools`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
