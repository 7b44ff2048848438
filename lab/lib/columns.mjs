/** Prints tables: labels are aligned left and figures right, each in a column as wide as it needs. */

import { bold, dim } from "../../scripts/lib/progress.mjs";

/** Removes control characters from a name, because sets and catalogs have the names of files. */
export const clean = (name) => name.replace(/\p{C}+/gu, " ");

/** The most characters of a label. */
const LABEL = 60;

/** Cuts a label that is too long. */
function cut(name) {
  const characters = [...clean(name)];
  return characters.length <= LABEL ? characters.join("") : `${characters.slice(0, LABEL - 1).join("")}…`;
}

/**
 * Prints a table under its title. A column is `[head, cell]`: `cell` returns the text or the number for a row, and undefined
 * for an empty cell. A row is `[label, value]`, and `value` is passed to every `cell`.
 */
export function table(title, columns, rows) {
  const lines = [
    ["", ...columns.map(([head]) => head)],
    ...rows.map(([label, value]) => [cut(label), ...columns.map(([, cell]) => String(cell(value) ?? ""))]),
  ];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const [heads, ...others] = lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at]))).join("  "),
  );
  console.log(`\n${bold(clean(title))}\n${[dim(heads), ...others].map((line) => line.trimEnd()).join("\n")}`);
}

/** Aligns figures on the right, in columns of one width. */
export const right = (cells, width) => cells.map((cell) => String(cell).padStart(width)).join("");
