/** Leads a conversation with a backend that has no tool search: asks again as long as the model only searches. */

import { endOf, rounds } from "../../loop/rounds.js";
import { textOfBody } from "../../bodies.js";
import { whenAborted } from "../../signals.js";
import { Events } from "../events.js";
import { REPLY } from "../failures.js";
import { isStream } from "../typed.js";
import type { Conversation } from "./types.js";

/** The most of an upstream's error that is told within a stream. */
const MOST_ERROR = 65_536;

/** One request of a client, and the way to the backend. */
export interface Running {
  conversation: Conversation;
  /** Requests in which the model may search. */
  maxRounds: number;
  /** Bytes of a reply, whole or streamed. */
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
  /** An error within the client's stream; undefined if the client itself ended the request. */
  failure(error: unknown): string | undefined;
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

/** Asks the backend again; what it was asked first with has its answer. */
function asking({ conversation, maxRounds, send }: Running, first: Response) {
  return (round: number) => (round === 1 ? first : send(conversation.body(round - 1 === maxRounds)));
}

function whole(running: Running, first: Response): Promise<Response> {
  const { conversation, maxRounds, maxReplyBytes, signal, wait, answer, end } = running;
  const settle = async (response: Response, round: number): Promise<Response | undefined> => {
    if (!response.ok) {
      end("upstream_error");
      return response;
    }
    const { body } = response;
    const text = await wait(() => textOfBody(body, maxReplyBytes, REPLY, signal));
    const isTaken = await takeReply(conversation, text);
    if (isTaken && round <= maxRounds && conversation.goesOn) return undefined;
    end(isTaken ? "done" : "upstream_error");
    return answer(isTaken ? conversation.reply() : text, response);
  };
  return endOf(rounds(asking(running, first), settle));
}

/** Takes a reply; what is none of this API is the client's to read. */
async function takeReply(conversation: Conversation, text: string): Promise<boolean> {
  try {
    await conversation.take(JSON.parse(text));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function* pieces(running: Running, first: Response): AsyncGenerator<string> {
  const { conversation, maxRounds, maxReplyBytes, signal, wait, end } = running;
  const source = new Events();
  const leave = whenAborted(signal, () => void source.stop());
  async function* settle(response: Response, round: number): AsyncGenerator<string, "done" | "upstream_error" | undefined> {
    if (!response.ok || !isStream(response)) {
      yield conversation.failed(await textOfBody(response.body, MOST_ERROR, REPLY));
      return "upstream_error";
    }
    for await (const events of source.of(response, { maxReplyBytes, wait })) {
      for (const event of events) yield await conversation.push(event);
    }
    signal.throwIfAborted();
    // The stream ended with an error of the backend, or before its end: the client sees the same.
    if (!conversation.isWhole) return "upstream_error";
    return round <= maxRounds && conversation.goesOn ? undefined : "done";
  }
  const outcome = yield* rounds(asking(running, first), settle);
  leave();
  // A client may go as soon as it has read the end.
  end(outcome);
  if (outcome === "done") yield conversation.close();
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
          const failure = running.failure(error);
          if (failure === undefined) return controller.error(error);
          controller.enqueue(encoder.encode(failure));
          controller.close();
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
