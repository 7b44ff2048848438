/** Puts work in order: what is done to one session is done one after the other, to different sessions at once. */

/** A queue for each session that something waits for. */
export class Queues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does this when everything that was asked for the same session before is done, however it ended. */
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
