/** Timers that run faster, for tests of pauses: what waits seconds waits milliseconds, in the same order. */

/** Lets the timers of this process run `times` as fast until the test ends. */
export function fastClock(t, times) {
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = (work, ms = 0, ...args) => wait(work, ms / times, ...args);
  t.onTestFinished(() => (globalThis.setTimeout = wait));
}
