/**
 * Serves a `fetch` handler over HTTP. Without a token, only this machine can reach it. The handler gets the bodies of requests
 * as streams, and limits their size.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { hostname as osName, networkInterfaces } from "node:os";
import { checkToken } from "../base/token.js";
import { isSameSecret } from "../base/values.js";
import { hostIn, isOddMethod, targetOf } from "./incoming.js";
import { type FetchHandler, type Refusal, streaming } from "./streaming.js";

/** The most open requests at a time, streams included. */
export const MAX_REQUESTS = 1_024;
/** The time limits for a client to send the headers and the whole request, in ms. Answers have no time limit. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** The time between two checks of these limits, in ms. */
const CHECK_MS = 2_000;
/**
 * The time that a connection stays open without a request, in ms. A request that arrives just when the connection is closed
 * fails, and clients do not send it again. On a busy machine, clients are often silent longer than Node's default of 5 s.
 */
const KEEP_ALIVE_MS = 30_000;
/** The time that open requests have after `close`, in ms. */
const CLOSE_MS = 5_000;
/** After `close`, idle connections are closed at this interval, in ms. */
const IDLE_MS = 50;

/** The answer to a CONNECT request. Node passes us its raw connection instead of a response. */
const NO_CONNECT = "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const WILDCARDS = ["0.0.0.0", "::"];

/** The callers that are allowed. */
export interface Admitted {
  /** The address to bind. Default 127.0.0.1. An address that other machines can reach needs a token. */
  host?: string | undefined;
  /** Further names that are allowed in the Host header besides localhost, without ports. */
  allowedHosts?: readonly string[] | undefined;
  /** Host names of further web pages that may call, besides pages of this machine. */
  allowedOrigins?: readonly string[] | undefined;
  /** Whether any web page may call. Safe only if each request must contain a secret. */
  anyOrigin?: boolean;
  /** The token that callers must send as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/** The port and the limits of a listener, and the callers that are allowed. */
export interface ListenOptions extends Admitted {
  /** The port; 0 takes a free port. */
  port: number;
  /** The header for the token, if the `Authorization` header is needed for something else. */
  tokenHeader?: string;
  /** Makes the body of an error response. Default: a JSON-RPC error. */
  refusal?: Refusal;
  /** A path that needs no token. */
  open?: string;
  maxRequests?: number;
  /** The time limit for a client to send a whole request, in ms. */
  requestMs?: number;
  /** The time limit for the headers of a request, and the time that open requests have after `close`, in ms. */
  headersMs?: number;
  closeMs?: number;
  /** Receives the errors that the handler throws. */
  onerror?: (error: Error) => void;
}

/** A running HTTP server. */
export interface Listening {
  /** Its address, such as `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Accepts no new requests, waits for open requests (5 s by default), and then cuts the remaining connections. */
  close(): Promise<void>;
  /** Lets the process end although the server runs. */
  unref(): void;
}

/**
 * Starts an HTTP server.
 *
 * @throws Error if the port is in use or not allowed, or if a token is needed and missing
 */
export async function listen(handler: FetchHandler, options: ListenOptions): Promise<Listening> {
  const { port, host = "127.0.0.1", token, tokenHeader, maxRequests = MAX_REQUESTS } = options;
  const { headersMs = HEADERS_MS, requestMs = REQUEST_MS, closeMs = CLOSE_MS, refusal = asJsonRpc } = options;
  checkHost(host, token);
  const hosts = hostsOf(host, options);
  const origins = [...LOOPBACK, ...(options.allowedOrigins ?? [])];
  const serve = streaming(handler, refusal, options.onerror);
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
    if (targetOf(request) === undefined) return { status: 400, message: "the request target must be a path" };
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
  // Idle connections stay open, so there can be more connections than requests.
  server.maxConnections = maxRequests * 2;
  server.on("request", (request, response) => {
    open++;
    response.once("close", () => open--);
    const why = refused(request);
    if (why !== undefined) refuse(response, request, why);
    else void serve(request, response).catch(() => response.destroy());
  });
  server.on("connect", (_, socket: Socket) => socket.on("error", () => {}).end(NO_CONNECT, () => socket.destroy()));
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
 * Returns the allowed names in the Host header, or undefined if any name is allowed. The check stops a web page that points
 * its own name to this machine. If all addresses of the machine are bound and no name is given, the token stops it instead.
 */
function hostsOf(host: string, { allowedHosts }: Admitted): string[] | undefined {
  if (WILDCARDS.includes(host) && allowedHosts === undefined) return undefined;
  const own = host.includes(":") ? `[${host}]` : host;
  return [...LOOPBACK, own, ...(allowedHosts ?? [])];
}

/** Returns true if a URL leads to a listener with this port, host and names. False if there is no port. */
export function isOwn(url: string, at: Pick<Admitted, "host" | "allowedHosts"> & { http?: number | undefined }): boolean {
  const { protocol, port, hostname } = new URL(url);
  if (Number(port || (protocol === "https:" ? 443 : 80)) !== at.http) return false;
  if (isLoopback(hostname)) return true;
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const here = addresses.map(({ address }) => (address.includes(":") ? `[${address}]` : address));
  return (hostsOf(at.host ?? "127.0.0.1", at) ?? [...LOOPBACK, "0.0.0.0", "[::]", osName(), ...here]).includes(hostname);
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

async function bound(server: Server, port: number, host: string): Promise<void> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} of ${host} is in use; choose another, or 0 for a free one`,
      EACCES: `port ${port} needs more rights; choose a port of at least 1024`,
      EADDRNOTAVAIL: `this machine has no address ${host}`,
      ENOTFOUND: `this machine has no address ${host}`,
    };
    const reason = reasons[code ?? ""] ?? `cannot listen on port ${port} of ${host}: ${(error as Error).message}`;
    throw new Error(reason, { cause: error });
  }
}

async function closed(server: Server, closeMs: number): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that becomes idle only now would otherwise wait for another request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS).unref();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeMs);
  await done;
  clearInterval(idle);
  clearTimeout(timer);
}
