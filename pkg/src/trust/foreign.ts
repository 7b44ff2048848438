/** Writes a server's text into ours, so that it can neither pass for our words nor for those of another server. */

import { neutralised } from "./hidden.js";
import { cut } from "../base/values.js";

/** Where a line ends, whoever wrote it. */
const BREAK = /\r\n?|[\n\u2028\u2029]/;

/**
 * A text of others, cut, with hidden characters shown: as one line, or as lines that each begin with a mark. What stands behind
 * the mark cannot end it.
 */
export function foreign(text: string, most: number, form: "line" | "marked"): string {
  // A text has no bound: what is behind the cut is not read, but white space is folded before it.
  const read = text.slice(0, 4 * most);
  if (form === "line") return cut(neutralised(read).replace(/\s+/g, " ").trim(), most - 1, "…");
  const lines = neutralised(read)
    .split(BREAK)
    .flatMap((line) => (line.trim() === "" ? [] : line.trimEnd()));
  const folded = lines.join("\n");
  return cut(folded, most - 1, "…").replace(/^/gm, "> ");
}

/** Lines of a reason that are shown: the first one, and the last ones. */
const REASON_LINES = 16;

/** Why something failed, in the words of a server or a process: as `foreign`, all lines but the first indented, and of many the last. */
export function foreignReason(text: string, most: number): string {
  const [first = "", ...rest] = neutralised(text.slice(0, 4 * most).trim())
    .split(BREAK)
    .flatMap((line) => (line.trim() === "" ? [] : line.trimEnd().replaceAll("\t", "  ")));
  const over = rest.length - (REASON_LINES - 1);
  const shown = over > 0 ? ["…", ...rest.slice(over + 1)] : rest;
  // What is indented already stays so.
  const lines = [first, ...shown.map((line) => (line.startsWith("  ") ? line : `  ${line}`))];
  return cut(lines.join("\n"), most - 1, "…");
}

/** Characters of an error with which a server answers a request. */
const ERROR_CHARS = 4_000;

/** What a server answered as an error, as the model reads it. */
export const foreignError = (server: string, message: string): string =>
  `The server ${JSON.stringify(foreign(server, 80, "line"))} answered with an error:\n${foreign(message, ERROR_CHARS, "marked")}`;
