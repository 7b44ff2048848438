/** Prints the tables of the measurement, the best ranker first. */

import { table } from "../lib/columns.mjs";
import { dim } from "../../scripts/lib/progress.mjs";
import { FULL, JUDGED } from "./ablation.mjs";
import { COMPARED } from "./against.mjs";
import { LEVELS } from "./confidence.mjs";
import { DEPTHS, mean } from "./metrics.mjs";

const percent = (value) => (100 * value).toFixed(1);
const milliseconds = (value) => (value < 10 ? value.toFixed(3) : value.toFixed(1));
const signed = (value) => (value >= 0 ? "+" : "") + percent(value);
const interval = ({ mean, low, high }) => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
/** Returns a column of shares in percent. */
const share = (head, key = head) => [head, (figures) => percent(figures[key])];

const COLUMNS = [
  ...DEPTHS.map((depth) => share(`recall@${depth}`)),
  share("nDCG@10", "ndcg@10"),
  share("MRR", "mrr"),
  share("empty"),
  ["errors", ({ errors }) => errors],
  ["ms/query", ({ ms }) => milliseconds(ms)],
  ["95 % below", ({ msP95 }) => milliseconds(msP95)],
];

const meanTitle = (sets) => {
  const { length } = sets.filter(({ isOwn }) => !isOwn);
  return `Mean over ${length} ${length === 1 ? "set" : "sets"}`;
};

/** Prints the means over sets, then each set, all in the order of mean recall@5. */
export function printSummary({ sets, macro, labels }) {
  const order = Object.keys(macro).sort((a, b) => macro[b]["recall@5"] - macro[a]["recall@5"]);
  const inOrder = (summaries) => order.map((ranker) => [labels[ranker], summaries[ranker]]);
  table(meanTitle(sets), COLUMNS, inOrder(macro));
  for (const { set, tools, queries, notes, rankers } of sets) {
    table(`${set}: ${tools} tools, ${queries} queries`, COLUMNS, inOrder(rankers));
    for (const note of notes) console.log(dim(`  ${note}`));
  }
  printLoading(sets, macro);
  console.log(dim("\nAll but errors and times in percent. Times: of 50 queries for ten tools each, the median and 95 %."));
}

/** Prints recall@1 / recall@5 for each kind of queries, and the share that the loaded tools answer, for sets with kinds. */
export function printKinds({ sets, labels }) {
  for (const { set, kinds } of sets.filter(({ kinds }) => kinds !== undefined)) {
    const columns = Object.entries(Object.values(kinds)[0]).map(([kind, { queries }]) => [
      `${kind} (${queries})`,
      (of) => {
        const { "recall@1": first, "recall@5": five, answered } = of[kind];
        return `${percent(first)} / ${percent(five)}${answered === undefined ? "" : ` ${percent(answered)}`}`;
      },
    ]);
    const rows = Object.entries(kinds).map(([ranker, of]) => [labels[ranker], of]);
    table(`${set}, by kind: recall@1 / recall@5, answered by what is loaded`, columns, rows);
  }
}

/** Prints figures about the tools that the model's first search loads: the means, then each set. */
function printLoading(sets, macro) {
  const rankers = Object.keys(macro).filter((ranker) => macro[ranker].loading);
  if (rankers.length === 0) return;
  const columns = [
    ...["searches", "right", "precision"].map((key) => share(key)),
    ["tokens", ({ tokens }) => tokens.toFixed(0)],
    share("answered"),
  ];
  const all = [{ set: meanTitle(sets).toLowerCase(), rankers: macro }, ...sets];
  const rows = all.flatMap(({ set, rankers: of }) => rankers.map((ranker) => [`${ranker}, ${set}`, of[ranker].loading]));
  table("What the first search loads unasked", columns, rows);
  console.log(
    dim(`
In percent, but tokens. Searches that load anything; right: of these, those that load a tool that is needed;
precision: of the tools loaded, those that are needed; tokens: of what a search loads; answered: every need is met
without a second search.`),
  );
}

/** Prints the loss without each part of the ranker, as mean over sets, then for each set. */
export function printAblation({ sets, macro }, ablation) {
  const whole = [FULL, undefined];
  const rows = ablation.map((row) => [row.ranker, row]);
  const lost = JUDGED.map((key) => [key, (row) => (row ? interval(row.qualities[key].macro) : percent(macro[FULL][key]))]);
  const title = `${meanTitle(sets)}: points of difference to the whole ranker, [95 % interval] of a paired bootstrap`;
  table(title, lost, [whole, ...rows]);
  const chosen = rows.filter(([, { leftOut }]) => leftOut !== undefined);
  if (chosen.length > 0) {
    const gained = JUDGED.map((key) => [key, ({ leftOut }) => signed(leftOut[key])]);
    const columns = [...gained, ["", ({ stays }) => (stays ? "stays" : "goes")]];
    table("Points gained on a set left out, where the other sets say whether it is kept", columns, chosen);
  }
  const ofSets = sets.map(({ set, rankers }, at) => [
    set,
    (row) => (row ? signed(row.qualities["recall@5"].sets[at].mean) : percent(rankers[FULL]["recall@5"])),
  ]);
  table("Per set: points of difference in recall@5", ofSets, [whole, ...rows]);
}

