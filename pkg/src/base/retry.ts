/** Repeats a request if the server is temporarily unavailable. */

import { pause } from "./wait.js";

/** The pause before the first retry if the server states none, in ms. It doubles with each further retry. */
const USUAL_MS = 1_000;

/** The limits on retries. */
export interface Patience {
  times: number;
  /** The longest pause, in ms. If the server asks for a longer one, its refusal is returned. */
  mostMs: number;
  signal: AbortSignal;
}

/** Sends a request, and repeats it while the server is temporarily unavailable. Returns the last response. */
export async function askedAgain(send: () => Promise<Response>, { times, mostMs, signal }: Patience): Promise<Response> {
  for (let tried = 0; ; tried++) {
    const response = await send();
    const isBusy = response.status === 429 || response.status >= 500;
    const ms = pauseOf(response.headers.get("retry-after"), USUAL_MS * 2 ** tried);
    if (tried === times || !isBusy || ms > mostMs) return response;
    await response.body?.cancel().catch(() => {});
    await pause(ms, { signal });
  }
}

/** Returns the pause in ms: the `retry-after` header, in seconds or as a date, or else the usual pause. */
function pauseOf(retryAfter: string | null, usual: number): number {
  const seconds = retryAfter === null || retryAfter.trim() === "" ? Number.NaN : Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - Date.now() : 1_000 * seconds;
  return Number.isNaN(ms) ? usual : Math.max(0, ms);
}
