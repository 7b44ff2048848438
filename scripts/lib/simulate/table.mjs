/** Prints tables for a person within 120 columns, and what follows from them. */

import { bold, dim } from "../progress.mjs";
import { along } from "./choose.mjs";
import { TRIED } from "./strategies.mjs";

const ROLE = 14;
const SETTING = 33;
const COLUMNS = [
  ["solved", 9, ({ solved }) => percent(solved)],
  ["trips", 7, ({ trips }) => trips.toFixed(2)],
  ["new", 9, ({ fresh }) => number(fresh)],
  ["cached", 10, ({ cached }) => number(cached)],
  ["output", 8, ({ output }) => number(output)],
  ["price", 9, ({ price }) => number(price)],
  ["of full", 9, ({ price }, full) => percent(price / full.price)],
  ["per solved", 12, ({ perSolved }) => number(perSolved)],
];

const number = (value) => (Number.isFinite(value) ? Math.round(value).toLocaleString("en-US") : "-");
const percent = (value) => `${(100 * value).toFixed(1)} %`;

/** What the short form of a setting means. */
export const LEGEND = `\
4 of 10, ≤ 1,000, near 0.6, high: a search shows 10 hits and reveals at most 4, of 1,000 tokens together, that score at
  least 0.6 of the best, when the ranker's confidence is high; low: when it is high or low.
The package now: what it reveals itself for each query.
Trips are round trips beyond those of everything in full.`;

/** The short form of a setting. */
export function short({ page, reveal, list, budget, near, sure }) {
  if (page !== undefined) return `${page} shown, reveals as it does`;
  if (list === undefined) return "";
  if (reveal === undefined) return `${list} listed`;
  const limits = [budget < Infinity && `≤ ${number(budget)}`, near > 0 && `near ${near}`, sure !== "any" && sure];
  return [`${reveal} of ${reveal + list}`, ...limits.filter(Boolean)].join(", ");
}

function table(title, rows, full) {
  const heads = COLUMNS.map(([head, width]) => head.padStart(width)).join("");
  console.log(`\n${bold(fit(title, ROLE + SETTING))}${dim(heads)}`);
  for (const [role, row] of rows) {
    const cells = COLUMNS.map(([, width, cell]) => cell(row, full).padStart(width)).join("");
    console.log(role.padEnd(ROLE) + short(row.setting).padEnd(SETTING) + cells);
  }
}

/** A text that fits its column, however long and odd it is. */
const fit = (text, width) =>
  [...text.replace(/\p{C}+/gu, " ")]
    .slice(0, width - 1)
    .join("")
    .padEnd(width);

/** Each strategy at its cheapest, what is recommended, and what the package does. */
export function printStrategies(title, { full, best, chosen, now, ahead, constant }) {
  const rows = [
    ["in full", full],
    ["reveal, best", best.reveal],
    ["recommended", chosen],
    ["package now", now],
    ["prefetch", ahead],
    ["constant", constant],
  ];
  table(title, [...rows, ["add, best", best.add], ["bridge, best", best.bridge]], full);
}

/** The recommended setting with each of its values changed by itself. */
export function printAlong(rows, { setting }, full) {
  for (const key of Object.keys(TRIED)) {
    const mark = (row) => (row.setting[key] === setting[key] ? "recommended" : "");
    table(
      `Recommended, with another ${key}`,
      along(rows, setting, key).map((row) => [mark(row), row]),
      full,
    );
  }
}

/** What each catalog costs, in full and with each strategy. */
export function printCatalogs(rows) {
  const strategies = Object.keys(rows[0].measured);
  const heads = [
    ["tools", 8],
    ["tokens", 10],
    ["price in full", 15],
  ];
  for (const strategy of strategies) heads.push([strategy, 14], ["trips", 7]);
  console.log(`\n${bold(fit("Catalogs", 24))}${dim(heads.map(([head, width]) => head.padStart(width)).join(""))}`);
  for (const { name, tools, tokens, full, measured } of rows) {
    const cells = [number(tools), number(tokens), number(full.price)];
    for (const one of strategies) cells.push(percent(measured[one].price / full.price), measured[one].trips.toFixed(2));
    console.log(fit(name, 24) + cells.map((cell, at) => cell.padStart(heads[at][1])).join(""));
  }
}

/** The recommendation in a sentence. */
export function reasonOf({ chosen, best, now, constant, constantBelow, breakEven }) {
  const above = (row) => {
    const more = row.perSolved / best.reveal.perSolved - 1;
    return `${percent(Math.abs(more))} ${more < 0 ? "below" : "above"}`;
  };
  return `reveal ${short(chosen.setting)}
  ${above(chosen)} the cheapest (${short(best.reveal.setting)}) per solved task, and solves ${percent(chosen.solved)}.
  The package now: ${above(now)} it, solves ${percent(now.solved)}.
  With surface: "constant": ${percent(Math.abs(1 - constant.price / now.price))} ${constant.price > now.price ? "more" : "less"}.
  It is cheaper as long as a cached token costs less than ${percent(constantBelow)} of a new one.
  Where all definitions together take less than ${number(breakEven)} tokens, sending them in full is cheaper.`;
}
