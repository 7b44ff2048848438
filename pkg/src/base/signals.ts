/** Listens to signals, with one listener for each signal: Node warns of a leak when a signal gets its eleventh listener. */

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
