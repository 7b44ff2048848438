/**
 * Reaches the upstream by Node's own HTTP. The platform's `fetch` gives up where headers take 300 seconds, or the next piece of
 * a body does; here the limit of the request counts alone.
 */

import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { webOf } from "../listen/streaming.js";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** How long a connection may take to be made. */
const CONNECT_MS = 10_000;
/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304];
/** Encodings with which upstreams compress, although they are not asked to. */
const DECODERS: Record<string, () => Transform> = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** How long a connection is kept without a request, as the platform's `fetch` keeps it: servers close theirs after 5 s and more. */
const KEPT_MS = 4_000;
const KEPT = { keepAlive: true, timeout: KEPT_MS };
const AGENTS = { "http:": new HttpAgent(KEPT), "https:": new HttpsAgent(KEPT) };
/** Requests that may be made twice. */
const REPEATABLE = ["GET", "HEAD"];

/** Begins a request to an http or https URL. */
export function begun(url: URL, options: RequestOptions): ClientRequest {
  const isSecure = url.protocol === "https:";
  const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
    agent: AGENTS[isSecure ? "https:" : "http:"],
    ...options,
  });
  outgoing.once("socket", (socket) => {
    if (!socket.connecting) return;
    const late = setTimeout(
      () => outgoing.destroy(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" })),
      CONNECT_MS,
    );
    socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(late)).once("close", () => clearTimeout(late));
  });
  return outgoing;
}

/** As the platform's `fetch`, for the URLs, bodies and headers of the proxy's handler. Redirects are answers. */
export async function upstreamFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { method = "GET", body, signal } = init;
  const url = new URL(String(input));
  const headers = Object.fromEntries(new Headers(init.headers));
  signal?.throwIfAborted();
  for (let tried = 0; ; tried++) {
    const outgoing = begun(url, { method, headers, ...(signal && { signal }) });
    const isUnwritten = watched(outgoing);
    try {
      return responseOf(await answered(outgoing, body), method);
    } catch (error) {
      signal?.throwIfAborted();
      // The upstream has closed a connection that was kept. What it has read of a request, it may have done.
      const isStale = outgoing.reusedSocket && codeOf(error) === "ECONNRESET";
      const isUnread = REPEATABLE.includes(method) || isUnwritten();
      if (!isStale || !isUnread || body instanceof ReadableStream || tried === 1)
        throw new TypeError("fetch failed", { cause: error });
    }
  }
}

/** Says whether nothing of a request was written to its connection. */
function watched(outgoing: ClientRequest): () => boolean {
  let socket: Socket | undefined;
  let before = 0;
  outgoing.once("socket", (one) => {
    socket = one;
    before = one.bytesWritten;
  });
  return () => socket === undefined || socket.bytesWritten === before;
}

function answered(outgoing: ClientRequest, body: RequestInit["body"]): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve).on("error", reject);
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as never), outgoing).catch(reject);
    else outgoing.end(body ?? undefined);
  });
}

function responseOf(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 502, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const hasBody = method !== "HEAD" && !BODILESS.includes(status);
  if (!hasBody) incoming.resume();
  const decoder = DECODERS[headers.get("content-encoding")?.toLowerCase() ?? ""];
  // Errors of both reach the reader of the decoded body.
  const read = decoder === undefined ? incoming : piped(incoming, decoder());
  return new Response(hasBody ? webOf(read) : null, { status, statusText, headers });
}

function piped(incoming: IncomingMessage, decoder: Transform): Transform {
  pipeline(incoming, decoder).catch(() => {});
  return decoder;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
