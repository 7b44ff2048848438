/** Asks a server again that cannot answer now. */

import { whenAborted } from "./signals.js";

/** Milliseconds before it is asked again, where it does not say how long; twice as many each further time. */
const USUAL_MS = 1_000;

/** How often a server is asked again, and how long it may ask to wait. */
export interface Patience {
  times: number;
  /** A longer pause is the caller's to take: the refusal is the answer then. */
  mostMs: number;
  signal: AbortSignal;
  /** Waits for the pause. */
  wait?: (pause: () => Promise<void>) => Promise<void>;
}

/** The answer of a server, which is asked again where it cannot answer now. */
export async function askedAgain(send: () => Promise<Response>, patience: Patience): Promise<Response> {
  const { times, mostMs, signal, wait = (pause) => pause() } = patience;
  for (let tried = 0; ; tried++) {
    const response = await send();
    const isBusy = response.status === 429 || response.status >= 500;
    const ms = pauseOf(response.headers.get("retry-after"), USUAL_MS * 2 ** tried);
    if (tried === times || !isBusy || ms > mostMs) return response;
    await response.body?.cancel().catch(() => {});
    await wait(() => paused(ms, signal));
  }
}

/** How long to wait: what the server says, in seconds or as a date, and else the usual time. */
function pauseOf(retryAfter: string | null, usual: number): number {
  const seconds = retryAfter === null || retryAfter.trim() === "" ? Number.NaN : Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - Date.now() : 1_000 * seconds;
  return Number.isNaN(ms) ? usual : Math.max(0, ms);
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, ms);
    const leave = whenAborted(signal, () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
