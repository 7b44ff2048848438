/** Queues work: work on one session runs one after the other, work on different sessions at once. */

/** A queue for each session that has work waiting. */
export class Queues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work of the same session has ended, whether or not it failed. */
  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(id) ?? Promise.resolve()).then(work, work);
    this.#last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    }
  }
}
