/**
 * Schedules re-reading a changed list: soon, once for several changes. If it keeps changing, the pauses grow with the number and
 * the cost of the readings, so that one list does not block all others.
 */

import { pause, within } from "../base/wait.js";

/** Changes that follow each other within this time count as one. */
const QUIET_MS = 20;
/** The most readings in quick succession before the pauses grow. */
const QUICK_MS = 1_000;
const QUICK_READINGS = 10;
const LONGEST_PAUSE_MS = 10_000;
/** What readings may cost before the pauses grow, and the share of all time that they may cost from then on: one of so many. */
const FREE_MS = 1_000;
const SHARE = 20;
/** A reading costs the process a millisecond for so many characters at the most; the rest of its time was its server's. */
const CHARS_PER_MS = 1_000;
/** How long a tool's answer waits for the list that changed with it. */
const SETTLE_MS = 5_000;

/** The changes of one list. */
export class Changes {
  readonly #read: () => Promise<number>;
  #due = false;
  #latest: Promise<void> = Promise.resolve();
  #readAt = -Infinity;
  #pause = QUIET_MS;
  #quick = 0;
  /** Milliseconds that the latest readings have cost, less the share of the time since, when the last one ended. */
  #cost = 0;

  /** @param read reads the list, and answers how many characters it has; it must not throw */
  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Notes that the list has changed. A change after a reading has begun causes another reading, when that one has ended. */
  note(): void {
    if (this.#due) return;
    this.#due = true;
    this.#latest = this.#after(this.#latest);
  }

  /** Waits until the known changes have been read, but no longer than a bound: a list may never stop changing. */
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
    const chars = await this.#read();
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
