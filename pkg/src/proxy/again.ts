/** Asks an upstream again that cannot answer now, where the client cannot: it has read a part of the answer. */

import { whenAborted } from "../signals.js";
import type { Running } from "./request.js";

/** Answers of an upstream that cannot answer now. */
const BUSY = [429, 502, 503, 529];
/** How often a body is sent again. */
const AGAIN = 2;
/** Milliseconds before that, where the upstream says nothing; twice as many the second time. */
const USUAL_MS = 1_000;
/** A longer pause is the client's to take. */
const MOST_MS = 20_000;

/** Sends a body, again where the upstream cannot answer now. */
export async function sentAgain({ send, clock, signal }: Running, body: string): Promise<Response> {
  for (let tried = 0; ; tried++) {
    const response = await send(body);
    const ms = pauseOf(response.headers.get("retry-after"), USUAL_MS * 2 ** tried);
    if (tried === AGAIN || !BUSY.includes(response.status) || ms > MOST_MS) return response;
    await response.body?.cancel().catch(() => {});
    await clock.wait(() => paused(ms, signal));
  }
}

/** How long to wait: what the upstream says, in seconds or as a date, and else the usual time. */
function pauseOf(said: string | null, usual: number): number {
  const seconds = said === null || said.trim() === "" ? Number.NaN : Number(said);
  const ms = Number.isNaN(seconds) ? Date.parse(said ?? "") - Date.now() : 1_000 * seconds;
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
