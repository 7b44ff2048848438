/** Waits for work with a time limit, and until a signal is aborted. */

import { ToolSiftError } from "./errors.js";

/** The options of a wait: a name of the work for messages, its time limits, and a signal that ends the wait. */
export interface Wait {
  what: string;
  /** The time limit until the answer, and again after each progress, in ms. */
  ms: number;
  /** The remaining part of `ms` if earlier steps of the same work used some of it, in ms. Default `ms`. */
  left?: number;
  /** The time limit in total, however much progress there is, in ms. Default `ms`. */
  totalMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a deadline. The work gets its own AbortSignal, which also frees listeners that clients leak. The work
 * calls `progress` to restart `ms`.
 *
 * @throws ToolSiftError `not_currently_available` when the time is up; the signal's reason if it is aborted; the error of
 * the work
 */
export async function within<T>(
  { what, ms, left: first = ms, totalMs = ms, signal }: Wait,
  work: (signal: AbortSignal, progress: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const latest = performance.now() + totalMs;
  const own = new AbortController();
  let end = () => {};
  let progress = () => {};
  const late = new Promise<never>((_, fail) => {
    const stop = (reason: unknown) => {
      fail(reason);
      own.abort(reason);
    };
    let timer: ReturnType<typeof setTimeout>;
    const start = (left: number, problem: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => stop(new ToolSiftError("not_currently_available", `${what} ${problem}`)), left);
    };
    start(first, `took longer than ${ms} ms`);
    progress = () => {
      const left = latest - performance.now();
      if (ms < left) start(ms, `made no progress for ${ms} ms`);
      else start(left, `took longer than ${totalMs} ms`);
    };
    const unheard = whenAborted(signal, () => stop(signal!.reason));
    end = () => {
      progress = () => {};
      clearTimeout(timer);
      unheard();
    };
  });
  try {
    return await Promise.race([work(own.signal, () => progress()), late]);
  } finally {
    end();
  }
}

/** The longest pause between attempts to reach a server that may be away for a long time. */
const LONGEST_PAUSE_MS = 60_000;
/** The duration in ms after which a connection counts as good: servers and proxies end good connections too. */
const GOOD_MS = 10_000;

/** Returns the pause until the next attempt in ms: 0 without a failure, then doubled for each further failure in a row. */
export function pauseAfter(failures: number, first = 1_000): number {
  return failures === 0 ? 0 : Math.min(first * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

/** Checks if a connection that ends now lasted long enough. Its end then does not count as a failure. */
export const wasGood = (since: number): boolean => performance.now() - since >= GOOD_MS;

/**
 * Waits. An idle pause does not keep a process alive, in runtimes that support this.
 *
 * @throws the reason of `signal` if it is aborted
 */
export function pause(ms: number, { idle = false, signal }: { idle?: boolean; signal?: AbortSignal } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    let leave = () => {};
    const end = () => {
      leave();
      resolve();
    };
    const timer = idle ? later(ms, end) : setTimeout(end, ms);
    leave = whenAborted(signal, () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    });
  });
}

/** Runs a function later, without keeping the process alive in runtimes that support this. */
export function later(ms: number, work: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, ms);
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** For each signal: the functions to call when it is aborted, and the one listener that calls them. */
const HEARD = new WeakMap<AbortSignal, { calls: Set<() => void>; all: () => void }>();

/**
 * Calls a function when a signal is aborted: immediately if it is aborted already, never if there is no signal.
 *
 * @returns a function that stops listening
 */
export function whenAborted(signal: AbortSignal | undefined, call: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    call();
    return () => {};
  }
  let heard = HEARD.get(signal);
  if (heard === undefined) {
    const calls = new Set<() => void>();
    heard = { calls, all: () => calls.forEach((one) => one()) };
    HEARD.set(signal, heard);
    signal.addEventListener("abort", heard.all, { once: true });
  }
  const { calls, all } = heard;
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    signal.removeEventListener("abort", all);
    HEARD.delete(signal);
  };
}
