/**
 * Measures the gain of each part of the `sift` ranker: the full ranker is compared with the ranker without the part, also on
 * a set that was not used to choose the part.
 */

import { difference } from "./against.mjs";
import { mean } from "./metrics.mjs";
import { ownRanker } from "./ours.mjs";

/** The name of the full ranker. */
export const FULL = "sift";
const BARE = "bare";
/** A name that no part of the ranker has. */
const NOBODY = "?????";

/** The compared measures. */
const ABLATED = ["recall@1", "recall@5", "ndcg@10"];
/** The measures that decide whether a part stays in the ranker. */
export const JUDGED = ["recall@1", "recall@5"];
/** The least gain of a part in one of these measures, on sets that were not used to choose it. */
const LEAST = 0.003;

/** Returns the full ranker, the ranker without each of its parts, and the ranker without all parts. */
export function ablated(ToolSift) {
  const ingredients = ingredientsOf(ToolSift);
  return [
    ownRanker(ToolSift, FULL, FULL, {}),
    ...ingredients.map((name) => ownRanker(ToolSift, FULL, `without ${name}`, { without: [name] })),
    ownRanker(ToolSift, FULL, BARE, { without: ingredients }),
  ];
}

/** Returns the names of the parts, from the error message about an unknown part. So new parts are measured automatically. */
function ingredientsOf(ToolSift) {
  try {
    new ToolSift({ profile: FULL, search: { without: [NOBODY] } }).dispose();
  } catch (error) {
    const [, list] = /must be one of ([a-z, -]+)/.exec(error.message) ?? [];
    if (list !== undefined) return list.split(",").map((name) => name.trim());
    throw error;
  }
  throw new Error(`the core takes ${NOBODY} for an ingredient`);
}

/**
 * Computes the cross-validated gain of a part, as mean over sets. Each set is left out in turn. If the mean gain on the
 * other sets is high enough to keep the part, its gain on the left-out set counts.
 */
export function gainLeftOut(gains) {
  const others = (out) => gains.filter((_, at) => at !== out);
  return mean(gains.map((gain, out) => (mean(others(out)) > 0 ? gain : 0)));
}

/**
 * Compares each ranker with the full one, the largest loss first and the ranker without all parts last. With several sets,
 * each row also has `leftOut`, the cross-validated gain of the missing part, and `stays`, whether the part stays.
 */
export function ablationOf(sets, rankers, rankedOf) {
  const full = sets.map(({ name }) => rankedOf(name, FULL));
  const rows = rankers
    .filter((ranker) => ranker !== FULL)
    .map((ranker) => {
      const without = sets.map(({ name }) => rankedOf(name, ranker));
      return judged({ ranker, ...difference(sets, without, full, ABLATED) });
    });
  const missed = ({ ranker, qualities }) => (ranker === BARE ? Infinity : qualities["recall@5"].macro.mean);
  return rows.sort((a, b) => (missed(a) < missed(b) ? -1 : 1));
}

function judged(row) {
  const gains = (key) => row.qualities[key].sets.map(({ mean }) => -mean);
  if (gains(JUDGED[0]).length < 2) return row;
  const leftOut = Object.fromEntries(JUDGED.map((key) => [key, gainLeftOut(gains(key))]));
  return { ...row, leftOut, stays: JUDGED.some((key) => leftOut[key] >= LEAST) };
}
