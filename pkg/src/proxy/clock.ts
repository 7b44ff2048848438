/** Measures the time that the proxy itself takes, without what it waits for. */
export class Clock {
  #spent = 0;
  #since: number | undefined = performance.now();
  readonly #startTime = Date.now();
  readonly #start = performance.now();

  async wait<T>(work: () => Promise<T>): Promise<T> {
    try {
      const pending = work();
      this.stop();
      return await pending;
    } finally {
      this.start();
    }
  }

  stop(): void {
    if (this.#since === undefined) return;
    this.#spent += performance.now() - this.#since;
    this.#since = undefined;
  }

  start(): void {
    this.#since ??= performance.now();
  }

  get ms(): number {
    return this.#spent + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }
  /** Its own time, when the request came, and how long it has taken in all. */
  get times(): { ms: number; startTime: number; duration: number } {
    return { ms: this.ms, startTime: this.#startTime, duration: performance.now() - this.#start };
  }
}
