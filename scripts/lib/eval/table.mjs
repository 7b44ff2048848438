/** Prints tables for a person, best ranker first, within 120 columns. */

import { bold, dim } from "../progress.mjs";
import { FULL, JUDGED } from "./ablation.mjs";
import { COMPARED } from "./against.mjs";
import { LEVELS } from "./confidence.mjs";
import { DEPTHS } from "./metrics.mjs";

const NAME = 18;
/** A column for rankers with what runs, such as `pydantic-ai (our reading)`. */
const LABEL = 26;
/** A column for names of sets and of rankers without something. */
const WIDE = 24;
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
  ["ms/query", 10, (summary) => milliseconds(summary.ms)],
  ["95 % below", 12, (summary) => milliseconds(summary.msP95)],
];

/** A name that fits its column, however long and odd it is. */
const cut = (text, width) => {
  const plain = text.replace(/\p{C}+/gu, " ");
  return [...plain].length < width ? plain : `${[...plain].slice(0, width - 2).join("")}…`;
};
const short = (text, width) => cut(text, width).padEnd(width);

function table(title, rows) {
  console.log(`\n${bold(title)}`);
  console.log(dim(" ".repeat(LABEL) + COLUMNS.map(([head, width]) => head.padStart(width)).join("")));
  for (const [label, summary] of rows) {
    console.log(short(label, LABEL) + COLUMNS.map(([, width, cell]) => cell(summary).padStart(width)).join(""));
  }
}

/** The macro means, then each set; all in the order of macro recall@5. */
export function printSummary({ sets, macro, labels, readings }) {
  const order = Object.keys(macro).sort((a, b) => macro[b]["recall@5"] - macro[a]["recall@5"]);
  const inOrder = (summaries) => order.map((ranker) => [labels[ranker], summaries[ranker]]);
  table(meanTitle(sets), inOrder(macro));
  for (const { set, tools, queries, notes, rankers } of sets) {
    table(`${short(set, 60).trimEnd()}: ${tools} tools, ${queries} queries`, inOrder(rankers));
    for (const note of notes) console.log(dim(short(`  ${note}`, WIDTH).trimEnd()));
  }
  printLoading(sets, macro);
  console.log(dim("\nAll but errors and times in percent. Times: of 50 queries for ten tools each, the median and 95 %."));
  if (readings.length > 0) console.log(dim(`Written anew here, not the originals: ${readings.join(", ")}.`));
}

const meanTitle = (sets) => {
  const { length } = sets.filter(({ isOwn }) => !isOwn);
  return `Mean over ${length} ${length === 1 ? "set" : "sets"}`;
};

/** What is found for the queries of each kind, where a set tells kinds apart: recall@1 / recall@5, and what is answered by loading. */
export function printKinds({ sets, labels }) {
  for (const { set, kinds } of sets.filter(({ kinds }) => kinds !== undefined)) {
    console.log(`\n${bold(`${short(set, 60).trimEnd()}, by kind: recall@1 / recall@5, answered by what is loaded`)}`);
    const columns = Object.entries(Object.values(kinds)[0]).map(([kind, { queries }]) => [kind, `${kind} (${queries})`]);
    const pad = (cell) => cell.padStart(18);
    console.log(dim(" ".repeat(LABEL) + columns.map(([, head]) => pad(cut(head, 18))).join("")));
    for (const [ranker, of] of Object.entries(kinds)) {
      const cells = columns.map(([kind]) => {
        const { "recall@1": first, "recall@5": five, answered } = of[kind];
        return `${percent(first)} / ${percent(five)}${answered === undefined ? "" : ` ${percent(answered)}`}`;
      });
      console.log(short(labels[ranker], LABEL) + cells.map(pad).join(""));
    }
  }
}

