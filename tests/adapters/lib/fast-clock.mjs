/** Timers that run a thousand times faster, for tests of pauses. The order of timers stays the same. */

/** Lets the timers of this process run `times` as fast until the test ends. */
export function fastClock(t, times) {
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = (work, ms = 0, ...args) => wait(work, ms / times, ...args);
  t.onTestFinished(() => (globalThis.setTimeout = wait));
}
