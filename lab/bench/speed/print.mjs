/**
 * Prints the figures for every catalog size: milliseconds, multiples of toolsift's time, and operations that only toolsift
 * has.
 */

import { right } from "../../lib/columns.mjs";
import { bold, dim } from "../../../scripts/lib/progress.mjs";
import { OWN, titleOf } from "./peers.mjs";
import { KINDS } from "./queries.mjs";
import { shown } from "./size.mjs";

const FIRST = 30;
const WIDTH = 16;
const NONE = "–";

/** Formats milliseconds with the significant digits. */
export const ms = (value) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
/** Formats a ratio of two figures. */
export const times = (ratio) => `${ratio.toFixed(ratio >= 10 ? 0 : ratio >= 0.1 ? 2 : 4)} x`;

export function printSize(size) {
  const { tools, servers, bytes, rounds, rows } = size;
  const about = `${shown(servers)} servers, ${megabytes(bytes)} of JSON, ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  console.log(`\n${bold(`${shown(tools)} tools`)} ${dim(`(${about})`)}`);
  const kinds = Object.keys(Object.values(rows)[0].queries);
  const titles = ["build", "+ first search", "memory", ...kinds.map((kind) => KINDS[kind])];
  line(bold, "milliseconds (p50 / p95)", titles);
  for (const [row, figures] of Object.entries(rows)) {
    const { build, ready, memory, queries } = figures;
    const cells = [build, ready].map((value) => (value === undefined ? NONE : ms(value)));
    const cellOf = ({ p50, p95 }) => (p50 === undefined ? NONE : `${ms(p50)} / ${ms(p95)}`);
    cells.push(memory ? megabytes(memory.bytes) : NONE, ...kinds.map((kind) => cellOf(queries[kind])));
    line(plain, titleOf(row), cells);
  }
  printRatios(rows, kinds, titles);
  printOwn(rows.toolsift);
  const notes = Object.entries(rows).filter(([, { skipped }]) => skipped);
  for (const [row, { skipped, at }] of notes) console.log(dim(`  ${titleOf(row)}: ${skipped} (${at})`));
}

function printRatios(rows, kinds, titles) {
  const peers = Object.entries(rows).filter(([row]) => !(row in OWN));
  if (peers.length === 0) return;
  line(bold, "times toolsift search", titles);
  const ours = figuresOf(rows.toolsift, kinds);
  for (const [row, figures] of peers) {
    const ratios = figuresOf(figures, kinds).map((value, at) => value / ours[at]);
    line(
      plain,
      titleOf(row),
      ratios.map((ratio) => (Number.isFinite(ratio) ? times(ratio) : NONE)),
    );
  }
}

/** Returns the compared numbers of a row, in the order of the columns. */
export const figuresOf = ({ build, ready, memory, queries }, kinds) => [
  build,
  ready,
  memory?.bytes,
  ...kinds.map((kind) => queries[kind].p50),
];

/** The titles of the figures that only toolsift has, by name. */
const OWN_FIGURES = {
  load: "load from a prebuilt index",
  "load and search": "  + first search",
  dispatch: "call of a real tool",
  assemble: "assemble a request",
  sync: "sync, one tool changed",
  "search after sync": "  next search",
  "open a session": "open a session (10,000)",
  "search in a scope": "search, scopes in turn",
};

function printOwn(figures) {
  line(bold, "toolsift alone, milliseconds", ["p50", "p95", "times"]);
  for (const [name, title] of Object.entries(OWN_FIGURES)) {
    const value = figures[name];
    if (value === undefined || value === null) line(plain, title, [NONE]);
    else if (typeof value === "number") line(plain, title, [ms(value)]);
    else line(plain, title, [ms(value.p50), ms(value.p95), shown(value.count)]);
  }
}

const plain = (text) => text;

function line(style, title, cells) {
  console.log(style(`  ${title.padEnd(FIRST)}${right(cells, WIDTH)}`.trimEnd()));
}
