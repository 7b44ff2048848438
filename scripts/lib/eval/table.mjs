/** How is it shown? Tables for a person, best ranker first, within 120 columns. */

import { bold, dim } from "../progress.mjs";
import { COMPARED } from "./against.mjs";
import { DEPTHS } from "./metrics.mjs";
import { REWRITTEN } from "./rankers.mjs";

const NAME = 18;
const WIDTH = 120;
const percent = (value) => (100 * value).toFixed(1);
const milliseconds = (value) => (value < 10 ? value.toFixed(3) : value.toFixed(1));
const signed = (value) => (value >= 0 ? "+" : "") + percent(value);

const COLUMNS = [
  ...DEPTHS.map((depth) => [`recall@${depth}`, 10, (summary) => percent(summary[`recall@${depth}`])]),
  ["nDCG@10", 9, (summary) => percent(summary["ndcg@10"])],
  ["MRR", 7, (summary) => percent(summary.mrr)],
  ["empty", 8, (summary) => percent(summary.empty)],
  ["errors", 8, (summary) => String(summary.errors)],
  ["ms/query", 11, (summary) => milliseconds(summary.ms)],
  ["95 % below", 12, (summary) => milliseconds(summary.msP95)],
];

/** A name that fits its column, however long and odd it is. */
const short = (text, width) => {
  const plain = text.replace(/\p{C}+/gu, " ");
  return ([...plain].length < width ? plain : `${[...plain].slice(0, width - 2).join("")}…`).padEnd(width);
};

function table(title, rows) {
  console.log(`\n${bold(title)}`);
  console.log(dim(" ".repeat(NAME) + COLUMNS.map(([head, width]) => head.padStart(width)).join("")));
  for (const [ranker, summary] of rows) {
    console.log(short(ranker, NAME) + COLUMNS.map(([, width, cell]) => cell(summary).padStart(width)).join(""));
  }
}

/** The macro means, then each set; all in the order of macro recall@5. */
export function printSummary({ sets, macro }) {
  const order = Object.keys(macro).sort((a, b) => macro[b]["recall@5"] - macro[a]["recall@5"]);
  const inOrder = (summaries) => order.map((ranker) => [ranker, summaries[ranker]]);
  table(`Mean over ${sets.length} ${sets.length === 1 ? "set" : "sets"}`, inOrder(macro));
  for (const { set, tools, queries, notes, rankers } of sets) {
    table(`${short(set, 60).trimEnd()}: ${tools} tools, ${queries} queries`, inOrder(rankers));
    for (const note of notes) console.log(dim(short(`  ${note}`, WIDTH).trimEnd()));
  }
  console.log(dim("\nAll but errors and times in percent. Times: of 50 queries for ten tools each, the median and 95 %."));
  const rewritten = order.filter((ranker) => REWRITTEN.includes(ranker));
  if (rewritten.length > 0) console.log(dim(`Written anew after descriptions, not the products: ${rewritten.join(", ")}.`));
}

/** Differences to another run, in points, with their intervals. */
export function printComparison(compared, sets, path) {
  console.log(bold(`\nAgainst ${path}: points of difference, [95 % interval] of a paired bootstrap`));
  console.log(dim("".padEnd(26) + COMPARED.map((key) => `${key}: before   now   difference`.padStart(46)).join("")));
  const cell = ({ mean, low, high }) => `${signed(mean)} [${signed(low)}, ${signed(high)}]`.padStart(25);
  const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  for (const { ranker, now, then, qualities } of compared) {
    console.log(ranker);
    const line = (title, values) =>
      console.log(
        short(`  ${title}`, 26) +
          COMPARED.map((key) => {
            const [before, after, difference] = values(key);
            return percent(before).padStart(14) + percent(after).padStart(7) + cell(difference);
          }).join(""),
      );
    const macro = (key) => [then, now].map((sets) => mean(sets.map((qualities) => qualities[key])));
    line("mean over sets", (key) => [...macro(key), qualities[key].macro]);
    sets.forEach(({ name }, at) => line(name, (key) => [then[at][key], now[at][key], qualities[key].sets[at]]));
  }
}

/** Recall@1 of names by spelling, the mean over sets first. */
export function printNames(tables) {
  const spellings = [...new Set(tables.flatMap(({ spelling }) => Object.keys(spelling)))];
  for (const { title, spelling, rankers } of tables) {
    console.log(`\n${bold(title)}`);
    console.log(dim(" ".repeat(NAME) + spellings.map((name) => name.padStart(15)).join("")));
    const cell = (recall) => (recall === undefined ? "" : percent(recall)).padStart(15);
    for (const ranker of rankers) {
      console.log(short(ranker, NAME) + spellings.map((name) => cell(spelling[name]?.[ranker])).join(""));
    }
  }
  console.log(dim("\nExact names as queries: recall@1 in percent. All but `as is` are spelled without the server's prefix."));
}