/** What the model's first search loads unasked, for the rankers that load: the means, then each set. */
function printLoading(sets, macro) {
  const rankers = Object.keys(macro).filter((ranker) => macro[ranker].loading);
  if (rankers.length === 0) return;
  const columns = [
    ["searches", 10, ({ searches }) => percent(searches)],
    ["right", 8, ({ right }) => percent(right)],
    ["precision", 11, ({ precision }) => percent(precision)],
    ["tokens", 8, ({ tokens }) => tokens.toFixed(0)],
    ["answered", 10, ({ answered }) => percent(answered)],
  ];
  console.log(`\n${bold("What the first search loads unasked")}`);
  console.log(dim(" ".repeat(NAME + WIDE) + columns.map(([head, width]) => head.padStart(width)).join("")));
  for (const { set, rankers: of } of [{ set: meanTitle(sets).toLowerCase(), rankers: macro }, ...sets]) {
    for (const ranker of rankers) {
      const cells = columns.map(([, width, cell]) => cell(of[ranker].loading).padStart(width)).join("");
      console.log(short(ranker, NAME) + short(set, WIDE) + cells);
    }
  }
  console.log(dim(LOADING));
}

const LOADING = `
In percent, but tokens. Searches that load anything; right: of these, those that load a tool that is needed;
precision: of the tools loaded, those that are needed; tokens: of what a search loads; answered: every need is met
without a second search.`;

const interval = ({ mean, low, high }) => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;

/** What is lost without each ingredient, as the mean over sets, then for each set. */
export function printAblation({ sets, macro }, ablation) {
  const title = `Mean over ${sets.length} ${sets.length === 1 ? "set" : "sets"}`;
  console.log(`\n${bold(`${title}: points of difference to the whole ranker, [95 % interval] of a paired bootstrap`)}`);
  console.log(dim("".padEnd(WIDE) + JUDGED.map((key) => key.padStart(30)).join("")));
  console.log(FULL.padEnd(WIDE) + JUDGED.map((key) => percent(macro[FULL][key]).padStart(30)).join(""));
  for (const { ranker, qualities } of ablation) {
    console.log(short(ranker, WIDE) + JUDGED.map((key) => interval(qualities[key].macro).padStart(30)).join(""));
  }
  const chosen = ablation.filter(({ leftOut }) => leftOut !== undefined);
  if (chosen.length > 0) {
    console.log(`\n${bold("Points gained on a set left out, where the other sets say whether it is kept")}`);
    console.log(dim("".padEnd(WIDE) + JUDGED.map((key) => key.padStart(12)).join("")));
  }
  for (const { ranker, leftOut, stays } of chosen) {
    const cells = JUDGED.map((key) => signed(leftOut[key]).padStart(12)).join("");
    console.log(`${short(ranker, WIDE)}${cells}   ${stays ? "stays" : "goes"}`);
  }
  console.log(`\n${bold("Per set: points of difference in recall@5")}`);
  console.log(dim("".padEnd(WIDE) + sets.map(({ set }) => cut(set, NAME - 1).padStart(NAME)).join("")));
  const line = (title, cells) => console.log(short(title, WIDE) + cells.map((cell) => cell.padStart(NAME)).join(""));
  line(
    FULL,
    sets.map(({ rankers }) => percent(rankers[FULL]["recall@5"])),
  );
  for (const { ranker, qualities } of ablation) {
    line(
      ranker,
      qualities["recall@5"].sets.map(({ mean }) => signed(mean)),
    );
  }
}

