/** Ends work with its run: each piece has a signal of its own, and the run's signal is listened to once. */

/** Aborts one piece of work. */
type Stop = () => void;

/** The work to abort with a signal, and the one listener that does so: Node reports many listeners as a leak. */
interface Ending {
  stops: Set<Stop>;
  all: () => void;
}

const endings = new WeakMap<AbortSignal, Ending>();

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
  const stop = () => own.abort(signal.reason);
  listen(signal, stop);
  try {
    return await work(own.signal);
  } finally {
    leave(signal, stop);
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

function listen(signal: AbortSignal, stop: Stop): void {
  let ending = endings.get(signal);
  if (ending === undefined) {
    const stops = new Set<Stop>();
    ending = { stops, all: () => stops.forEach((one) => one()) };
    endings.set(signal, ending);
    signal.addEventListener("abort", ending.all);
  }
  ending.stops.add(stop);
}

function leave(signal: AbortSignal, stop: Stop): void {
  const ending = endings.get(signal);
  if (ending === undefined) return;
  ending.stops.delete(stop);
  if (ending.stops.size > 0) return;
  signal.removeEventListener("abort", ending.all);
  endings.delete(signal);
}
