/** Waits, no longer than a given time and no longer than the host wants. */

import { ToolSiftError } from "./errors.js";
import { whenAborted } from "./signals.js";

/** The name of the work for messages, its time limit, and the signal that ends the wait. */
export interface Wait {
  what: string;
  /** Milliseconds until the answer, and from each progress to what comes next. */
  ms: number;
  /** Milliseconds that are left of `ms`, where others of the same work took some. Default `ms`. */
  left?: number;
  /** Milliseconds in all, however much progress there is. Default `ms`. */
  totalMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a deadline. It gets an AbortSignal of its own, which frees the listeners that clients leak. The work calls
 * `progress` to restart `ms`.
 *
 * @throws ToolSiftError `not_currently_available` when the time is up; what the signal was aborted with; what the work
 * throws
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

/** The longest pause between tries of what may be away for long. */
const LONGEST_PAUSE_MS = 60_000;
/** A connection that lasted so long was a good one, which a server or a proxy has ended. */
const GOOD_MS = 10_000;

/** Milliseconds until the next try after so many failures in a row: none after none, and twice as long each time. */
export function pauseAfter(failures: number, first = 1_000): number {
  return failures === 0 ? 0 : Math.min(first * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

/** Whether a connection that ends now was a good one: its end counts as no failure. */
export const wasGood = (since: number): boolean => performance.now() - since >= GOOD_MS;

/** A pause. An idle one does not keep a process alive, in runtimes that can tell. */
export function pause(ms: number, { idle = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    if (idle) (timer as { unref?: () => void }).unref?.();
  });
}
