/**
 * Measures whether the `sift` ranker notices that it cannot answer a query: each set gets its own queries and queries of the
 * other sets.
 */

import { mean, measure, needsOf } from "./metrics.mjs";
import { ownRanker } from "./ours.mjs";
import { shuffled } from "./random.mjs";

/** The only ranker with a confidence. */
const RANKER = "sift";
/** The number of queries from each other set. */
const FOREIGN = 200;
const SEED = "foreign queries";
/** The number of hits that a model reads. A refusal does harm if the right tool is among them. */
const FIRST = 5;

/** The figures with a mean over sets. */
const FIGURES = ["auc", "declined", "declinedOfFound", "declinedOfForeign"];

/** The levels of confidence, highest first. */
export const LEVELS = ["high", "low", "none"];

/**
 * Returns each set with its queries: its own queries that one of its tools answers, and some queries of each other set whose
 * relevant tools it does not have. These have the name of the other set as `foreign`.
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

/** Returns the hits and the confidence for some queries of a set. A failed search has no hits. */
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

/** Computes the figures for each set, their means, and for each confidence the figures over all answerable queries. */
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

/** Returns the certainty of a result. A query that names a tool is certain and has no `overChance`. */
const sureness = ({ overChance }) => overChance ?? Infinity;

function levelsOf(rows) {
  const of = (level) => {
    const own = rows.filter(({ confidence }) => confidence === level);
    const recall = (key) => mean(own.map(({ quality }) => quality[key]));
    return { queries: own.length, "recall@1": recall("recall@1"), "recall@5": recall("recall@5") };
  };
  return Object.fromEntries(LEVELS.map((level) => [level, of(level)]));
}

/**
 * Computes the AUC: the probability that a number of the first list is above one of the second. Equal numbers count half.
 */
export function auc(above, below) {
  const sorted = [...below].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  /** Counts the sorted numbers before the first one for which `holds` returns false. */
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
