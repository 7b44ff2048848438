/** Cuts a stream of bytes into lines that have a bound. Each byte is copied once, however many pieces a line comes in. */

const NEWLINE = 10;

const decoder = new TextDecoder();

/** Collects pieces and returns whole lines. */
export class Lines {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that a piece completes. @throws RangeError when a line, complete or not, is longer than the limit */
  *take(piece: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#add(piece.subarray(start, end));
      const line = this.#whole();
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

  #whole(): string {
    const line = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    return decoder.decode(line);
  }

  #add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > this.#limit) throw new RangeError(`a line of more than ${this.#limit} bytes`);
    this.#pieces.push(piece);
  }
}
