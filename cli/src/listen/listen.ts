/** Serves a WHATWG `fetch` handler over HTTP, to this machine only unless a token is set. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { checkToken } from "../base/token.js";
import { isSameSecret } from "../base/values.js";
import { hostIn, isOddMethod, targetOf } from "./incoming.js";
import { type FetchHandler, type Refusal, streaming } from "./streaming.js";

/** The largest body of a request, unless told otherwise. */
const REQUEST_BYTES = 4 << 20;
/** Requests that are open at a time, streams included. */
export const MAX_REQUESTS = 1_024;
/** How long a client has to send a request's headers, and all of the request. Answers may take any time. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** How often both are checked. */
const CHECK_MS = 2_000;
/**
 * How long a connection without a request stays open. A request that comes just as it is closed fails, and clients do not send
 * it again: many clients at once on a busy machine are silent for longer than Node's 5 seconds.
 */
const KEEP_ALIVE_MS = 30_000;
/** How long open requests have after `close`. */
const CLOSE_MS = 5_000;
/** How often connections that have become idle meanwhile are closed. */
const IDLE_MS = 50;

/** The answer to CONNECT, whose connection Node gives away. */
const NO_CONNECT = "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const WILDCARDS = ["0.0.0.0", "::"];

/** Who may ask. */
export interface Admitted {
  /** The address to bind; 127.0.0.1 where it is missing. Another than a loopback address needs a token. */
  host?: string | undefined;
  /** Names in the Host header that are allowed besides localhost, without ports. */
  allowedHosts?: readonly string[] | undefined;
  /** Host names of web pages that may call besides those of this machine. */
  allowedOrigins?: readonly string[] | undefined;
  /** Whether any web page may call: what it sends holds a secret. */
  anyOrigin?: boolean;
  /** Callers send it as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/** The address to listen on, and who may ask. */
export interface ListenOptions extends Admitted {
  /** 0 takes a free port. */
  port: number;
  /** The header in which callers send the token instead, where `Authorization` is another's. */
  tokenHeader?: string;
  /** Hands bodies on as they come, whatever they hold and however long they are; the handler sets the bound. */
  streams?: boolean;
  /** The body of a refusal, in the form of whoever is asked for; that of JSON-RPC where it is missing. */
  refusal?: Refusal;
  /** A path that needs no token. */
  open?: string;
  maxRequests?: number;
  /** The largest body of a request, where bodies are not streamed. Default 4 MiB. */
  requestBytes?: number | undefined;
  /** How long a client has to send all of a request, in milliseconds. */
  requestMs?: number;
  /** How long a client has for a request's headers, and open requests have after `close`, in milliseconds. */
  headersMs?: number;
  closeMs?: number;
  /** Is told of what a handler throws. */
  onerror?: (error: Error) => void;
}

/** A server that listens. */
export interface Listening {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Takes no new requests, gives the open ones 5 seconds, and cuts what is left. */
  close(): Promise<void>;
  /** Does not keep the process alive any longer. */
  unref(): void;
}

/**
 * Listens for requests.
 *
 * @throws Error when the port is taken or not allowed, or when a token is missing
 */
export async function listen(handler: FetchHandler, options: ListenOptions): Promise<Listening> {
  const { port, host = "127.0.0.1", token, tokenHeader, maxRequests = MAX_REQUESTS } = options;
  const { headersMs = HEADERS_MS, requestMs = REQUEST_MS, closeMs = CLOSE_MS, refusal = asJsonRpc } = options;
  checkHost(host, token);
  const hosts = hostsOf(host, options);
  const origins = [...LOOPBACK, ...(options.allowedOrigins ?? [])];
  const serve = streaming(
    options.streams ? handler : whole(handler, options.requestBytes ?? REQUEST_BYTES),
    refusal,
    options.onerror,
  );
  let open = 0;
  const refused = (request: IncomingMessage): Refused | undefined => {
    if (isOddMethod(request)) return { status: 405, message: `there is no ${request.method} here` };
    if (open > maxRequests)
      return { status: 503, message: `more than ${maxRequests} requests are open`, headers: { "retry-after": "1" } };
    const { host: named, origin } = request.headers;
    const name = named === undefined && hosts === undefined ? "localhost" : hostIn(`http://${named ?? ""}`);
    if (name === "" || hosts?.includes(name) === false) return { status: 403, message: `Invalid Host: ${named ?? ""}` };
    if (origin && !options.anyOrigin && !origins.includes(hostIn(origin)))
      return { status: 403, message: `Invalid Origin: ${origin}` };
    if (targetOf(request) === undefined) return { status: 400, message: "the target of a request is a path here" };
    if (token === undefined || request.url === options.open || isSameSecret(tokenOf(request, tokenHeader), token))
      return undefined;
    const where = tokenHeader ?? "Authorization: Bearer";
    const message = `this server needs its token as ${where}`;
    return { status: 401, message, ...(tokenHeader === undefined && { headers: { "www-authenticate": "Bearer" } }) };
  };
  const refuse = (response: ServerResponse, { url = "" }: IncomingMessage, { status, message, headers }: Refused) => {
    const about = { ...headers, "content-type": "application/json", connection: "close" };
    response.writeHead(status, about).end(refusal(url, status, message));
  };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
  });
  // Connections wait between requests, so that there may be more of them than requests.
  server.maxConnections = maxRequests * 2;
  server.on("request", (request, response) => {
    open++;
    response.once("close", () => open--);
    const why = refused(request);
    if (why !== undefined) refuse(response, request, why);
    else void serve(request, response).catch(() => response.destroy());
  });
  server.on("connect", (_, socket: Socket) => socket.on("error", () => {}).end(NO_CONNECT));
  await bound(server, port, host);
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closed(server, closeMs));
  return { url: `http://${name}:${address.port}`, port: address.port, close, unref: () => void server.unref() };
}

