/** Writes for people why something failed, in the words of a server or a process. */

import { cut } from "../base/values.js";
import { BREAK } from "./foreign.js";
import { neutralised } from "./hidden.js";

/** Lines of a reason that are shown: the first one, and the last ones. */
const REASON_LINES = 16;

/** A reason of others, cut, with hidden characters shown: lines, of which all but the first are indented, and of many the last ones. */
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
