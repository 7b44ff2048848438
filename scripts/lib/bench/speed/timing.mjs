/** Times what a library does again and again: every query by itself, several times, until the time for it is used up. */

const WARM_UP = 200;
const MOST_PASSES = 7;

/** How long a step may go on before it stops by itself, in milliseconds. What it has by then counts. */
export const SOFT = 1_500;

/** Waits for an answer only where there is a promise: waiting for what is there already would cost every library the same. */
async function msOf(work, item) {
  const begin = performance.now();
  const answer = work(item);
  if (typeof answer?.then === "function") await answer;
  return performance.now() - begin;
}

/**
 * Milliseconds for each item, the median of its passes; null where there was no time for it. Engines compile what they
 * have run often: work that is quick enough is run for a while before it is timed.
 */
export async function timesOf(items, work, { soft = SOFT, passes = MOST_PASSES } = {}) {
  await warmUp(items, work, Math.min(WARM_UP, soft / 4), passes);
  const times = items.map(() => []);
  const end = performance.now() + soft;
  for (let pass = 0; pass < passes; pass++) {
    for (const [at, item] of items.entries()) {
      if (performance.now() > end) return times.map(medianOrNull);
      times[at].push(await msOf(work, item));
    }
  }
  return times.map(medianOrNull);
}

async function warmUp(items, work, most, passes) {
  if (passes === 1) return;
  const end = performance.now() + most;
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
