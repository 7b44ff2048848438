/** Prints the tables of the simulation, and the conclusions from them. */

import { table } from "../lib/columns.mjs";
import { along } from "./choose.mjs";
import { TRIED } from "./strategies.mjs";

const number = (value) => (Number.isFinite(value) ? Math.round(value).toLocaleString("en-US") : "-");
const percent = (value) => `${(100 * value).toFixed(1)} %`;

/** The columns of a table; `full` is the row of everything in full. */
const columnsWith = (full) => [
  ["setting", ({ setting }) => short(setting)],
  ["solved", ({ solved }) => percent(solved)],
  ["trips", ({ trips }) => trips.toFixed(2)],
  ["new", ({ fresh }) => number(fresh)],
  ["cached", ({ cached }) => number(cached)],
  ["output", ({ output }) => number(output)],
  ["price", ({ price }) => number(price)],
  ["of full", ({ price }) => percent(price / full.price)],
  ["per solved", ({ perSolved }) => number(perSolved)],
];

/** The explanation of the short form of a setting. */
export const LEGEND = `\
4 of 10, ≤ 1,000, near 0.6, high: a search shows 10 hits and reveals at most 4, of 1,000 tokens together, that score at
  least 0.6 of the best, when the ranker's confidence is high; low: when it is high or low.
The package now: what it reveals itself for each query.
Trips are round trips beyond those of everything in full.`;

/** Returns the short form of a setting. */
export function short({ page, reveal, list, budget, near, sure }) {
  if (page !== undefined) return `${page} shown, reveals as it does`;
  if (list === undefined) return "";
  if (reveal === undefined) return `${list} listed`;
  const limits = [budget < Infinity && `≤ ${number(budget)}`, near > 0 && `near ${near}`, sure !== "any" && sure];
  return [`${reveal} of ${reveal + list}`, ...limits.filter(Boolean)].join(", ");
}

/** Prints the cheapest setting of each strategy, the recommended setting, and the package's present one. */
export function printStrategies(title, { full, best, chosen, now, ahead, constant }) {
  const rows = [
    ["in full", full],
    ["reveal, best", best.reveal],
    ["recommended", chosen],
    ["package now", now],
    ["prefetch", ahead],
    ["constant", constant],
  ];
  table(title, columnsWith(full), [...rows, ["add, best", best.add], ["bridge, best", best.bridge]]);
}

/** Prints the recommended setting with each of its values changed separately. */
export function printAlong(rows, { setting }, full) {
  for (const key of Object.keys(TRIED)) {
    const mark = (row) => (row.setting[key] === setting[key] ? "recommended" : "");
    const others = along(rows, setting, key).map((row) => [mark(row), row]);
    table(`Recommended, with another ${key}`, columnsWith(full), others);
  }
}

/** Returns the recommendation as a sentence. */
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
