/** Decides from samples whether memory has stopped growing. */

/** Heaps are never quite still: less than this is no growth. */
const SPARE = 1024 * 1024;
/** By how much the last quarter of a run may exceed its second. */
const SHARE = 0.05;

/**
 * Compares the highest sample of the last quarter of a run with the highest of the second quarter; the first quarter is for
 * caches and pools to fill. Memory levels off where the difference is at most 5 % and a mebibyte.
 *
 * @returns bytes of both, what each cycle between them takes, and `levels`
 */
export function verdict(samples, of) {
  const quarter = (which) =>
    samples.slice(Math.floor((samples.length * (which - 1)) / 4), Math.floor((samples.length * which) / 4));
  const highest = (some) => Math.max(...some.map(of));
  const [second, last] = [quarter(2), quarter(4)];
  const [before, after] = [highest(second), highest(last)];
  const cycles = last.at(-1).cycle - second.at(-1).cycle;
  return { before, after, perCycle: (after - before) / cycles, levels: after - before <= SHARE * before + SPARE };
}
