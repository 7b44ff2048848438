/**
 * Measures whether the `sift` ranker notices that it cannot answer a query: each set gets its own queries and queries of the
 * other sets.
 */

import { mean, measure, needsOf } from "./metrics.mjs";
import { ownRanker } from "./ours.mjs";
import { shuffled } from "./random.mjs";

/** The only one that says how sure it is. */
const RANKER = "sift";
/** Queries taken of each other set. */
const FOREIGN = 200;
const SEED = "foreign queries";
/** How many tools a model looks at: whether the right one was among them decides if a refusal did harm. */
const FIRST = 5;

/** What has a mean over sets. */
const FIGURES = ["auc", "declined", "declinedOfFound", "declinedOfForeign"];

/** How sure the ranker can be, surest first. */
export const LEVELS = ["high", "low", "none"];

/**
 * Each set with the queries that it is asked: those of its own that one of its tools answers, and of each other set some
 * whose relevant tools it lacks, with the name of that set as `foreign`.
 */
export function askedOf(sets) {
  const samples = sets.map(({ name, queries }) =>
    shuffled(queries, SEED)
      .slice(0, FOREIGN)
      .map((query) => ({ ...query, foreign: name })),
  );
  return sets.map((set, at) => {
    const names = new Set(set.tools.map(({ name }) => name));
    const texts = new Set(set.queries.map(({ query }) => query));
    const isAnswered = (query) =>
      needsOf(query)
        .flat()
        .some((name) => names.has(name));
    const others = samples.filter((_, other) => other !== at).flat();
    const foreign = others.filter((query) => !isAnswered(query) && !texts.has(query.query));
    return { ...set, queries: [...set.queries.filter(isAnswered), ...foreign] };
  });
}

/** What the ranker finds for some of the queries of a set, and how sure it is. A search that fails finds nothing. */
export function judgeQueries(ToolSift, { tools, queries }, from, to) {
  const index = ownRanker(ToolSift, RANKER, RANKER, {}).index(tools);
  try {
    return queries.slice(from, to).map(({ query }) => {
      try {
        return index.judge(query, FIRST);
      } catch {
        return { ranked: [], confidence: "none", overChance: 0 };
      }
    });
  } finally {
    index.dispose();
  }
}

/** Per set, the mean over sets, and for each confidence all answerable queries together. */
export function confidenceOf(sets, judged) {
  const rows = sets.map(({ queries }, at) =>
    judged[at].map((verdict, place) => {
      const query = queries[place];
      return { ...verdict, foreign: query.foreign, quality: measure(verdict.ranked, query) };
    }),
  );
  const ofSets = sets.map(({ name, tools }, at) => ({ set: name, tools: tools.length, ...figuresOf(rows[at]) }));
  const own = rows.flat().filter(({ foreign }) => foreign === undefined);
  return {
    sets: ofSets,
    macro: Object.fromEntries(FIGURES.map((key) => [key, mean(ofSets.map((figures) => figures[key]))])),
    levels: levelsOf(own),
  };
}

function figuresOf(rows) {
  const own = rows.filter(({ foreign }) => foreign === undefined);
  const foreign = rows.filter(({ foreign }) => foreign !== undefined);
  const found = own.filter(({ quality }) => quality["recall@5"] > 0);
  return {
    answerable: own.length,
    foreign: foreign.length,
    auc: auc(own.map(sureness), foreign.map(sureness)),
    declined: declined(own),
    declinedOfFound: declined(found),
    declinedOfForeign: declined(foreign),
    levels: levelsOf(own),
  };
}

const declined = (rows) => mean(rows.map(({ confidence }) => (confidence === "none" ? 1 : 0)));

/** A query that names a tool is beyond doubt, and has no multiple of chance. */
const sureness = ({ overChance }) => overChance ?? Infinity;

function levelsOf(rows) {
  const of = (level) => {
    const own = rows.filter(({ confidence }) => confidence === level);
    const recall = (key) => mean(own.map(({ quality }) => quality[key]));
    return { queries: own.length, "recall@1": recall("recall@1"), "recall@5": recall("recall@5") };
  };
  return Object.fromEntries(LEVELS.map((level) => [level, of(level)]));
}

/** How likely a number of the first list is above one of the second; equals count half. */
export function auc(above, below) {
  const sorted = [...below].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  /** How many of the sorted numbers come before the first for which it does not hold any more. */
  const count = (holds) => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (holds(sorted[middle])) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const wins = above.map((number) => (count((other) => other < number) + count((other) => other <= number)) / 2);
  return sorted.length === 0 ? 0 : mean(wins) / sorted.length;
}
