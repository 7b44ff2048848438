/** A `fetch` that limits the size of answers, so that a server cannot fill the memory. */

import type { FetchLike } from "@modelcontextprotocol/client";

/** The default limit for the body of an answer, or for one event of an event stream, in bytes. */
export const RESPONSE_BYTES = 64 << 20;

/** The three forms of the empty line that ends an event. */
const ENDS = ["\n\n", "\r\n\r\n", "\r\r"].map((text) => Buffer.from(text, "latin1"));
const CARRY = 3;

/** A server sent more than the limit. */
export class TooLarge extends Error {
  override name = "TooLarge";
}

/** The limits of a `fetch`. */
export interface FetchBounds {
  bytes?: number;
  /** Receives the error too, because an SDK that reads a stream may hide the error and try again. */
  exceeded?: (error: TooLarge) => void;
  /** The time limit for an answer with its body, in ms, for requests without a signal of their own. */
  timeoutMs?: number;
}

/** Wraps a `fetch`. A body that exceeds the limit fails with `TooLarge`. */
export function boundedFetch(next: FetchLike, bounds: FetchBounds = {}): FetchLike {
  const { bytes = RESPONSE_BYTES, exceeded, timeoutMs } = bounds;
  return async (input, init) => {
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const response = await next(input, signal === undefined ? init : { signal, ...init });
    if (response.body === null) return response;
    const url = new URL(input);
    const fail = () => {
      const error = new TooLarge(`${url.origin} sent more than ${bytes} bytes in one answer, and was cut off`);
      exceeded?.(error);
      return error;
    };
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (!isStream && Number(response.headers.get("content-length")) > bytes) {
      await response.body.cancel().catch(() => {});
      throw fail();
    }
    const body = response.body.pipeThrough(counter(bytes, isStream, fail));
    const { status, statusText, headers } = response;
    const bounded = new Response(body, { status, statusText, headers });
    // Relative redirects are resolved against the URL of the answer, which a new `Response` does not have.
    Object.defineProperty(bounded, "url", { value: response.url });
    return bounded;
  };
}

/** Counts the bytes of a body, or of each event of an event stream, which may go on for days. An empty line ends an event. */
function counter(limit: number, isStream: boolean, fail: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let carry = Buffer.alloc(0);
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.byteLength;
      if (isStream) {
        const seen = Buffer.concat([carry, chunk]);
        const end = Math.max(...ENDS.map((mark) => (seen.includes(mark) ? seen.lastIndexOf(mark) + mark.length : -1)));
        if (end >= 0) count = seen.length - end;
        carry = seen.subarray(-CARRY);
      }
      if (count > limit) throw fail();
      controller.enqueue(chunk);
    },
  });
}
