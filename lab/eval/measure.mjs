/** Measures one ranker on one set: runs every query once, and some queries again to take the time. */

import { isAnswered, loadingOf } from "./loading.mjs";
import { mean, meanQualities, measure, needsOf, percentile } from "./metrics.mjs";

/** The depth of recall and nDCG, and about the number of hits that a model sees. */
const SHOWN = 10;
/** The depth of the search for the first relevant tool. A lower rank adds less than 0.01 to the reciprocal rank. */
const DEEP = 100;
/** The number of timed queries, spread over the set, because some rankers are slow. */
const TIMED = 50;

/**
 * Runs the queries of a set with indexes from `from` to before `to`. Returns the names found for each, best first: ten
 * names, or more up to the first relevant one, so that every measure can be computed from them. Also returns the number of
 * failed searches, the measured times, and, if the ranker loads tools, the tools that a search of the model loads. The first
 * part also counts loads for requests that no tool of the set serves. With `isBrief`, it finds ten names, without times and
 * loads.
 */
export async function askRanker(ranker, set, from, to, isBrief) {
  const { tools, queries, unserved } = set;
  const index = await ranker.index(tools, set);
  try {
    let errors = 0;
    const ranked = [];
    for (const query of queries.slice(from, to)) {
      const { names, failed } = await search(index, query, isBrief);
      if (failed) errors += 1;
      ranked.push(names.slice(0, Math.max(SHOWN, firstRelevant(names, query) + 1)));
    }
    if (isBrief) return { ranked, errors, times: [] };
    const loads = index.load && queries.slice(from, to).map(({ query }) => index.load(query));
    const step = Math.ceil(queries.length / TIMED);
    const timed = queries.slice(from, to).filter((_, at) => (from + at) % step === 0);
    const times = [];
    for (const { query } of timed) times.push(await timeOf(index, query));
    const asked = index.load && from === 0 ? unserved : [];
    const vain = asked.filter((query) => index.load(query).names.length > 0).length;
    return { ranked, errors, times, loads, vain };
  } finally {
    index.dispose?.();
  }
}

/** Returns the means over the queries of a set. Brief results have no times and no MRR. */
export function summaryOf({ ranked, errors, times, loads, vain }, { queries, unserved = [] }, isBrief) {
  const { mrr, ...qualities } = meanQualities(ranked.map((names, at) => measure(names, queries[at])));
  return {
    queries: queries.length,
    ...qualities,
    ...(isBrief ? {} : { mrr }),
    empty: mean(ranked.map((names) => (names.length === 0 ? 1 : 0))),
    errors,
    ...(isBrief ? {} : { ms: percentile(times, 0.5), msP95: percentile(times, 0.95) }),
    ...(loads && { loading: loadingOf(loads, queries) }),
    ...(loads && unserved.length > 0 && { vain: vain / unserved.length }),
  };
}

/**
 * Returns figures for each kind of queries: their number, recall@1, recall@5, and the share that the loaded tools answer.
 */
export function kindsOf({ ranked, loads }, { queries }) {
  const kinds = new Set(queries.flatMap(({ kind }) => kind ?? []));
  const figures = [...kinds].map((kind) => {
    const own = queries.flatMap((query, at) => (query.kind === kind ? [at] : []));
    const qualities = meanQualities(own.map((at) => measure(ranked[at], queries[at])));
    const answered = loads && mean(own.map((at) => Number(isAnswered(loads[at].names, needsOf(queries[at])))));
    const { "recall@1": first, "recall@5": five } = qualities;
    return [kind, { queries: own.length, "recall@1": first, "recall@5": five, ...(loads && { answered }) }];
  });
  return Object.fromEntries(figures);
}

/**
 * Runs one search. A failed search has no hits, as for the model. If the first hits contain no relevant tool, searches again
 * for more hits.
 */
async function search(index, query, isBrief) {
  try {
    const first = await index.search(query.query, SHOWN);
    const isEnough = isBrief || firstRelevant(first, query) >= 0 || (first.length < SHOWN && !index.ranksByCount);
    if (isEnough) return { names: first, failed: false };
    // If a ranker's order depends on the number of hits, the first ten hits of the short search stay first.
    const kept = index.ranksByCount ? first : [];
    return { names: [...new Set([...kept, ...(await index.search(query.query, DEEP))])], failed: false };
  } catch {
    return { names: [], failed: true };
  }
}

/** Returns the index of the first relevant tool among the names, or -1. */
function firstRelevant(names, query) {
  const relevant = new Set(needsOf(query).flat());
  return names.findIndex((name) => relevant.has(name));
}

/** Returns the time of one search in ms. A failed search counts too. */
async function timeOf(index, query) {
  const begin = performance.now();
  try {
    await index.search(query, SHOWN);
  } catch {
    // The error was counted already when the query was measured.
  }
  return performance.now() - begin;
}

const keysOfAll = ([first, ...others]) => Object.keys(first).filter((key) => others.every((other) => key in other));

/** Returns the unweighted mean over sets. Errors and queries are summed. */
export function macroOf(summaries) {
  const counted = new Set(["queries", "errors"]);
  return Object.fromEntries(
    keysOfAll(summaries).map((key) => {
      const values = summaries.map((summary) => summary[key]);
      if (key === "loading") return [key, macroOf(values)];
      return [key, counted.has(key) ? values.reduce((a, b) => a + b, 0) : mean(values)];
    }),
  );
}
