/** Ends work with its run: each piece has a signal of its own. */

import { whenAborted } from "../base/signals.js";

/**
 * Lends a piece of work a signal that lives no longer than it: what listens and never stops listening, as SDKs do, must not
 * pile up on the run's, which may live as long as the process.
 *
 * @throws what the signal was aborted with before; what the work throws
 */
export async function lent<T>(signal: AbortSignal | undefined, work: (own?: AbortSignal) => T | Promise<T>): Promise<T> {
  if (signal === undefined) return await work();
  signal.throwIfAborted();
  const own = new AbortController();
  const leave = whenAborted(signal, () => own.abort(signal.reason));
  try {
    return await work(own.signal);
  } finally {
    leave();
  }
}

/** Lends work a signal as `lent` does, and fails as soon as the run is ended, whether or not the work listens to that. */
export function unlessEnded<T>(signal: AbortSignal | undefined, work: (own?: AbortSignal) => T | Promise<T>): Promise<T> {
  // Work that throws synchronously is awaited too, so that an abort of its own is noticed.
  return lent(signal, (own) => (own === undefined ? work() : Promise.race([ended(own), (async () => work(own))()])));
}

/**
 * What the work gives within so many milliseconds. Its signal is aborted when the time is up, when the run is ended, and when
 * nobody waits any longer.
 */
export async function inTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await unlessEnded(signal, () => unlessEnded(ending.signal, async (own) => work(own!)));
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
