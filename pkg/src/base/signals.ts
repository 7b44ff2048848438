/** Listens to signals. Each has one listener, however many wait: Node warns of a leak at the eleventh. */

/** What to call when a signal is aborted, and the listener that does so. */
const HEARD = new WeakMap<AbortSignal, { calls: Set<() => void>; all: () => void }>();

/**
 * Calls something once a signal is aborted: at once if it is already, and never if there is none.
 *
 * @returns what ends the listening
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