function checkHost(host: string, token: string | undefined): void {
  if (token !== undefined) return checkToken(token);
  if (isLoopback(host)) return;
  const risk = `listening on ${JSON.stringify(host)} lets other machines call this server`;
  throw new Error(`${risk}; set a token, or listen on 127.0.0.1`);
}

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The names in the Host header that are this server's, so that no web page can make its own name point here; undefined for any.
 * Where every address of the machine is bound and no name is given, the token does that: a web page does not know it.
 */
function hostsOf(host: string, { allowedHosts }: ListenOptions): string[] | undefined {
  if (WILDCARDS.includes(host) && allowedHosts === undefined) return undefined;
  const own = host.includes(":") ? `[${host}]` : host;
  return [...LOOPBACK, own, ...(allowedHosts ?? [])];
}

interface Refused {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

function asJsonRpc(_: string, __: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
}

function tokenOf({ headers }: IncomingMessage, header: string | undefined): string {
  if (header !== undefined) return [headers[header] ?? ""].flat().join();
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** Reads bodies to their end before the handler gets them. */
function whole(handler: FetchHandler, most: number): FetchHandler {
  return async (request) => {
    if (request.body === null) return handler(request);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of request.body) {
      bytes += piece.length;
      if (bytes > most) return tooLarge(most);
      pieces.push(piece);
    }
    return handler(new Request(request, { body: Buffer.concat(pieces) }));
  };
}

function tooLarge(most: number): Response {
  const message = `a request has at most ${most.toLocaleString("en-US")} bytes`;
  const headers = { "content-type": "application/json", connection: "close" };
  return new Response(asJsonRpc("", 413, message), { status: 413, headers });
}

async function bound(server: Server, port: number, host: string): Promise<void> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} of ${host} is in use; choose another, or 0 for a free one`,
      EACCES: `port ${port} needs more rights; choose one from 1024 on`,
      EADDRNOTAVAIL: `this machine has no address ${host}`,
      ENOTFOUND: `this machine has no address ${host}`,
    };
    const reason = reasons[code ?? ""] ?? `cannot listen on port ${port} of ${host}: ${(error as Error).message}`;
    throw new Error(reason, { cause: error });
  }
}

async function closed(server: Server, closeMs: number): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer ends now would wait for another request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeMs);
  await done;
  clearInterval(idle);
  clearTimeout(timer);
}
