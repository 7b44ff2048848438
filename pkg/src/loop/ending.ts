/** Ends work when its run ends: each piece of work has a signal of its own. */

import { whenAborted } from "../base/wait.js";

/**
 * Runs work with a signal that exists only as long as the work. SDKs add listeners and never remove them. Such listeners
 * must not accumulate on the run's signal, which may exist as long as the process.
 *
 * @throws the signal's reason if it is already aborted; the error of the work
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

/** Runs work like `lent`, but fails as soon as the run ends, even if the work ignores its signal. */
export function unlessEnded<T>(signal: AbortSignal | undefined, work: (own?: AbortSignal) => T | Promise<T>): Promise<T> {
  // The async function also catches work that throws synchronously, so that its own abort is noticed.
  return lent(signal, (own) => (own === undefined ? work() : Promise.race([ended(own), (async () => work(own))()])));
}

/**
 * Returns the result of work within a time limit in ms. The work's signal is aborted when the time is up, when the run ends,
 * and when nobody waits for the result any longer.
 */
export async function workInTime<T>(
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
