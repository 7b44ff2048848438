/**
 * Schedules when a changed list is read again: soon, and once for several changes. If the list keeps changing, the pauses
 * grow with the number and cost of the readings, so that one list does not block all others.
 */

import { pause, within } from "../base/wait.js";

/** Changes within this time count as one, in ms. */
const QUIET_MS = 20;
/** Two readings within this time are quick, in ms; after the maximum number of quick readings, the pauses grow. */
const QUICK_MS = 1_000;
const QUICK_READINGS = 10;
const LONGEST_PAUSE_MS = 10_000;
/** The free cost of readings, in ms. Above it, readings may take at most 1/`SHARE` of the time. */
const FREE_MS = 1_000;
const SHARE = 20;
/** The assumed number of characters that a process reads per ms. The rest of a reading's time is the server's. */
const CHARS_PER_MS = 1_000;
/** The maximum time that a tool's answer waits for a list that it changed, in ms. */
const SETTLE_MS = 5_000;

/** The changes of one list. */
export class Changes {
  #due = false;
  #latest: Promise<void> = Promise.resolve();
  #readAt = -Infinity;
  #pause = QUIET_MS;
  #quick = 0;
  /** The cost of the latest readings at the end of the last one, in ms, without the allowed share of the time since then. */
  #cost = 0;

  /** @param read reads the list and returns its length in characters; it must not throw */
  constructor(private readonly read: () => Promise<number>) {}

  /** Records that the list has changed. A change during a reading causes another reading after it. */
  note(): void {
    if (this.#due) return;
    this.#due = true;
    this.#latest = this.#after(this.#latest);
  }

  /** Waits until the known changes have been read, within a time limit: a list may never stop changing. */
  async settled(signal: AbortSignal | undefined): Promise<void> {
    if (this.#quick > QUICK_READINGS || this.#costlyPause > SETTLE_MS) return;
    const wait = { what: "listing its tools", ms: SETTLE_MS, signal };
    await within(wait, () => this.#latest).catch(() => signal?.throwIfAborted());
  }

  async #after(reading: Promise<void>): Promise<void> {
    await reading;
    this.#quick = performance.now() - this.#readAt < QUICK_MS + this.#pause ? this.#quick + 1 : 0;
    const often = Math.min(QUIET_MS * 2 ** Math.max(0, this.#quick - QUICK_READINGS), LONGEST_PAUSE_MS);
    this.#pause = Math.max(often, this.#costlyPause);
    await pause(this.#pause, { idle: true });
    this.#due = false;
    const begun = performance.now();
    const chars = await this.read();
    const took = performance.now() - begun;
    this.#cost = this.#costNow + Math.min(took, chars / CHARS_PER_MS);
    this.#readAt = performance.now();
  }

  get #costNow(): number {
    return Math.max(0, this.#cost - (performance.now() - this.#readAt) / SHARE);
  }

  get #costlyPause(): number {
    return (this.#costNow - FREE_MS) * SHARE;
  }
}
