/** Cuts a stream of bytes into lines that have a bound. Each byte is copied once, however many pieces a line comes in. */

const NEWLINE = 10;

/** Collects pieces and returns whole lines. */
export class Lines {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that a piece completes. @throws RangeError when a line, complete or not, is longer than the limit */
  *take(piece: Buffer): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#add(piece.subarray(start, end));
      const line = Buffer.concat(this.#pieces, this.#bytes).toString("utf8");
      this.clear();
      start = end + 1;
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    this.#add(piece.subarray(start));
  }

  /** Forgets the line that is not complete. */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > this.#limit) throw new RangeError(`a line of more than ${this.#limit} bytes`);
    this.#pieces.push(piece);
  }
}
