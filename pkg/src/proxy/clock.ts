/** Measures the time that the proxy itself needs for a request, without the time that it waits. */
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
  /** The proxy's own time in ms, the time of the request's arrival, and the total duration in ms. */
  get times(): { ms: number; startTime: number; duration: number } {
    return { ms: this.ms, startTime: this.#startTime, duration: performance.now() - this.#start };
  }
}
