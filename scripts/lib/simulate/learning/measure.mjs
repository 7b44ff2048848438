/** Measures what learning gains: the half of the queries that nothing was learned from, with and without it. */

import { bootstrap } from "../../eval/bootstrap.mjs";
import { mean, measure } from "../../eval/metrics.mjs";
import { exported, halves, NOISES, VOLUMES } from "./learn.mjs";
import { definitionsOf } from "./register.mjs";

/** The qualities that are compared. */
export const QUALITIES = ["recall@1", "recall@5"];
const HITS = 10;

/**
 * For each noise and volume `{ noise, volume, sets, macro }`: of each set how many `words` of how many `tools` were exported
 * on the mean, and each quality `without` and with learning as a difference with its interval.
 */
export function measureLearning({ ToolSift, learner }, sets, { splits, first = 0, options }) {
  const rows = NOISES.flatMap((noise) => VOLUMES.map((volume) => ({ noise, volume, seen: sets.map(() => emptySeen()) })));
  for (const [place, { tools, queries, sessions }] of sets.entries()) {
    const plain = queries.map(rankWith(ToolSift, tools));
    for (let seed = first; seed < first + splits; seed++) {
      const { learned, asked } = halves(queries.length, seed);
      for (const { noise, volume, seen } of rows) {
        const entries = exported(
          learner,
          tools,
          learned.map((at) => sessions[at]),
          { volume, noise, seed, options },
        );
        const rank = entries.length === 0 ? undefined : rankWith(ToolSift, tools, entries);
        note(
          seen[place],
          entries,
          asked.map((at) => ({ at, before: plain[at], after: rank?.(queries[at]) ?? plain[at] })),
        );
      }
    }
  }
  return rows.map(({ noise, volume, seen }) => ({ noise, volume, ...compared(seen, sets, splits) }));
}

const emptySeen = () => ({ words: 0, tools: 0, asked: new Map() });

/** Measures queries over the tools of a set. Nothing holds the core after that, so that it is collected. */
function rankWith(ToolSift, tools, enrichment) {
  const sift = new ToolSift({ search: { universe: "all" }, limits: { tools: Math.max(tools.length, 1) } });
  const own = new Map(definitionsOf(sift, tools, enrichment).map(({ modelName, tool }) => [modelName, tool.name]));
  return (query) => {
    const { hits } = sift.search(query.query, { limit: HITS });
    return measure(
      hits.map(({ name }) => own.get(name)),
      query,
    );
  };
}

function note(seen, entries, asked) {
  seen.tools += entries.length;
  seen.words += entries.reduce((sum, { keywords }) => sum + keywords.length, 0);
  for (const { at, before, after } of asked) {
    if (before === null) continue;
    const all = seen.asked.get(at) ?? { before, after: [] };
    all.after.push(after);
    seen.asked.set(at, all);
  }
}

/** The differences of queries, each as its mean over the splits in which it was asked. */
function compared(seen, sets, splits) {
  const asked = seen.map((one) => [...one.asked.values()]);
  const differences = (key) =>
    asked.map((all) => all.map(({ before, after }) => mean(after.map((one) => one[key] - before[key]))));
  const found = QUALITIES.map((key) => [key, bootstrap(differences(key))]);
  return {
    sets: sets.map(({ name }, place) => ({
      name,
      words: seen[place].words / splits,
      tools: seen[place].tools / splits,
      without: Object.fromEntries(QUALITIES.map((key) => [key, mean(asked[place].map(({ before }) => before[key]))])),
      gain: Object.fromEntries(found.map(([key, { sets: all }]) => [key, all[place]])),
    })),
    macro: Object.fromEntries(found.map(([key, { macro }]) => [key, macro])),
  };
}