/** Prints how well a set's own queries are distinguished from those of other sets, and the figures of each confidence. */
export function printConfidence({ sets, macro, levels }) {
  const columns = [
    ...["answerable", "foreign"].map((key) => [key, (figures) => figures[key]]),
    ["AUC", ({ auc }) => auc.toFixed(3)],
    share("declined"),
    share("of these found", "declinedOfFound"),
    share("foreign declined", "declinedOfForeign"),
  ];
  const mean = [`mean over ${sets.length} sets`, macro];
  const rows = sets.map((figures) => [figures.set, figures]);
  table("Queries that a set answers, and foreign ones of the other sets", columns, [mean, ...rows]);
  const worth = LEVELS.flatMap((level) => [
    [level, (of) => of[level].queries],
    ...["recall@1", "recall@5"].map((key) => [key, (of) => (of[level].queries === 0 ? "–" : percent(of[level][key]))]),
  ]);
  const all = [["all queries", levels], ...sets.map(({ set, levels }) => [set, levels])];
  table("What a confidence is worth: queries that the set answers, recall@1, recall@5", worth, all);
  console.log(
    dim(`
All but AUC and counts in percent. AUC: how likely a query that the set answers is further above chance than a foreign
one. Of these found: the share declined of those with a right tool among the first five. Sets overlap in subject, so
that some foreign queries can be answered after all: AUC and the share of them declined are lower bounds.`),
  );
}

/** Prints the figures of the gateway's first answers for each set. */
export function printAnswers(rows) {
  const columns = [
    ["tools", ({ tools }) => tools],
    ["queries", ({ queries }) => queries],
    share("with parameters", "told"),
    share("named"),
    share("no tool", "nothing"),
    ["tokens", ({ tokens }) => tokens.mean.toFixed(0)],
    ["p95", ({ tokens }) => tokens.p95.toFixed(0)],
  ];
  const ofSets = rows.map((figures) => [figures.set, figures]);
  table("The gateway's first answer", columns, ofSets);
  console.log(dim("\nWith parameters: share of needs whose tool the answer describes; named: describes or names."));
}

/** Prints the figures of tools loaded before the first request, with and without packs. */
export function printAhead(rows) {
  const shares = ["bare", "packs"].flatMap((of) => [
    [`${of}: anything`, (row) => percent(row[of].anything)],
    ["all", (row) => percent(row[of].needed)],
  ]);
  const ofGroups = rows.map((row) => [row.of, row]);
  table("Loaded ahead of the first request", [["messages", ({ messages }) => messages], ...shares], ofGroups);
  console.log(dim("\nIn percent. Anything: messages for which something is loaded; all: with all that the request needs."));
}

/** Prints the differences to another run in percentage points, with their confidence intervals. */
export function printComparison(compared, sets, labels, path) {
  for (const { ranker, formerly = labels[ranker], now, then, qualities } of compared) {
    const columns = COMPARED.flatMap((key) => [
      [`${key}: before`, ({ before }) => percent(before[key])],
      ["now", ({ after }) => percent(after[key])],
      ["difference", ({ differenceOf }) => interval(differenceOf(qualities[key]))],
    ]);
    const macro = (run) => Object.fromEntries(COMPARED.map((key) => [key, mean(run.map((one) => one[key]))]));
    const all = { before: macro(then), after: macro(now), differenceOf: (one) => one.macro };
    const each = sets.map(({ name }, at) => [
      name,
      { before: then[at], after: now[at], differenceOf: (one) => one.sets[at] },
    ]);
    const title = formerly === labels[ranker] ? formerly : `${labels[ranker]}, before: ${formerly}`;
    table(`${title}, against ${path}`, columns, [["mean over sets", all], ...each]);
  }
  console.log(dim("\nPoints of difference, [95 % interval] of a paired bootstrap."));
}

/** Prints recall@1 of names by spelling, the mean over sets first. */
export function printNames(tables, labels) {
  const spellings = [...new Set(tables.flatMap(({ spelling }) => Object.keys(spelling)))];
  for (const { title, spelling, rankers } of tables) {
    const columns = spellings.map((name) => [
      name,
      (ranker) => (spelling[name]?.[ranker] === undefined ? "" : percent(spelling[name][ranker])),
    ]);
    const rows = rankers.map((ranker) => [labels[ranker], ranker]);
    table(title, columns, rows);
  }
  console.log(
    dim("\nExact names as queries: recall@1 in percent. All but `as is` are spelled without the server's prefix."),
  );
}
