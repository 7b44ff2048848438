/** Prints what learning gains within 120 columns. */

import { cut, right } from "../../columns.mjs";
import { bold, dim } from "../../progress.mjs";
import { QUALITIES } from "./measure.mjs";

const points = (value) => `${value > 0 ? "+" : ""}${(100 * value).toFixed(1)}`;
const interval = ({ mean, low, high }) => `${points(mean)} (${points(low)} to ${points(high)})`;
/** Whether the interval of a difference leaves out zero. */
const isSure = ({ low, high }) => low > 0 || high < 0;

/** One table for each share of wrong calls and each quality. */
export function printLearning(rows) {
  for (const noise of new Set(rows.map((row) => row.noise))) {
    const some = rows.filter((row) => row.noise === noise);
    for (const key of QUALITIES) {
      console.log(`\n${bold(`${key}, ${noise === 0 ? "every call right" : `${100 * noise} % of the calls wrong`}`)}`);
      const { sets } = some[0];
      const widths = [8, ...sets.map(() => WIDTH), 24];
      const line = (title, cells) => title.padEnd(7) + right(cells, widths);
      console.log(dim(line("calls", ["words", ...sets.map(({ name }) => cut(name, WIDTH)), "mean over sets"])));
      console.log(line("none", ["", ...sets.map(({ without }) => (100 * without[key]).toFixed(1))]));
      for (const { volume, sets: measured, macro } of some) {
        const words = measured.reduce((sum, one) => sum + one.words, 0);
        const gains = measured.map(({ gain }) => `${points(gain[key].mean)}${isSure(gain[key]) ? "*" : " "}`);
        const cells = [Math.round(words).toLocaleString("en-US"), ...gains, interval(macro[key])];
        console.log(line(volume === Infinity ? "all" : String(volume), cells));
      }
    }
  }
  console.log(`\n${dim(LEGEND)}`);
}

const WIDTH = 15;

/** What the table says. */
const LEGEND = `\
Points of recall that are gained on the half of each set's queries that nothing was learned from. Calls: how
many calls of each tool the learner was told of at most. Words: what was exported, in all sets together. *: the
95 % interval of the paired bootstrap leaves out zero. None: recall without learning, in percent.`;
