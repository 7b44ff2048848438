/** Makes text of others safe for a terminal: what servers wrote must not move the cursor, hide itself or change colours. */

/** Control and format characters (bidi, zero-width, tags), line separators, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

let isWhole = false;

/** Whether texts that are cut for the sake of a table or a line are printed whole: `--verbose`. */
export function printWhole(whole: boolean): void {
  isWhole = whole;
}

/** As many entries of a list as are printed: all of them with `--verbose`. */
export function firstOf<T>(list: readonly T[], most: number): readonly T[] {
  return isWhole ? list : list.slice(0, most);
}

/** The text with each unsafe character written as `\u{202e}`. */
export function escaped(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/** Text of several lines, escaped; they stay lines. */
export function escapedLines(text: string): string {
  return text.split(/\r?\n/).map(escaped).join("\n");
}

/** The text on one line, escaped, of at most `most` characters; longer text ends with an ellipsis. */
export function oneLine(text: string, most = 120): string {
  if (isWhole) return escaped(text.trim().replace(/\s+/g, " "));
  // Cut before it is read as a whole: descriptions of servers have no bound.
  const line = escaped(
    text
      .slice(0, 8 * most)
      .trim()
      .replace(/\s+/g, " "),
  );
  const chars = [...line];
  return chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : line;
}

/** A name of others, escaped, with its spaces and line ends as they are; of at most `most` characters. */
export function nameOf(name: string, most: number): string {
  if (isWhole) return escaped(name);
  const chars = [...escaped(name.slice(0, 2 * most))];
  return chars.length > most || name.length > 2 * most ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}

/** A value of others in quotes, for a message. */
export function quoted(value: unknown): string {
  return `"${oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)), 80)}"`;
}

/** A path in quotes, whole: the user has to find the file. */
export function shownPath(path: string): string {
  return `"${escaped(path)}"`;
}

/** Text of others, escaped, of at most `most` characters of its own. */
export function shown(text: string, most = 300): string {
  if (isWhole) return escaped(text);
  return escaped(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** The message of anything that was thrown, safe to print. */
export function reasonOf(error: unknown, most = 600): string {
  return shown(error instanceof Error ? error.message : String(error), most);
}
