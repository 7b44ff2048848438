/** Lays out rows of tables: names are aligned left and numbers right, each within the width of its column. */

import { dim } from "../../scripts/lib/progress.mjs";

/** Removes control characters from a name, because sets and catalogs have the names of files. */
export const clean = (name) => name.replace(/\p{C}+/gu, " ");

/** Cuts a name so that it fits into its column. */
export function cut(name, width) {
  const characters = [...clean(name)];
  return characters.length < width ? characters.join("") : `${characters.slice(0, width - 2).join("")}…`;
}

/** Cuts or pads a name to the width of its column. */
export const fit = (name, width) => cut(name, width).padEnd(width);

/** Aligns figures on the right, in columns of one width or of different widths. */
export const right = (cells, width) =>
  cells.map((cell, at) => String(cell).padStart(Array.isArray(width) ? width[at] : width)).join("");

/** Returns the line of headings. A column is `[head, width, cell]`; `cell` makes the text of a row. */
export const heads = (columns) => dim(columns.map(([head, width]) => head.padStart(width)).join(""));
export const cells = (columns, ...row) => columns.map(([, width, cell]) => cell(...row).padStart(width)).join("");
