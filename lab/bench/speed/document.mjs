/** Writes the table of speed in lab/REPORT.md. It shows ratios and is committed, so that a slowdown shows in the diff. */

import { at } from "../../../scripts/lib/paths.mjs";
import { titleOf } from "./peers.mjs";
import { figuresOf } from "./print.mjs";
import { KINDS } from "./queries.mjs";
import { shown } from "./size.mjs";

/** The path of the document with the table. */
export const DOCUMENT = at("lab", "REPORT.md");
const [BEGIN, END] = ["<!-- npm run bench -- --update writes this -->\n", "<!-- until here -->\n"];

/** Replaces the table in the document's text by the table of a run. */
export function withTable(text, { machine: { node }, sizes }, date) {
  const [before, rest] = [text.slice(0, text.indexOf(BEGIN)), text.slice(text.indexOf(END))];
  return `${before}${BEGIN}${tableOf(sizes)}\nOne run on ${date} with Node ${node.slice(1)}.\n${rest}`;
}

function tableOf(sizes) {
  const [{ rows: first }] = sizes;
  const kinds = Object.keys(first.toolsift.queries);
  const titles = ["", "build", "build + first search", "memory", ...kinds.map((kind) => KINDS[kind])];
  const others = Object.keys(first).filter((row) => row !== "toolsift");
  const rows = others.flatMap((row) =>
    sizes.map((size) => [`${titleOf(row)}, ${shown(size.tools)} tools`, ...ratiosOf(size.rows, row, kinds)]),
  );
  return `${[line(titles), `|---|${"--:|".repeat(titles.length - 1)}`, ...rows.map(line)].join("\n")}\n`;
}

function ratiosOf(rows, row, kinds) {
  const ours = figuresOf(rows.toolsift, kinds);
  return figuresOf(rows[row], kinds).map((value, place) => rounded(value / ours[place]));
}

const line = (cells) => `| ${cells.join(" | ")} |`.replace("|  |", "| |");

/** Rounds to two digits: further digits would change with every run. */
const rounded = (ratio) => (Number.isFinite(ratio) ? shown(Number(ratio.toPrecision(2))) : "–");
