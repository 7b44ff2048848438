/** Joins the rounds of a request into one stream, which is read only as fast as the client reads. */

import { textOfBody } from "../base/bodies.js";
import { ToolSiftError } from "../base/errors.js";
import { askedAgain } from "../base/retry.js";
import { whenAborted } from "../base/wait.js";
import { rounds, StreamReader } from "../loop/rounds.js";
import { REPLY, streamFailure } from "./failures.js";
import { answered, chainOf, type Running } from "./request.js";
import { type SseEvent, SseParser } from "./sse.js";
import { isJson, isStream } from "./typed.js";
import { firstAnswer, unstreamed } from "./unstreamed.js";

/** The retries during a stream: the client has read a part of the answer, so it cannot retry. */
const RETRIES = { times: 2, mostMs: 20_000 };
/** The maximum size of an upstream's error that is passed on in a stream, in bytes. */
const MOST_ERROR = 65_536;

/**
 * Streams all rounds as one answer. It starts with the first round's answer, so that clients need not wait longer, and
 * comments that keep the connection alive are passed on. An error of the first round is passed on unchanged.
 */
export async function streamed(running: Running): Promise<Response> {
  const first = await firstAnswer(running);
  // Some backends do not stream.
  if (first.ok && isJson(first)) return unstreamed(running, first);
  if (!first.ok || !isStream(first)) {
    running.end("upstream_error");
    return answered(running, first);
  }
  const source = new Events();
  return answered(running, first, asStream(textsOf(running, source, first), source, running));
}

async function* textsOf(running: Running, source: Events, first: Response): AsyncGenerator<string> {
  const { wire, request, exchange, signal } = running;
  const { maxReplyBytes } = running.settings;
  const joiner = wire.joiner(request);
  const again = (body: string) => askedAgain(() => running.send(body), { ...RETRIES, signal });
  const ask = (round: number) => (round === 1 ? first : again(exchange.body()));
  async function* settle(response: Response): AsyncGenerator<string, "done" | "upstream_error" | undefined> {
    if (!response.ok || !isStream(response)) {
      // The pending events are the end of the previous round, which would look like success.
      yield wire.streamError(await textOfBody(response.body, MOST_ERROR, REPLY));
      return "upstream_error";
    }
    joiner.begin(exchange.isReal);
    for await (const events of source.of(response, maxReplyBytes)) {
      const text = events.map((event) => joiner.push(event)).join("");
      if (text !== "") yield text;
    }
    const reply = joiner.ended();
    if (reply === undefined) {
      const { isCut } = joiner;
      const cut = isCut ? streamFailure(wire, new Error("it ended before the reply was whole"), signal) : undefined;
      yield joiner.rest() + (cut ?? "");
      return "upstream_error";
    }
    const settled = await exchange.settle(reply, signal);
    if (!settled.isFinal) {
      joiner.next();
      return undefined;
    }
    const last = joiner.close(settled);
    const { mark, id } = joiner;
    await running.done({ mark, id, chain: chainOf(running, settled, id, reply.id) });
    // A client may disconnect as soon as it has read the end.
    running.end("done");
    yield last;
    return "done";
  }
  running.end(yield* rounds(ask, settle, signal));
}

function asStream(texts: AsyncGenerator<string>, source: Events, running: Running): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isCancelled = false;
  let isReading = false;
  const { signal } = running;
  // A client that neither reads nor disconnects must not keep the upstream's connection open for ever.
  whenAborted(signal, () => {
    if (isReading) return;
    void source.stop();
    running.end(ToolSiftError.is(signal.reason) ? "failed" : "aborted");
  });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        isReading = true;
        try {
          if (signal.aborted) throw signal.reason;
          const { done, value } = await texts.next();
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          await source.stop();
          if (isCancelled) return;
          const failure = streamFailure(running.wire, error, signal);
          running.end(failure === undefined ? "aborted" : "failed");
          // A client that aborts expects the platform's own error.
          if (failure === undefined) return controller.error(signal.reason);
          controller.enqueue(encoder.encode(failure));
          controller.close();
        } finally {
          isReading = false;
        }
      },
      cancel: async () => {
        isCancelled = true;
        running.end("aborted");
        await source.stop();
        await texts.return(undefined).catch(() => {});
      },
    },
    // Nothing is read before the client asks for it.
    { highWaterMark: 0 },
  );
}

/** Reads the events of a request. */
class Events extends StreamReader<Uint8Array> {
  /** @throws ToolSiftError `limit_out_of_range`, `reply_invalid` */
  async *of(response: Response, maxReplyBytes: number): AsyncGenerator<SseEvent[]> {
    const parser = new SseParser(maxReplyBytes);
    let left = maxReplyBytes;
    for await (const value of this.parts(response.body!)) {
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
