/** Lays out rows of tables: names are aligned left and numbers right, each within the width of its column. */

import { dim } from "../../scripts/lib/progress.mjs";

/** A name without what a terminal would obey; sets and catalogs are called after their files. */
export const clean = (name) => name.replace(/\p{C}+/gu, " ");

/** A name that is shorter than its column, however long it is. */
export function cut(name, width) {
  const characters = [...clean(name)];
  return characters.length < width ? characters.join("") : `${characters.slice(0, width - 2).join("")}…`;
}

/** A name that fills its column. */
export const fit = (name, width) => cut(name, width).padEnd(width);

/** Figures in columns, all of one width or each of its own. */
export const right = (cells, width) =>
  cells.map((cell, at) => String(cell).padStart(Array.isArray(width) ? width[at] : width)).join("");

/** Columns are `[head, width, cell]`, where `cell` makes the text of a row. */
export const heads = (columns) => dim(columns.map(([head, width]) => head.padStart(width)).join(""));
export const cells = (columns, ...row) => columns.map(([, width, cell]) => cell(...row).padStart(width)).join("");
