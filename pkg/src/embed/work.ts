/**
 * Work that several callers wait for together, such as embedding a catalog that many first searches need at once. It ends
 * with the last caller that waits for it.
 */

import { unlessEnded } from "../loop/ending.js";
import type { Signal } from "../types.js";

interface Job {
  done: Promise<void>;
  ending: AbortController;
  waiting: number;
}

/** One piece of work at a time. */
export class SharedWork {
  #job: Job | undefined;

  /**
   * Waits for the work that is under way, or for this.
   *
   * @throws what the work throws; what `signal` was aborted with
   */
  async wait(work: (signal: AbortSignal) => Promise<void>, signal: Signal | undefined): Promise<void> {
    const job = (this.#job ??= this.#begin(work));
    job.waiting += 1;
    try {
      await unlessEnded(signal, () => job.done);
    } finally {
      job.waiting -= 1;
      if (job.waiting === 0) {
        job.ending.abort();
        if (this.#job === job) this.#job = undefined;
      }
    }
  }

  #begin(work: (signal: AbortSignal) => Promise<void>): Job {
    const ending = new AbortController();
    const job: Job = { done: work(ending.signal), ending, waiting: 0 };
    const end = () => {
      if (this.#job === job) this.#job = undefined;
    };
    job.done.then(end, end);
    return job;
  }
}
