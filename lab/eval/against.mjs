/** Compares with an earlier run: reads its ranked lists from a file and measures them with the current labels. */

import { readFileSync } from "node:fs";
import { Problem } from "../../scripts/lib/run.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { meanQualities, measure } from "./metrics.mjs";

/** The compared measures. */
export const COMPARED = ["recall@5", "ndcg@10"];

/** Reads the ranked lists in a file that `--json` wrote, by set and ranker, and the labels of the rankers. */
export function readResults(path) {
  let content;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Problem(`${path} cannot be read as results: ${error.message}`);
  }
  const isResult = (one) =>
    typeof one?.set === "string" && typeof one.ranker === "string" && "id" in one && Array.isArray(one.ranked);
  if (!Array.isArray(content?.results) || !content.results.every(isResult)) {
    throw new Problem(`${path} holds no results: it must be what --json wrote`);
  }
  const sets = new Map();
  for (const result of content.results) {
    if (!sets.has(result.set)) sets.set(result.set, new Map());
    const rankers = sets.get(result.set);
    if (!rankers.has(result.ranker)) rankers.set(result.ranker, []);
    rankers.get(result.ranker).push(result);
  }
  return { sets, labels: content.summary?.labels ?? {} };
}

/** Returns the rankers that can be compared. Throws if there is none, or if the file has other queries. */
export function comparable({ sets: before }, sets, rankers, path) {
  for (const { name, queries } of sets) {
    if (!before.has(name)) throw new Problem(`${path} has no results on the set ${JSON.stringify(name)}`);
    for (const [ranker, results] of before.get(name)) {
      const same = results.length === queries.length && results.every(({ id }, at) => id === queries[at].id);
      if (!same) throw new Problem(`${path} is of other queries on the set ${JSON.stringify(name)} (${ranker})`);
    }
  }
  const common = rankers.filter((ranker) => sets.every(({ name }) => before.get(name).has(ranker)));
  if (common.length === 0) throw new Problem(`${path} has results of none of ${rankers.join(", ")} on every set`);
  return common;
}

/**
 * Returns the difference of each compared measure, for each ranker in both runs, by set and as mean over sets. `formerly` is
 * the ranker's label in the other run, if there is one.
 */
export function compare({ sets: before, labels }, sets, rankers, rankedOf) {
  return rankers.map((ranker) => {
    const now = sets.map(({ name }) => rankedOf(name, ranker));
    const then = sets.map(({ name }) =>
      before
        .get(name)
        .get(ranker)
        .map(({ ranked }) => ranked),
    );
    return { ranker, formerly: labels[ranker], ...difference(sets, now, then, COMPARED) };
  });
}

/** Compares two runs on the same sets: returns the means of both for each set, and the differences of the given measures. */
export function difference(sets, now, then, keys) {
  const measured = sets.map(({ queries }, at) => {
    const [after, before] = [now, then].map((run) => run[at].map((names, query) => measure(names, queries[query])));
    // Queries without a relevant tool have no measures in either run.
    const pairs = after.map((quality, query) => [quality, before[query]]).filter(([quality]) => quality !== null);
    return { now: meanQualities(after), then: meanQualities(before), pairs };
  });
  const of = (key) => bootstrap(measured.map(({ pairs }) => pairs.map(([now, then]) => now[key] - then[key])));
  return {
    now: measured.map(({ now }) => now),
    then: measured.map(({ then }) => then),
    qualities: Object.fromEntries(keys.map((key) => [key, of(key)])),
  };
}
