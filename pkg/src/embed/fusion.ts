/** Turns similarities into scores for the core: each query is measured by itself, since every model has a scale of its own. */

import type { Scores } from "../types.js";

/** Scores of a search: on sets of up to 2,479 tools, 200 gave the figures of all. */
const MOST_SCORES = 200;

/**
 * Scores from the average tool (0) to the closest (1). Tools below the average have none. Only tools that the session may
 * find are compared, so that no score tells of others.
 */
export function scoresOf(names: readonly string[], similarities: Float64Array): Scores {
  const mean = similarities.reduce((sum, one) => sum + one, 0) / similarities.length;
  const range = similarities.reduce((most, one) => Math.max(most, one), -1) - mean;
  // All are equally close, or the query says nothing to the model.
  if (!(range > 1e-9)) return {};
  const above = names.flatMap((name, at): [string, number][] => {
    const score = (similarities[at]! - mean) / range;
    return score > 0 ? [[name, Math.min(score, 1)]] : [];
  });
  return Object.fromEntries(above.sort(([, a], [, b]) => b - a).slice(0, MOST_SCORES));
}
