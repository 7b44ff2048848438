/**
 * A `fetch` by Node's own HTTP. The platform's gives up where headers take 300 seconds, or the next piece of a body does, and it
 * looks hosts up by itself; here the limit of the request counts alone, and a request may name the addresses to ask.
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

/** How long a connection may take to be made. */
const CONNECT_MS = 10_000;
/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304];
/** Encodings with which servers compress, although they are not asked to. */
const DECODERS: Record<string, () => Transform> = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** How long a connection is kept without a request, as the platform's `fetch` keeps it: servers close theirs after 5 s and more. */
const KEPT_MS = 4_000;
const KEPT = { keepAlive: true, timeout: KEPT_MS };
const AGENTS = { "http:": new HttpAgent(KEPT), "https:": new HttpsAgent(KEPT) };
/** Requests that may be made twice. */
const REPEATABLE = ["GET", "HEAD"];

/** What `fetch` takes, and the addresses of the host, which is not looked up again; undefined to look it up. */
export type HttpInit = RequestInit & { addresses?: readonly string[] | undefined };

/** Begins a request to an http or https URL. */
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

/** As the platform's `fetch`, for URLs and bodies of text, bytes or streams. Redirects are answers. */
export async function httpFetch(input: string | URL | Request, init: HttpInit = {}): Promise<Response> {
  const { method = "GET", body, signal, addresses } = init;
  const url = new URL(String(input));
  const headers = Object.fromEntries(new Headers(init.headers));
  // A connection that is kept was made to whatever address the host had before.
  const asked = addresses && { agent: false, lookup: only(url.hostname, addresses) };
  signal?.throwIfAborted();
  for (let tried = 0; ; tried++) {
    const outgoing = begun(url, { method, headers, ...(signal && { signal }), ...asked });
    const isUnwritten = watched(outgoing);
    try {
      return responseOf(await answered(outgoing, body), method, url);
    } catch (error) {
      signal?.throwIfAborted();
      // The server has closed a connection that was kept. What it has read of a request, it may have done.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET";
      const isUnread = REPEATABLE.includes(method) || isUnwritten();
      if (!isStale || !isUnread || body instanceof ReadableStream || tried === 1)
        throw new TypeError("fetch failed", { cause: error });
    }
  }
}

/** Answers for one host what it stood for when it was looked at. */
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
  // Errors of both reach the reader of the decoded body.
  const read = decoder === undefined ? incoming : piped(incoming, decoder());
  const response = new Response(hasBody ? webOf(read) : null, { status, statusText, headers });
  return Object.defineProperty(response, "url", { value: url.href });
}

function piped(incoming: IncomingMessage, decoder: Transform): Transform {
  pipeline(incoming, decoder).catch(() => {});
  return decoder;
}
