/** Times the calls of a library: each query separately, several times, until a time budget is used up. */

/** The warm-up time before measuring, in ms: JavaScript engines compile code that has run often. */
const WARM_UP = 200;
/** The time limits for the first pass over all items, and for all passes together, in ms. */
const FIRST_PASS = 2_000;
const ALL_PASSES = 800;
const MOST_PASSES = 7;
/** Work that takes longer than this, in ms, gets no warm-up and runs only once. */
const SLOW = 500;

/** Times one call. It awaits the result only if it is a promise, because an unnecessary await takes time. */
async function msOf(work, item) {
  const begin = performance.now();
  const answer = work(item);
  if (typeof answer?.then === "function") await answer;
  return performance.now() - begin;
}

/** Returns the time of each item in ms, the median over its passes; null if there was no time for it. */
export async function timesOf(items, work, passes = MOST_PASSES) {
  const times = items.map(() => []);
  let begin = performance.now();
  const first = await msOf(work, items[0]);
  const once = passes === 1 || first > SLOW;
  if (once) {
    times[0].push(first);
  } else {
    await warmUp(items, work);
    begin = performance.now();
  }
  for (let pass = 0; pass < (once ? 1 : passes); pass++) {
    const end = begin + (pass === 0 ? FIRST_PASS : ALL_PASSES);
    for (let at = once ? 1 : 0; at < items.length; at++) {
      if (performance.now() > end) return times.map(medianOrNull);
      times[at].push(await msOf(work, items[at]));
    }
  }
  return times.map(medianOrNull);
}

async function warmUp(items, work) {
  const end = performance.now() + WARM_UP;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    for (const item of items) {
      if (performance.now() > end) return;
      await msOf(work, item);
    }
  }
}

/** Returns a quantile of the numbers, such as the median for 0.5. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export const medianOrNull = (numbers) => (numbers.length === 0 ? null : quantile(numbers, 0.5));
