/** Times what a library does again and again: every query by itself, several times, until the time for it is used up. */

/** Milliseconds. Engines compile what they have run often, so work runs for a while before it is timed. */
const WARM_UP = 200;
/** The first pass over all items stops after so many milliseconds, the further ones as soon as all together took so many. */
const FIRST_PASS = 2_000;
const ALL_PASSES = 800;
const MOST_PASSES = 7;

/** Waits for an answer only where it is a promise: waiting for one that is there already costs time, too. */
async function msOf(work, item) {
  const begin = performance.now();
  const answer = work(item);
  if (typeof answer?.then === "function") await answer;
  return performance.now() - begin;
}

/** Milliseconds for each item, the median of its passes; null where there was no time for it. */
export async function timesOf(items, work, passes = MOST_PASSES) {
  await warmUp(items, work, passes);
  const times = items.map(() => []);
  const begin = performance.now();
  for (let pass = 0; pass < passes; pass++) {
    const end = begin + (pass === 0 ? FIRST_PASS : ALL_PASSES);
    for (const [at, item] of items.entries()) {
      if (performance.now() > end) return times.map(medianOrNull);
      times[at].push(await msOf(work, item));
    }
  }
  return times.map(medianOrNull);
}

async function warmUp(items, work, passes) {
  // What is timed once would not be the first of its kind any more.
  if (passes === 1) return;
  const end = performance.now() + WARM_UP;
  for (let pass = 0; pass < passes; pass++) {
    for (const item of items) {
      if (performance.now() > end) return;
      await msOf(work, item);
    }
  }
}

/** The value that so great a share of the numbers is at most: 0.5 for the median. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export const medianOrNull = (numbers) => (numbers.length === 0 ? null : quantile(numbers, 0.5));
