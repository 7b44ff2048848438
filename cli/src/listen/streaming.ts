/** Converts Node's requests to `Request` objects for a handler, and its `Response` back. Both bodies are streamed. */

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { targetOf } from "./incoming.js";

/** Answers one request. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Makes the body of an error response. The path tells in whose format. */
export type Refusal = (path: string, status: number, message: string) => string;

const WITHOUT_BODY = ["GET", "HEAD"];

/** Returns a listener for Node's HTTP server that calls the handler. If the client disconnects, the request is aborted. */
export function streaming(handler: FetchHandler, refusal: Refusal, onerror?: (error: Error) => void) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const abort = new AbortController();
    outgoing.once("close", () => abort.abort());
    // Without this, a body that the handler did not read would block the next request of the connection.
    outgoing.once("finish", () => incoming.removeAllListeners("data").resume());
    const url = targetOf(incoming, `http://${incoming.headers.host ?? "localhost"}`);
    if (url === undefined) return void outgoing.writeHead(400, { connection: "close" }).end();
    try {
      const response = await handler(requestOf(incoming, url, abort.signal));
      // `setHeaders` keeps several cookies as several headers.
      outgoing.setHeaders(response.headers);
      outgoing.writeHead(response.status);
      if (response.body === null) return void outgoing.end();
      // The first piece of an event stream may take long, so its headers are sent first. Others are sent with the body.
      if (isStream(response)) outgoing.flushHeaders();
      await written(response.body.getReader(), outgoing, abort.signal);
    } catch (error) {
      // A client that disconnects is not an error of this server.
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

/** The most bytes that are buffered for the reader. */
const AHEAD_BYTES = 65_536;

/**
 * Converts a stream of Node to a `ReadableStream`, faster than `Readable.toWeb`.
 *
 * @param cancel is called if the reader stops reading
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
  // If the reader stops, the body is paused and not destroyed: the answer still needs the connection. Node drops the rest.
  const hasBody = !WITHOUT_BODY.includes(method);
  const init = {
    method,
    headers,
    signal,
    ...(hasBody && { body: webOf(incoming, () => void incoming.pause()), duplex: "half" }),
  };
  return new Request(url, init as RequestInit);
}
