/** Schedules reading a changed list again: soon, once for several changes, and with growing pauses if it keeps changing. */

import { pause, within } from "./wait.js";

/** Changes that follow each other within this time count as one. */
const QUIET_MS = 20;
/** The most readings in quick succession before the pauses grow. */
const QUICK_MS = 1_000;
const QUICK_READINGS = 10;
const LONGEST_PAUSE_MS = 10_000;
/** How long a tool's answer waits for the list that changed with it. */
const SETTLE_MS = 5_000;

/** The changes of one list. */
export class Changes {
  readonly #read: () => Promise<void>;
  #due = false;
  #latest: Promise<void> = Promise.resolve();
  #readAt = -Infinity;
  #pause = QUIET_MS;
  #quick = 0;

  /** @param read reads the list; it must not throw */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Notes that the list has changed. A change after a reading has begun causes another reading. */
  note(): void {
    if (this.#due) return;
    this.#due = true;
    this.#quick = performance.now() - this.#readAt < QUICK_MS + this.#pause ? this.#quick + 1 : 0;
    this.#pause = Math.min(QUIET_MS * 2 ** Math.max(0, this.#quick - QUICK_READINGS), LONGEST_PAUSE_MS);
    this.#latest = this.#later();
  }

  /** Waits until the known changes have been read, but no longer than a bound: a list may never stop changing. */
  async settled(signal: AbortSignal | undefined): Promise<void> {
    if (this.#quick > QUICK_READINGS) return;
    const wait = { what: "listing its tools", ms: SETTLE_MS, signal };
    await within(wait, () => this.#latest).catch(() => signal?.throwIfAborted());
  }

  async #later(): Promise<void> {
    await pause(this.#pause, { idle: true });
    this.#due = false;
    await this.#read();
    this.#readAt = performance.now();
  }
}
