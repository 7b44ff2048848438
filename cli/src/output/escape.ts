/** Makes foreign text safe for a terminal: text of a server must not move the cursor, hide itself or change colours. */

import { readable } from "toolsift/guard";

let isWhole = false;

/** Sets whether long texts and lists are printed whole, as with `--verbose`, or cut to fit a line or a table. */
export function printWhole(whole: boolean): void {
  isWhole = whole;
}

/** Returns the first `most` entries of a list, or all entries with `--verbose`. */
export function firstOf<T>(list: readonly T[], most: number): readonly T[] {
  return isWhole ? list : list.slice(0, most);
}

/** Returns a text with hidden characters written out. Its line breaks stay. */
export function readableLines(text: string): string {
  return text.split(/\r?\n/).map(readable).join("\n");
}

/** Returns the text on one line of at most `most` characters. A longer text ends with an ellipsis. */
export function oneLine(text: string, most = 120): string {
  return shown((isWhole ? text : beginning(text, most)).trim().replace(/\s+/g, " "), most);
}

/** Returns a foreign value in quotes, for a message. */
export function quoted(value: unknown): string {
  return `"${oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)), 80)}"`;
}

/** Returns a path in quotes, never cut: the user has to find the file. */
export function shownPath(path: string): string {
  return `"${readable(path)}"`;
}

/**
 * Returns a foreign text of at most `most` characters. Spaces stay, line breaks are written out, and a longer text ends with
 * an ellipsis.
 */
export function shown(text: string, most = 300): string {
  if (isWhole) return readable(text);
  const read = beginning(text, most);
  const chars = [...readable(read)];
  return chars.length > most || read !== text ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}

/** Returns the part of a text that is read to make a line of it. A server's description can have any length. */
const beginning = (text: string, most: number): string => text.slice(0, 8 * most);

/** Returns the message of a thrown value, safe to print. Its line breaks stay. */
export function reasonOf(error: unknown, most = 600): string {
  const message = error instanceof Error ? error.message : String(error);
  const read = isWhole ? message : beginning(message, most);
  const chars = [...readableLines(read.trim())];
  return !isWhole && (chars.length > most || read !== message) ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}
