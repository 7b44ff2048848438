/** Measures one setting on all sets: the mean over the tasks of each set, and the mean over the sets. */

import { cost, priceOf } from "./conversation.mjs";
import { STRATEGIES } from "./strategies.mjs";

const FIGURES = ["solved", "trips", "fresh", "cached", "output", "price"];

/**
 * Returns the mean of every figure for one setting of a strategy: the share of solved tasks, the round trips in addition to
 * those with all tools sent in full, the tokens, the price, and the price per solved task. A set has `tasks` and
 * `beginnings`.
 */
export function measure(strategy, setting, sets, model) {
  const { begins, steps } = STRATEGIES[strategy];
  const sum = Object.fromEntries(FIGURES.map((figure) => [figure, 0]));
  for (const { tasks, beginnings } of sets) {
    const weight = 1 / (sets.length * tasks.length);
    for (const task of tasks) {
      const found = steps(setting, task);
      const spent = cost(beginnings[begins], found, model);
      sum.solved += found.solved ? weight : 0;
      sum.trips += weight * spent.trips;
      sum.fresh += weight * spent.fresh;
      sum.cached += weight * spent.cached;
      sum.output += weight * spent.output;
      sum.price += weight * priceOf(spent, model);
    }
  }
  return { strategy, setting, ...sum, perSolved: sum.price / sum.solved };
}

/** Measures every setting of every strategy. Returns the results by strategy. */
export const measureAll = (sets, model) =>
  Object.fromEntries(
    Object.entries(STRATEGIES).map(([strategy, { settings }]) => [
      strategy,
      settings.map((setting) => measure(strategy, setting, sets, model)),
    ]),
  );