/** How well queries that a set answers are told from those of other sets, and what each confidence is worth. */
export function printConfidence({ sets, macro, levels }) {
  const head = (title, cells) => console.log(`\n${bold(title)}\n${dim(" ".repeat(WIDE) + cells.join(""))}`);
  const columns = [
    ["AUC", 9, ({ auc }) => auc.toFixed(3)],
    ["declined", 11, (figures) => percent(figures.declined)],
    ["of these found", 17, (figures) => percent(figures.declinedOfFound)],
    ["foreign declined", 19, (figures) => percent(figures.declinedOfForeign)],
  ];
  const counts = ["answerable", "foreign"];
  head("Queries that a set answers, and foreign ones of the other sets", [
    ...counts.map((key) => key.padStart(12)),
    ...columns.map(([name, width]) => name.padStart(width)),
  ]);
  const line = (title, figures) => {
    const cells = columns.map(([, width, cell]) => cell(figures).padStart(width)).join("");
    console.log(short(title, WIDE) + counts.map((key) => String(figures[key] ?? "").padStart(12)).join("") + cells);
  };
  line(`mean over ${sets.length} sets`, macro);
  for (const figures of sets) line(figures.set, figures);
  const widths = [9, 10, 10];
  head("What a confidence is worth: queries that the set answers, recall@1, recall@5", [
    ...LEVELS.map((level) => level.padStart(widths.reduce((a, b) => a + b, 0))),
  ]);
  const worth = (title, of) => {
    const cells = ({ queries, ...recall }) => [
      String(queries),
      ...["recall@1", "recall@5"].map((key) => (queries === 0 ? "–" : percent(recall[key]))),
    ];
    const padded = LEVELS.map((level) =>
      cells(of[level])
        .map((cell, at) => cell.padStart(widths[at]))
        .join(""),
    );
    console.log(short(title, WIDE) + padded.join(""));
  };
  worth("all queries", levels);
  for (const { set, levels } of sets) worth(set, levels);
  console.log(dim(FOOTER));
}

const FOOTER = `
All but AUC and counts in percent. AUC: how likely a query that the set answers is further above chance than a foreign
one. Of these found: the share declined of those with a right tool among the first five. Sets overlap in subject, so
that some foreign queries can be answered after all: AUC and the share of them declined are lower bounds.`;

/** What the gateway's first answers tell, set by set. */
export function printAnswers(rows) {
  const columns = [
    ["tools", 8, ({ tools }) => String(tools)],
    ["queries", 9, ({ queries }) => String(queries)],
    ["with parameters", 17, ({ told }) => percent(told)],
    ["named", 8, ({ named }) => percent(named)],
    ["no tool", 9, ({ nothing }) => percent(nothing)],
    ["tokens", 9, ({ tokens }) => tokens.mean.toFixed(0)],
    ["p95", 7, ({ tokens }) => tokens.p95.toFixed(0)],
  ];
  const line = (title, cells) => console.log(short(title, WIDE) + cells.join(""));
  console.log(`\n${bold("The gateway's first answer")}`);
  line(
    "",
    columns.map(([name, width]) => name.padStart(width)),
  );
  for (const row of rows)
    line(
      row.set,
      columns.map(([, width, cell]) => cell(row).padStart(width)),
    );
  console.log(dim("\nWith parameters: share of needs whose tool the answer describes; named: describes or names."));
}

/** Differences to another run, in points, with their intervals. */
export function printComparison(compared, sets, labels, path) {
  console.log(bold(`\nAgainst ${path}: points of difference, [95 % interval] of a paired bootstrap`));
  console.log(dim("".padEnd(26) + COMPARED.map((key) => `${key}: before   now   difference`.padStart(46)).join("")));
  const cell = (difference) => interval(difference).padStart(25);
  const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  for (const { ranker, formerly = labels[ranker], now, then, qualities } of compared) {
    console.log(formerly === labels[ranker] ? formerly : `${labels[ranker]}, before: ${formerly}`);
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
export function printNames(tables, labels) {
  const spellings = [...new Set(tables.flatMap(({ spelling }) => Object.keys(spelling)))];
  for (const { title, spelling, rankers } of tables) {
    console.log(`\n${bold(title)}`);
    console.log(dim(" ".repeat(LABEL) + spellings.map((name) => name.padStart(15)).join("")));
    const cell = (recall) => (recall === undefined ? "" : percent(recall)).padStart(15);
    for (const ranker of rankers) {
      console.log(short(labels[ranker], LABEL) + spellings.map((name) => cell(spelling[name]?.[ranker])).join(""));
    }
  }
  console.log(
    dim("\nExact names as queries: recall@1 in percent. All but `as is` are spelled without the server's prefix."),
  );
}
