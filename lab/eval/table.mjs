/** Prints tables within 120 columns, the best ranker first. */

import { cells, cut, fit, heads, right } from "../lib/columns.mjs";
import { bold, dim } from "../../scripts/lib/progress.mjs";
import { FULL, JUDGED } from "./ablation.mjs";
import { COMPARED } from "./against.mjs";
import { LEVELS } from "./confidence.mjs";
import { DEPTHS, mean } from "./metrics.mjs";

const NAME = 18;
/** The width of a column for rankers and their labels, such as `pydantic-ai (our reading)`. */
const LABEL = 26;
/** The width of a column for names of sets and of ablated rankers. */
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

function table(title, rows) {
  console.log(`\n${bold(title)}`);
  console.log(" ".repeat(LABEL) + heads(COLUMNS));
  for (const [label, summary] of rows) console.log(fit(label, LABEL) + cells(COLUMNS, summary));
}

/** Prints the means over sets, then each set, all in the order of mean recall@5. */
export function printSummary({ sets, macro, labels }) {
  const order = Object.keys(macro).sort((a, b) => macro[b]["recall@5"] - macro[a]["recall@5"]);
  const inOrder = (summaries) => order.map((ranker) => [labels[ranker], summaries[ranker]]);
  table(meanTitle(sets), inOrder(macro));
  for (const { set, tools, queries, notes, rankers } of sets) {
    table(`${cut(set, 60)}: ${tools} tools, ${queries} queries`, inOrder(rankers));
    for (const note of notes) console.log(dim(cut(`  ${note}`, WIDTH)));
  }
  printLoading(sets, macro);
  console.log(dim("\nAll but errors and times in percent. Times: of 50 queries for ten tools each, the median and 95 %."));
}

const meanTitle = (sets) => {
  const { length } = sets.filter(({ isOwn }) => !isOwn);
  return `Mean over ${length} ${length === 1 ? "set" : "sets"}`;
};

/** Prints recall@1 / recall@5 for each kind of queries, and the share that the loaded tools answer, for sets with kinds. */
export function printKinds({ sets, labels }) {
  for (const { set, kinds } of sets.filter(({ kinds }) => kinds !== undefined)) {
    console.log(`\n${bold(`${cut(set, 60)}, by kind: recall@1 / recall@5, answered by what is loaded`)}`);
    const columns = Object.entries(Object.values(kinds)[0]).map(([kind, { queries }]) => [kind, `${kind} (${queries})`]);
    const titles = columns.map(([, head]) => cut(head, 18));
    console.log(dim(" ".repeat(LABEL) + right(titles, 18)));
    for (const [ranker, of] of Object.entries(kinds)) {
      const shown = columns.map(([kind]) => {
        const { "recall@1": first, "recall@5": five, answered } = of[kind];
        return `${percent(first)} / ${percent(five)}${answered === undefined ? "" : ` ${percent(answered)}`}`;
      });
      console.log(fit(labels[ranker], LABEL) + right(shown, 18));
    }
  }
}

/** Prints figures about the tools that the model's first search loads: the means, then each set. */
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
  console.log(" ".repeat(NAME + WIDE) + heads(columns));
  for (const { set, rankers: of } of [{ set: meanTitle(sets).toLowerCase(), rankers: macro }, ...sets]) {
    for (const ranker of rankers) {
      console.log(fit(ranker, NAME) + fit(set, WIDE) + cells(columns, of[ranker].loading));
    }
  }
  console.log(dim(LOADING));
}

const LOADING = `
In percent, but tokens. Searches that load anything; right: of these, those that load a tool that is needed;
precision: of the tools loaded, those that are needed; tokens: of what a search loads; answered: every need is met
without a second search.`;

const interval = ({ mean, low, high }) => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;

/** Prints a row of figures in columns of the same width. */
const row = (title, figures, width) => console.log(fit(title, WIDE) + right(figures, width));
const head = (titles, width) => console.log(dim(" ".repeat(WIDE) + right(titles, width)));

/** Prints the loss without each part of the ranker, as mean over sets, then for each set. */
export function printAblation({ sets, macro }, ablation) {
  const title = `Mean over ${sets.length} ${sets.length === 1 ? "set" : "sets"}`;
  const ofKeys = (value, width) => right(JUDGED.map(value), width);
  console.log(`\n${bold(`${title}: points of difference to the whole ranker, [95 % interval] of a paired bootstrap`)}`);
  head(JUDGED, 30);
  console.log(fit(FULL, WIDE) + ofKeys((key) => percent(macro[FULL][key]), 30));
  for (const { ranker, qualities } of ablation) {
    console.log(fit(ranker, WIDE) + ofKeys((key) => interval(qualities[key].macro), 30));
  }
  const chosen = ablation.filter(({ leftOut }) => leftOut !== undefined);
  if (chosen.length > 0) {
    console.log(`\n${bold("Points gained on a set left out, where the other sets say whether it is kept")}`);
    head(JUDGED, 12);
  }
  for (const { ranker, leftOut, stays } of chosen) {
    console.log(`${fit(ranker, WIDE)}${ofKeys((key) => signed(leftOut[key]), 12)}   ${stays ? "stays" : "goes"}`);
  }
  console.log(`\n${bold("Per set: points of difference in recall@5")}`);
  const names = sets.map(({ set }) => cut(set, NAME - 1));
  head(names, NAME);
  const whole = sets.map(({ rankers }) => percent(rankers[FULL]["recall@5"]));
  row(FULL, whole, NAME);
  for (const { ranker, qualities } of ablation) {
    const lost = qualities["recall@5"].sets.map(({ mean }) => signed(mean));
    row(ranker, lost, NAME);
  }
}

