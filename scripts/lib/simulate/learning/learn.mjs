/** Lets a learner follow some of the sessions, and exports what it has learned. */

import { randomFrom, shuffled } from "../../eval/random.mjs";
import { definitionOf } from "./register.mjs";

/** Calls of each tool that a learner is told of; the last is all. */
export const VOLUMES = [1, 2, 5, 10, Infinity];
/** Shares of calls that are of another tool that the search found. */
export const NOISES = [0, 0.2];

/** The queries of a set in two halves, by their places: to learn from, and to measure with. */
export function halves(count, seed) {
  const order = shuffled(
    Array.from({ length: count }, (_, at) => at),
    `split ${seed}`,
  );
  return { learned: order.slice(0, count >> 1), asked: order.slice(count >> 1) };
}

/**
 * What a learner exports that is told of at most so many calls of each tool, a share of them wrong. Searches that led to no
 * call that is left are told all the same: somebody gave up.
 */
export function exported(learner, tools, sessions, { volume, noise, seed, options = {} }) {
  const random = randomFrom(`told ${seed} ${volume} ${noise}`);
  // One session an hour, so that the half-life has its part.
  let hour = 0;
  const learned = learner({ ...options, now: () => hour * 3_600_000 });
  const calls = new Map();
  for (const { events, confused } of sessions) {
    hour += 1;
    for (const event of events) {
      const told = event.type === "dispatch" ? callOf(event, confused) : event;
      if (told !== undefined) learned.onEvent(told);
    }
  }
  return learned.export({ tools: tools.map(definitionOf) });

  function callOf(event, confused) {
    const made = calls.get(event.tool) ?? 0;
    if (made >= volume) return undefined;
    calls.set(event.tool, made + 1);
    const others = confused.filter(({ name }) => name !== event.tool);
    if (random() >= noise || others.length === 0) return event;
    const { name, originalName, server } = others[Math.floor(random() * others.length)];
    return { ...event, tool: name, name: originalName, server };
  }
}
