/** Decides when a server is tried again: after pauses that grow to a minute, without end. */

import { pauseAfter, wasGood } from "../base/wait.js";

/** The attempts to connect to one server. */
export class Attempts {
  readonly #firstMs: number;
  /** The numbers of successive failed attempts, and of successive connections that ended soon after they were made. */
  #failures = 0;
  #losses = 0;
  #againAt = 0;
  #since = -Infinity;

  /** @param firstMs the pause after the first failure, in ms */
  constructor(firstMs = 1_000) {
    this.#firstMs = firstMs;
  }

  get failures(): number {
    return this.#failures;
  }

  get left(): number {
    return Math.max(0, this.#againAt - performance.now());
  }

  failed(): void {
    this.#againAt = performance.now() + pauseAfter(++this.#failures, this.#firstMs);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#againAt = 0;
    this.#since = performance.now();
  }

  /**
   * Records that a connection has ended: the next attempt may follow immediately. Connections that repeatedly end soon after
   * they were made count as failures.
   *
   * @returns true if this one counts as a failure
   */
  lost(): boolean {
    if (wasGood(this.#since)) this.#losses = 0;
    else if (++this.#losses > 1) {
      // The second quick loss is the first failure; `failed()` adds one.
      this.#failures = this.#losses - 2;
      this.failed();
      return true;
    }
    return false;
  }

  /** Allows an attempt immediately, because a caller needs it. */
  reset(): void {
    this.#failures = this.#losses = 0;
    this.#againAt = 0;
  }
}
