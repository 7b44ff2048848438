/** Hands requests of Node to a WHATWG handler and its answers back, both as they come: bytes, at the reader's speed. */

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { targetOf } from "./incoming.js";

/** Answers one request. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The body of a refusal, in the form of whoever is asked for. */
export type Refusal = (path: string, status: number, message: string) => string;

const WITHOUT_BODY = ["GET", "HEAD"];

/** Serves a handler. Its request is aborted when the client goes. */
export function streaming(handler: FetchHandler, refusal: Refusal, onerror?: (error: Error) => void) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const abort = new AbortController();
    outgoing.once("close", () => abort.abort());
    const url = targetOf(incoming, `http://${incoming.headers.host ?? "localhost"}`);
    if (url === undefined) return void outgoing.writeHead(400, { connection: "close" }).end();
    try {
      const response = await handler(requestOf(incoming, url, abort.signal));
      // Several cookies are several headers.
      outgoing.setHeaders(response.headers);
      outgoing.writeHead(response.status);
      if (response.body === null) return void outgoing.end();
      // A stream may take long until its first piece; all others go out with it, as one packet where they are one piece.
      if (isStream(response)) outgoing.flushHeaders();
      await written(response.body.getReader(), outgoing, abort.signal);
    } catch (error) {
      // A client that goes is no problem of this server.
      if (!abort.signal.aborted) onerror?.(error instanceof Error ? error : new Error(String(error)));
      if (outgoing.headersSent) return void outgoing.destroy();
      const body = refusal(incoming.url ?? "", 500, "the server failed");
      outgoing.writeHead(500, { "content-type": "application/json" }).end(body);
    }
  };
}

const isStream = ({ headers }: Response) => /\btext\/event-stream\b/i.test(headers.get("content-type") ?? "");

async function written(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const go = () => void reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) go();
  else signal.addEventListener("abort", go, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return void outgoing.end();
    if (!outgoing.write(value)) await once(outgoing, "drain", { signal });
  }
}

/** How many bytes are read ahead of whoever reads. */
const AHEAD_BYTES = 65_536;

/**
 * A stream of Node's as one of the platform's, with less work than Node's own conversion.
 *
 * @param cancel ends the stream where nobody reads on
 */
export function webOf(readable: Readable, cancel = () => void readable.destroy()): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const failed = (error: Error) => {
          if (isOver) return;
          isOver = true;
          controller.error(error);
        };
        readable.on("data", (bytes: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(bytes);
          if (controller.desiredSize! <= 0) readable.pause();
        });
        readable.on("end", () => {
          if (isOver) return;
          isOver = true;
          controller.close();
        });
        readable.on("error", failed).on("close", () => failed(new Error("the connection was closed")));
        readable.pause();
      },
      pull: () => void readable.resume(),
      cancel: () => {
        isOver = true;
        cancel();
      },
    },
    { highWaterMark: AHEAD_BYTES, size: ({ length }) => length },
  );
}

function requestOf(incoming: IncomingMessage, url: URL, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  // Who gets an answer before all was sent needs the connection for it: Node drops the rest behind the answer.
  const hasBody = !WITHOUT_BODY.includes(method);
  const init = {
    method,
    headers,
    signal,
    ...(hasBody && { body: webOf(incoming, () => void incoming.pause()), duplex: "half" }),
  };
  return new Request(url, init as RequestInit);
}
