/** Leads a conversation with a backend that has no tool search: asks again as long as the model only searches. */

import { letGo, REPLY, textOfBody } from "../bodies.js";
import { SseParser } from "../sse.js";
import { isStream } from "../typed.js";
import type { Conversation } from "./types.js";

/** The most of an upstream's error that is told within a stream. */
const MOST_ERROR = 65_536;

/** One request of a client, and the way to the backend. */
export interface Running {
  conversation: Conversation;
  /** Requests in which the model may search. */
  maxRounds: number;
  /** Bytes of a whole reply, and characters of one event of a stream. */
  maxReplyBytes: number;
  /** Ends when nobody waits for the answer any longer. */
  signal: AbortSignal;
  /** Asks the backend once. */
  send(body: string): Promise<Response>;
  /** Waits for what the backend does. */
  wait<T>(work: () => Promise<T>): Promise<T>;
  /** Makes an answer with another body. */
  answer(body: string | ReadableStream<Uint8Array>, response: Response): Response;
  /** Is called once, when the request ends in any way. */
  end(outcome: "done" | "upstream_error" | "failed" | "aborted"): void;
  /** Ends what the backend is still sending. */
  stop(): void;
}

/** The answer for the client. What the backend refuses comes back as it is. */
export async function emulate(running: Running): Promise<Response> {
  const { conversation, maxRounds, send, end } = running;
  try {
    const first = await send(conversation.body(maxRounds === 0));
    if (first.ok && !conversation.stream) return await whole(running, first);
    if (first.ok && isStream(first)) return running.answer(streamOf(running, first), first);
    end(first.ok ? "done" : "upstream_error");
    return first;
  } catch (error) {
    end("failed");
    throw error;
  }
}

async function whole(running: Running, first: Response): Promise<Response> {
  const { conversation, maxRounds, maxReplyBytes, signal, send, wait, answer, end } = running;
  let response = first;
  for (let searches = 1; ; searches += 1) {
    const { body } = response;
    const text = await wait(() => textOfBody(body, maxReplyBytes, REPLY, signal));
    if (!(await taken(conversation, text))) {
      end("upstream_error");
      return answer(text, response);
    }
    if (searches > maxRounds || !conversation.goesOn) {
      end("done");
      return answer(conversation.reply(), response);
    }
    response = await send(conversation.body(searches === maxRounds));
    if (response.ok) continue;
    end("upstream_error");
    return response;
  }
}

/** Takes a reply; what is none of this API is the client's to read. */
async function taken(conversation: Conversation, text: string): Promise<boolean> {
  try {
    await conversation.take(JSON.parse(text));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function* pieces(running: Running, first: Response): AsyncGenerator<string> {
  const { conversation, maxRounds, maxReplyBytes, signal, send, wait, end } = running;
  let response = first;
  for (let searches = 1; ; searches += 1) {
    const parser = new SseParser(maxReplyBytes);
    const reader = response.body!.getReader();
    const heard = letGo(reader, signal);
    for (;;) {
      const { done, value } = await wait(() => reader.read());
      for (const event of done ? parser.end() : parser.push(value)) yield await conversation.push(event);
      if (done) break;
    }
    heard();
    // The stream ended with an error of the backend, or before its end: the client sees the same.
    if (!conversation.isWhole) return end("upstream_error");
    if (searches > maxRounds || !conversation.goesOn) break;
    response = await send(conversation.body(searches === maxRounds));
    if (response.ok && isStream(response)) continue;
    yield conversation.failed(await textOfBody(response.body, MOST_ERROR, REPLY));
    return end("upstream_error");
  }
  // A client may go as soon as it has read the end.
  end("done");
  yield conversation.close();
}

/** A stream that asks for more only when its reader does. */
function streamOf(running: Running, first: Response): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const texts = pieces(running, first);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await texts.next();
            if (done) return controller.close();
            if (value !== "") return controller.enqueue(encoder.encode(value));
          }
        } catch (error) {
          running.stop();
          running.end("failed");
          controller.error(error);
        }
      },
      cancel() {
        running.end("aborted");
        running.stop();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