/** Prints how well a set's own queries are distinguished from those of other sets, and the figures of each confidence. */
export function printConfidence({ sets, macro, levels }) {
  const count = (key) => [key, 12, (figures) => String(figures[key] ?? "")];
  const columns = [
    count("answerable"),
    count("foreign"),
    ["AUC", 9, ({ auc }) => auc.toFixed(3)],
    ["declined", 11, (figures) => percent(figures.declined)],
    ["of these found", 17, (figures) => percent(figures.declinedOfFound)],
    ["foreign declined", 19, (figures) => percent(figures.declinedOfForeign)],
  ];
  console.log(`\n${bold("Queries that a set answers, and foreign ones of the other sets")}`);
  console.log(" ".repeat(WIDE) + heads(columns));
  for (const figures of [{ set: `mean over ${sets.length} sets`, ...macro }, ...sets]) {
    console.log(fit(figures.set, WIDE) + cells(columns, figures));
  }
  console.log(`\n${bold("What a confidence is worth: queries that the set answers, recall@1, recall@5")}`);
  head(LEVELS, 29);
  for (const { set, levels: of } of [{ set: "all queries", levels }, ...sets]) {
    const worth = LEVELS.map((level) => {
      const { queries, ...recall } = of[level];
      const shares = ["recall@1", "recall@5"].map((key) => (queries === 0 ? "–" : percent(recall[key])));
      return right([queries, ...shares], [9, 10, 10]);
    });
    row(set, worth, 29);
  }
  console.log(dim(FOOTER));
}

const FOOTER = `
All but AUC and counts in percent. AUC: how likely a query that the set answers is further above chance than a foreign
one. Of these found: the share declined of those with a right tool among the first five. Sets overlap in subject, so
that some foreign queries can be answered after all: AUC and the share of them declined are lower bounds.`;

/** Prints the figures of the gateway's first answers for each set. */
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
  console.log(`\n${bold("The gateway's first answer")}\n${" ".repeat(WIDE)}${heads(columns)}`);
  for (const figures of rows) console.log(fit(figures.set, WIDE) + cells(columns, figures));
  console.log(dim("\nWith parameters: share of needs whose tool the answer describes; named: describes or names."));
}

/** Prints the figures of tools loaded before the first request, with and without packs. */
export function printAhead(rows) {
  const shares = (key) => (row) => `${percent(row[key].anything)} ${percent(row[key].needed).padStart(6)}`;
  const columns = [
    ["messages", 10, ({ messages }) => String(messages)],
    ["bare: anything, all", 21, shares("bare")],
    ["packs: anything, all", 22, shares("packs")],
  ];
  console.log(`\n${bold("Loaded ahead of the first request")}\n${" ".repeat(2 * WIDE)}${heads(columns)}`);
  for (const row of rows) console.log(fit(row.of, 2 * WIDE) + cells(columns, row));
  console.log(dim("\nIn percent. Anything: messages for which something is loaded; all: with all that the request needs."));
}

/** Prints the differences to another run in percentage points, with their confidence intervals. */
export function printComparison(compared, sets, labels, path) {
  console.log(bold(`\nAgainst ${path}: points of difference, [95 % interval] of a paired bootstrap`));
  const titles = COMPARED.map((key) => `${key}: before   now   difference`);
  console.log(dim(" ".repeat(LABEL) + right(titles, 46)));
  for (const { ranker, formerly = labels[ranker], now, then, qualities } of compared) {
    console.log(formerly === labels[ranker] ? formerly : `${labels[ranker]}, before: ${formerly}`);
    const line = (title, values) => {
      const shown = COMPARED.map(values).map(([before, after, difference]) =>
        right([percent(before), percent(after), interval(difference)], [14, 7, 25]),
      );
      console.log(fit(`  ${title}`, LABEL) + shown.join(""));
    };
    const macro = (key) => [then, now].map((sets) => mean(sets.map((qualities) => qualities[key])));
    line("mean over sets", (key) => [...macro(key), qualities[key].macro]);
    sets.forEach(({ name }, at) => line(name, (key) => [then[at][key], now[at][key], qualities[key].sets[at]]));
  }
}

/** Prints recall@1 of names by spelling, the mean over sets first. */
export function printNames(tables, labels) {
  const spellings = [...new Set(tables.flatMap(({ spelling }) => Object.keys(spelling)))];
  for (const { title, spelling, rankers } of tables) {
    console.log(`\n${bold(title)}`);
    console.log(dim(" ".repeat(LABEL) + right(spellings, 15)));
    for (const ranker of rankers) {
      const recall = spellings.map((name) => spelling[name]?.[ranker]);
      console.log(
        fit(labels[ranker], LABEL) +
          right(
            recall.map((one) => (one === undefined ? "" : percent(one))),
            15,
          ),
      );
    }
  }
  console.log(
    dim("\nExact names as queries: recall@1 in percent. All but `as is` are spelled without the server's prefix."),
  );
}
