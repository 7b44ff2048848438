/** Compares two ways by the medians of their two steps, side by side. */

import { right } from "../lib/columns.mjs";
import { median } from "../eval/metrics.mjs";
import { bold } from "../../scripts/lib/progress.mjs";

/** The medians of a step before the first search, of that search, and of both together, in milliseconds. */
export function medians(runs, step) {
  return {
    [step]: median(runs.map((run) => run[step])),
    first: median(runs.map(({ first }) => first)),
    both: median(runs.map((run) => run[step] + run.first)),
  };
}

/** Prints these medians, a row for each way. */
export function printRows(step, rows) {
  console.log(bold(`${"milliseconds".padEnd(24)}${right([step, "first search", "together"], 14)}`));
  for (const [name, row] of Object.entries(rows)) {
    const values = [row[step], row.first, row.both].map((ms) => ms.toFixed(1));
    console.log(`${name.padEnd(24)}${right(values, 14)}`);
  }
}
