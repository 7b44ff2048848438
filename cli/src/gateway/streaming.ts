/** Hands requests of Node to a WHATWG handler and its answers back, both as they come: bytes, at the reader's speed. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FetchHandler, ListenOptions } from "./listen.js";

const WITHOUT_BODY = ["GET", "HEAD"];

/** Serves a handler. Its request is aborted when the client goes. */
export function streaming(handler: FetchHandler, refusal: NonNullable<ListenOptions["refusal"]>, onerror: ListenOptions["onerror"]) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const abort = new AbortController();
    outgoing.once("close", () => abort.abort());
    // A proxy's client may name a whole URL here; this server has paths alone.
    if (!incoming.url?.startsWith("/")) return void outgoing.writeHead(400, { connection: "close" }).end();
    try {
      const response = await handler(requestOf(incoming, abort.signal));
      // Several cookies are several headers.
      outgoing.setHeaders(response.headers);
      outgoing.writeHead(response.status);
      if (response.body === null) return void outgoing.end();
      // A stream may take long until its first piece.
      outgoing.flushHeaders();
      await pipeline(Readable.fromWeb(response.body as never), outgoing);
    } catch (error) {
      // A client that goes is no problem of this server.
      if (!abort.signal.aborted) onerror?.(error instanceof Error ? error : new Error(String(error)));
      if (outgoing.headersSent) return void outgoing.destroy();
      outgoing.writeHead(500, { "content-type": "application/json" }).end(refusal(incoming.url, 500, "the proxy failed"));
    }
  };
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const hasBody = !WITHOUT_BODY.includes(method);
  const init = { method, headers, signal, ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }) };
  return new Request(`http://${incoming.headers.host ?? "localhost"}${url}`, init as RequestInit);
}
