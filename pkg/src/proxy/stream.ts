/** Leads the rounds of a request that asks for a stream, as one stream that is read only as fast as the client reads. */

import { reasonOf } from "../boundary.js";
import { ToolSiftError } from "../errors.js";
import { sentAgain } from "./again.js";
import { REPLY, textOfBody } from "./bodies.js";
import { rounds, Source } from "../loop/rounds.js";
import { plain } from "./plain.js";
import { chainOf, isJson, isStream, passed, rewritten, type Running } from "./request.js";
import { SseParser } from "./sse.js";

/** The most of an upstream's error that is told within a stream. */
const MOST_ERROR = 65_536;

/** An answer of the upstream that is no stream. */
class NoStream {
  constructor(readonly response: Response) {}
}

/**
 * The answer begins when there is something that the client gets: until then the upstream can still refuse, and its refusal
 * is the client's as it came.
 */
export async function streamed(running: Running): Promise<Response> {
  const source = new Events();
  const texts = textsOf(running, source);
  let first: IteratorResult<string>;
  try {
    first = await texts.next();
  } catch (error) {
    if (!(error instanceof NoStream)) throw error;
    const { response } = error;
    // Some backends do not stream.
    if (response.ok && isJson(response) && running.exchange.requests === 1) return plain(running, response);
    running.end("upstream_error");
    return passed(response, running);
  }
  return rewritten(asStream(first, texts, source, running), source.response!, running);
}

async function* textsOf(running: Running, source: Events): AsyncGenerator<string> {
  const { wire, asked, exchange, signal } = running;
  const joiner = wire.joiner(asked);
  let hasFlowed = false;
  const ask = () => (hasFlowed ? sentAgain(running, exchange.body()) : running.send(exchange.body()));
  async function* settle(response: Response): AsyncGenerator<string, "done" | "upstream_error" | undefined> {
    if (!response.ok || !isStream(response)) {
      if (!hasFlowed) throw new NoStream(response);
      // What is held is the end of the round before, which would look like success.
      yield wire.streamError(await textOfBody(response.body, MOST_ERROR, REPLY));
      return "upstream_error";
    }
    joiner.begin(exchange.isReal);
    for await (const events of source.of(response, running)) {
      const text = events.map((event) => joiner.push(event)).join("");
      if (text === "") continue;
      hasFlowed = true;
      yield text;
    }
    const reply = joiner.ended();
    if (reply === undefined) {
      yield joiner.rest();
      return "upstream_error";
    }
    const settled = await exchange.settle(reply, signal);
    if (!settled.isFinal) {
      joiner.next();
      return undefined;
    }
    const last = joiner.close(settled);
    const { told, id } = joiner;
    await running.done({ told, id, chain: chainOf(running, settled, id, reply.id) });
    // A client may go as soon as it has read the end.
    running.end("done");
    yield last;
    return "done";
  }
  running.end(yield* rounds(ask, settle, signal));
}

/** Reads the streams of the rounds as events. */
class Events extends Source<Uint8Array> {
  /** The answer that is being read. */
  response: Response | undefined;

  async *of(response: Response, { settings, clock }: Running) {
    this.response = response;
    const parser = new SseParser(settings.maxReplyBytes);
    let left = settings.maxReplyBytes;
    for await (const value of this.parts(response.body!, (read) => clock.wait(read))) {
      left -= value.length;
      if (left < 0) {
        throw new ToolSiftError("limit_out_of_range", `the upstream's stream has more than ${settings.maxReplyBytes} bytes, the limit`);
      }
      yield parser.push(value);
    }
    yield parser.end();
  }
}

function asStream(
  first: IteratorResult<string>,
  texts: AsyncGenerator<string>,
  source: Events,
  running: Running,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: IteratorResult<string> | undefined = first;
  let isCancelled = false;
  let isReading = false;
  const { signal } = running;
  running.clock.stop();
  // A client that neither reads on nor goes away must not hold the upstream for ever.
  const abandon = () => {
    if (isReading) return;
    void source.stop();
    running.end(ToolSiftError.is(signal.reason) ? "failed" : "aborted");
  };
  if (signal.aborted) abandon();
  else signal.addEventListener("abort", abandon, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        running.clock.start();
        isReading = true;
        try {
          if (signal.aborted) throw signal.reason;
          const { done, value } = waiting ?? (await texts.next());
          waiting = undefined;
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          await source.stop();
          if (isCancelled) return;
          const isClients = signal.aborted && !ToolSiftError.is(signal.reason);
          running.end(isClients ? "aborted" : "failed");
          // Who aborts expects the platform's own error.
          if (isClients) return controller.error(signal.reason);
          controller.enqueue(encoder.encode(failure(error, running)));
          controller.close();
        } finally {
          isReading = false;
          running.clock.stop();
        }
      },
      cancel: async () => {
        isCancelled = true;
        running.end("aborted");
        await source.stop();
        await texts.return(undefined).catch(() => {});
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}

/** What the client is told where the stream cannot go on. Errors of others are not ours to tell in full. */
function failure(error: unknown, { wire, signal }: Running): string {
  const reason = signal.aborted ? signal.reason : error;
  const code = ToolSiftError.is(reason) ? reason.code : "upstream_failed";
  const message = ToolSiftError.is(reason) ? reason.message : `the upstream's stream broke off: ${reasonOf(reason)}`;
  return wire.streamError(wire.error(500, code, message));
}
