/** A `fetch` whose answers have a bound: a server cannot fill the memory. */

import type { FetchLike } from "@modelcontextprotocol/client";

/** The largest body of an answer, and the largest event of a stream of events. */
export const RESPONSE_BYTES = 64 << 20;

/** Both forms of an empty line, which ends an event. */
const ENDS = ["\n\n", "\r\n\r\n", "\r\r"].map((text) => Buffer.from(text, "latin1"));
const CARRY = 3;

/** A server sent more than its bound. */
export class TooLarge extends Error {
  override name = "TooLarge";
}

/** The bounds of a `fetch`. */
export interface FetchBounds {
  bytes?: number;
  /** Is told of the error once more: an SDK that reads a stream may try again instead of failing. */
  exceeded?: (error: TooLarge) => void;
  /** The time for an answer and its body, for requests without a signal. */
  timeoutMs?: number;
}

/** Wraps a `fetch`; a body that exceeds the bound fails with `TooLarge`. */
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
    const body = response.body.pipeThrough(isStream ? eventCounter(bytes, fail) : counter(bytes, fail));
    const { status, statusText, headers } = response;
    const bounded = new Response(body, { status, statusText, headers });
    // Which page answered decides where a relative redirect leads.
    Object.defineProperty(bounded, "url", { value: response.url });
    return bounded;
  };
}

function counter(limit: number, fail: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.byteLength;
      if (count > limit) throw fail();
      controller.enqueue(chunk);
    },
  });
}

/** Counts from one empty line to the next: a stream of events may go on for days. */
function eventCounter(limit: number, fail: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let carry = Buffer.alloc(0);
  return new TransformStream({
    transform(chunk, controller) {
      const seen = Buffer.concat([carry, chunk]);
      const end = Math.max(...ENDS.map((mark) => (seen.lastIndexOf(mark) < 0 ? -1 : seen.lastIndexOf(mark) + mark.length)));
      count = end < 0 ? count + chunk.byteLength : seen.length - end;
      carry = seen.subarray(-CARRY);
      if (count > limit) throw fail();
      controller.enqueue(chunk);
    },
  });
}
