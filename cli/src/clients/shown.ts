/** Makes text from files safe and short enough for a terminal. */

import { escaped } from "../output/escape.js";

/** The longest name or value that a message quotes. */
const MAX_SHOWN = 80;

/** The text in quotes, with control, format and bidirectional characters escaped, cut at 80 characters. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return `"${escaped(cut)}"`;
}

/** A path in quotes, whole: the user has to find the file. */
export function shownPath(path: string): string {
  return `"${escaped(path)}"`;
}
