/** Waits, no longer than a given time and no longer than the host wants. */

import { ToolSiftError } from "../../errors.js";

/** What is waited for, how long, and until which signal at most. */
export interface Wait {
  what: string;
  ms: number;
  signal?: AbortSignal | undefined;
}

/**
 * What the work gives, if it does so in time. It is told by a signal of its own when nobody waits any longer: listeners that a
 * client leaves there are gone with the call, however long the host's signal lives.
 *
 * @throws ToolSiftError `not_currently_available` when the time is up; what the signal was aborted with; what the work throws
 */
export async function within<T>({ what, ms, signal }: Wait, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  let end = () => {};
  const late = new Promise<never>((_, fail) => {
    const stop = (reason: unknown) => {
      fail(reason);
      own.abort(reason);
    };
    const message = `${what} took longer than ${ms} ms`;
    const timer = setTimeout(() => stop(new ToolSiftError("not_currently_available", message)), ms);
    const aborted = () => stop(signal?.reason);
    signal?.addEventListener("abort", aborted, { once: true });
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    };
  });
  try {
    return await Promise.race([work(own.signal), late]);
  } finally {
    end();
  }
}

/** A pause. An idle one does not keep a process alive, in runtimes that can tell. */
export function pause(ms: number, { idle = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    if (idle) (timer as { unref?: () => void }).unref?.();
  });
}
