/** Reads the streams of an upstream as events, one stream after the other, until it is stopped. */

import { ToolSiftError } from "../base/errors.js";
import { Source } from "../loop/rounds.js";
import { type SseEvent, SseParser } from "./sse.js";

/** The bytes that a stream may have, and what waits for each read. */
interface Reading {
  maxReplyBytes: number;
  wait<T>(read: () => Promise<T>): Promise<T>;
}

/** The source of the events of a request. */
export class Events extends Source<Uint8Array> {
  /** @throws ToolSiftError `limit_out_of_range`, `reply_invalid` */
  async *of(response: Response, { maxReplyBytes, wait }: Reading): AsyncGenerator<SseEvent[]> {
    const parser = new SseParser(maxReplyBytes);
    let left = maxReplyBytes;
    for await (const value of this.parts(response.body!, wait)) {
      left -= value.length;
      if (left < 0) {
        throw new ToolSiftError(
          "limit_out_of_range",
          `the upstream's stream has more than ${maxReplyBytes} bytes, the limit`,
        );
      }
      yield parser.push(value);
    }
    yield parser.end();
  }
}
