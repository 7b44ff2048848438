/**
 * A `fetch` on top of Node's `http` module. Node's built-in `fetch` gives up if headers or a piece of the body take longer
 * than 300 s; here only the request's own signal ends it. A caller can also pass the addresses to connect to.
 */

import { lookup } from "node:dns";
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { webOf } from "./streaming.js";

/** The time limit to open a connection, in ms. */
const CONNECT_MS = 10_000;
/** The statuses of answers without a body. */
const BODILESS = [204, 205, 304];
/** Decoders by encoding. Some servers compress although the request does not ask for it. */
const DECODERS: Record<string, () => Transform> = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** The time that an idle connection is kept, in ms, as in the built-in `fetch`. Servers keep theirs for at least 5 s. */
const KEPT_MS = 4_000;
const KEPT = { keepAlive: true, timeout: KEPT_MS };
const AGENTS = { "http:": new HttpAgent(KEPT), "https:": new HttpsAgent(KEPT) };
/** The methods of requests that may be sent twice. */
const REPEATABLE = ["GET", "HEAD"];

/** The options of `fetch`, and the addresses of the host. Without `addresses`, the host is looked up. */
export type HttpInit = RequestInit & { addresses?: readonly string[] | undefined };

/** Starts a request to an http or https URL. */
function begun(url: URL, options: RequestOptions): ClientRequest {
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

/** Sends a request like the built-in `fetch`. The body is text, bytes or a stream. Redirects are returned, not followed. */
export async function httpFetch(input: string | URL | Request, init: HttpInit = {}): Promise<Response> {
  const { method = "GET", body, signal, addresses } = init;
  const url = new URL(String(input));
  const headers = Object.fromEntries(new Headers(init.headers));
  // With given addresses, no kept connection is used: it may lead to an earlier address of the host.
  const asked = addresses && { agent: false, lookup: only(url.hostname, addresses) };
  signal?.throwIfAborted();
  for (let tried = 0; ; tried++) {
    const outgoing = begun(url, { method, headers, ...(signal && { signal }), ...asked });
    const isUnwritten = watched(outgoing);
    try {
      return responseOf(await answered(outgoing, body), method, url);
    } catch (error) {
      signal?.throwIfAborted();
      // The server has closed a kept connection. If it has read part of the request, it may already have acted on it.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET";
      const isUnread = REPEATABLE.includes(method) || isUnwritten();
      if (!isStale || !isUnread || body instanceof ReadableStream || tried === 1)
        throw new TypeError("fetch failed", { cause: error });
    }
  }
}

/** Returns a DNS lookup that gives these addresses for the host. */
function only(host: string, addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (name, options, callback) => {
    if (name !== host) return lookup(name, options, callback);
    const [first] = known;
    if (first === undefined) callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), []);
    else if (options.all) callback(null, known);
    else callback(null, first.address, first.family);
  };
}

/** Watches a request. The returned function says whether nothing was written to its connection yet. */
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
    else outgoing.end(body instanceof ArrayBuffer ? new Uint8Array(body) : (body ?? undefined));
  });
}

function responseOf(incoming: IncomingMessage, method: string, url: URL): Response {
  const { statusCode: status = 502, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const hasBody = method !== "HEAD" && !BODILESS.includes(status);
  if (!hasBody) incoming.resume();
  const decoder = DECODERS[headers.get("content-encoding")?.toLowerCase() ?? ""];
  // Errors of the connection and of the decoder both reach the reader of the body.
  const read = decoder === undefined ? incoming : piped(incoming, decoder());
  const response = new Response(hasBody ? webOf(read) : null, { status, statusText, headers });
  return Object.defineProperty(response, "url", { value: url.href });
}

function piped(incoming: IncomingMessage, decoder: Transform): Transform {
  pipeline(incoming, decoder).catch(() => {});
  return decoder;
}
