/** Makes text of others safe for a terminal: what servers wrote must not move the cursor, hide itself or change colours. */

import { readable } from "toolsift/guard";

let isWhole = false;

/** Whether texts that are cut for the sake of a table or a line are printed whole: `--verbose`. */
export function printWhole(whole: boolean): void {
  isWhole = whole;
}

/** As many entries of a list as are printed: all of them with `--verbose`. */
export function firstOf<T>(list: readonly T[], most: number): readonly T[] {
  return isWhole ? list : list.slice(0, most);
}

/** Text of several lines, with what is hidden in them written out; they stay lines. */
export function readableLines(text: string): string {
  return text.split(/\r?\n/).map(readable).join("\n");
}

/** The text on one line, of at most `most` characters; longer text ends with an ellipsis. */
export function oneLine(text: string, most = 120): string {
  return shown((isWhole ? text : beginning(text, most)).trim().replace(/\s+/g, " "), most);
}

/** A value of others in quotes, for a message. */
export function quoted(value: unknown): string {
  return `"${oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)), 80)}"`;
}

/** A path in quotes, whole: the user has to find the file. */
export function shownPath(path: string): string {
  return `"${readable(path)}"`;
}

/** Text of others with its spaces, and with line ends written out; of at most `most` characters, of which the last is an ellipsis. */
export function shown(text: string, most = 300): string {
  if (isWhole) return readable(text);
  const read = beginning(text, most);
  const chars = [...readable(read)];
  return chars.length > most || read !== text ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}

/** What is read of a text for a line of it: descriptions of servers have no bound. */
const beginning = (text: string, most: number): string => text.slice(0, 8 * most);

/** The message of anything that was thrown, safe to print. Its lines stay lines. */
export function reasonOf(error: unknown, most = 600): string {
  const message = error instanceof Error ? error.message : String(error);
  const read = isWhole ? message : beginning(message, most);
  const chars = [...readableLines(read.trim())];
  return !isWhole && (chars.length > most || read !== message) ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}
