/** Quotes text of a server in toolsift's own texts, so that nobody takes it for toolsift's text or another server's. */

import { neutralised } from "./hidden.js";
import { cut } from "../base/values.js";

/** The end of a line, in any convention. */
const BREAK = /\r\n?|[\n\u2028\u2029]/;

/**
 * Returns text of others, shortened and with hidden characters made visible: as one line, or as lines that each begin with a
 * mark. The text after a mark cannot end the quotation.
 */
export function foreign(text: string, most: number, form: "line" | "marked"): string {
  // A text may be very long: only its beginning is read, with enough room because white space is removed.
  const read = text.slice(0, 4 * most);
  if (form === "line") return cut(neutralised(read).replace(/\s+/g, " ").trim(), most - 1, "…");
  const lines = neutralised(read)
    .split(BREAK)
    .flatMap((line) => (line.trim() === "" ? [] : line.trimEnd()));
  const folded = lines.join("\n");
  return cut(folded, most - 1, "…").replace(/^/gm, "> ");
}

/** The number of lines of a reason that are shown: the first line and the last ones. */
const REASON_LINES = 16;

/** Quotes a reason of a server or process: later lines are indented, and of many lines only the first and last are shown. */
export function foreignReason(text: string, most: number): string {
  const [first = "", ...rest] = neutralised(text.slice(0, 4 * most).trim())
    .split(BREAK)
    .flatMap((line) => (line.trim() === "" ? [] : line.trimEnd().replaceAll("\t", "  ")));
  const over = rest.length - (REASON_LINES - 1);
  const shown = over > 0 ? ["…", ...rest.slice(over + 1)] : rest;
  // Lines that are already indented stay unchanged.
  const lines = [first, ...shown.map((line) => (line.startsWith("  ") ? line : `  ${line}`))];
  return cut(lines.join("\n"), most - 1, "…");
}

/** The maximum length of a server's error, in characters. */
const ERROR_CHARS = 4_000;

/** Returns a server's error as a text for the model. */
export const foreignError = (server: string, message: string): string =>
  `The server ${JSON.stringify(foreign(server, 80, "line"))} answered with an error:\n${foreign(message, ERROR_CHARS, "marked")}`;
