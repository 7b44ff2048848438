/** How does work end with the run that it is part of? Each piece has a signal of its own, and the run's is listened to once. */

/** Aborts one piece of work. */
type Stop = () => void;

/** What is to be stopped with a signal, and the one listener that does so. Many would be taken for a leak, and warned of. */
interface Ending {
  stops: Set<Stop>;
  all: () => void;
}

const endings = new WeakMap<AbortSignal, Ending>();

/**
 * What the work comes to, or an error as soon as the run is ended, whether or not the work listens to that. The work is
 * given a signal that lives no longer than it: what listens and never stops listening must not pile up on the run's, which
 * may live as long as the process.
 *
 * @throws what the signal was aborted with; what the work throws
 */
export async function unlessEnded<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => T,
): Promise<Awaited<T>> {
  if (signal === undefined) return await work(undefined);
  signal.throwIfAborted();
  const own = new AbortController();
  let stop: Stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    stop = () => {
      own.abort(signal.reason);
      reject(own.signal.reason);
    };
  });
  listen(signal, stop);
  try {
    // Work that throws at once is waited for too, or nobody would hear of an end that it has made itself.
    return await Promise.race([ended, (async () => work(own.signal))()]);
  } finally {
    leave(signal, stop);
  }
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
