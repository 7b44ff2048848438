/** Prints what learning gains within 120 columns. */

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
      const heads = ["words".padStart(8), ...sets.map(({ name }) => fit(name)), "mean over sets".padStart(24)];
      console.log(dim("calls".padEnd(7) + heads.join("")));
      console.log(
        "none".padEnd(7) + "".padStart(8) + sets.map(({ without }) => cell((100 * without[key]).toFixed(1))).join(""),
      );
      for (const { volume, sets: measured, macro } of some) {
        const words = measured.reduce((sum, one) => sum + one.words, 0);
        const cells = measured.map(({ gain }) => cell(`${points(gain[key].mean)}${isSure(gain[key]) ? "*" : " "}`));
        const first =
          (volume === Infinity ? "all" : String(volume)).padEnd(7) + Math.round(words).toLocaleString("en-US").padStart(8);
        console.log(first + cells.join("") + interval(macro[key]).padStart(24));
      }
    }
  }
  console.log(`\n${dim(LEGEND)}`);
}

const WIDTH = 15;
const cell = (text) => text.padStart(WIDTH);
const fit = (name) =>
  [...name]
    .slice(0, WIDTH - 1)
    .join("")
    .padStart(WIDTH);

/** What the table says. */
const LEGEND = `\
Points of recall that are gained on the half of each set's queries that nothing was learned from. Calls: how
many calls of each tool the learner was told of at most. Words: what was exported, in all sets together. *: the
95 % interval of the paired bootstrap leaves out zero. None: recall without learning, in percent.`;
