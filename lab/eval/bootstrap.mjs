/** Computes the confidence interval of a difference with the paired bootstrap: queries are resampled within each set. */

import { mean, percentile } from "./metrics.mjs";
import { randomFrom } from "./random.mjs";

const RESAMPLES = 2000;
const SEED = "paired bootstrap";

/**
 * Takes the differences of all queries, by set. Returns the mean difference with its 95 % interval for each set, and for the
 * mean over sets: `{ sets: [{ mean, low, high }], macro }`.
 */
export function bootstrap(differences) {
  const random = randomFrom(SEED);
  const resampled = differences.map((ofSet) => Array.from({ length: RESAMPLES }, () => drawnMean(ofSet, random)));
  const macro = Array.from({ length: RESAMPLES }, (_, at) => mean(resampled.map((means) => means[at])));
  return {
    sets: differences.map((ofSet, at) => interval(mean(ofSet), resampled[at])),
    macro: interval(mean(differences.map(mean)), macro),
  };
}

function drawnMean(values, random) {
  let sum = 0;
  for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[Math.floor(random() * values.length)];
  return values.length === 0 ? 0 : sum / values.length;
}

const interval = (value, means) => ({ mean: value, low: percentile(means, 0.025), high: percentile(means, 0.975) });
