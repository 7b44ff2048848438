/** Filters headers: removes those of a single connection, and those for the proxy itself. */

import type { Cost } from "../types/index.js";

/** The header with the client's id of its conversation. */
export const SESSION_HEADER = "x-toolsift-session";
/** The header with the names of tools that are never deferred, with commas between them. */
export const ALWAYS_HEADER = "x-toolsift-always";

/** The headers that HTTP defines for a single connection. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Returns the headers of a request for the upstream. */
export function upwards(headers: Headers, isRewritten: boolean): Headers {
  const sent = withoutHops(headers);
  // The platform writes the host and the length, and knows better which compression it supports. `expect` was already
  // answered, and the platform's `fetch` refuses to send it.
  for (const key of ["host", "accept-encoding", "expect"]) sent.delete(key);
  if (isRewritten)
    for (const key of ["content-length", "content-encoding", "content-md5", "digest", "content-digest"]) sent.delete(key);
  for (const key of [...sent.keys()]) if (key.startsWith("x-toolsift-")) sent.delete(key);
  return sent;
}

/** Returns the URL of the object that an upstream stores under an id. */
export function below(url: URL, id: string): string {
  const at = new URL(url);
  at.pathname = `${at.pathname.replace(/\/+$/, "")}/${encodeURIComponent(id)}`;
  return at.href;
}

/** Returns the upstream's answer for the client: with its own or a new body, and with the request's cost in headers. */
export function downwards(response: Response, body?: string | ReadableStream<Uint8Array>, costs: object = {}): Response {
  const { status, statusText } = response;
  const headers = withoutEncoding(response.headers, body !== undefined);
  for (const [key, value] of Object.entries(costs)) headers.set(key, value as string);
  return new Response(body ?? response.body, { status, statusText, headers });
}

function withoutEncoding(headers: Headers, isRewritten: boolean): Headers {
  const sent = withoutHops(headers);
  // The platform has decoded the body without removing its headers.
  if (isRewritten || sent.has("content-encoding")) {
    for (const key of ["content-encoding", "content-length", "content-md5", "digest", "content-digest", "etag"])
      sent.delete(key);
  }
  return sent;
}

function withoutHops(headers: Headers): Headers {
  const sent = new Headers(headers);
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const key of [...HOP_BY_HOP, ...named.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))]) sent.delete(key);
  return sent;
}

/** The cost of a request. */
export interface Costs {
  active: boolean;
  full: Cost;
  sent: Cost;
  requests: number;
  rankerVersion: string;
  /** The time that the proxy needed before its first request to the upstream, in ms. */
  ms: number;
}

/** Returns the cost of a request as headers of its answer. */
export function costHeaders({ active, full, sent, requests, rankerVersion, ms }: Costs): Record<string, string> {
  return {
    "x-toolsift-active": String(active),
    "x-toolsift-tools-full": String(full.tools),
    "x-toolsift-tools-sent": String(sent.tools),
    "x-toolsift-tokens-full": String(full.tokens),
    "x-toolsift-tokens-sent": String(sent.tokens),
    "x-toolsift-bytes-full": String(full.bytes),
    "x-toolsift-bytes-sent": String(sent.bytes),
    "x-toolsift-requests": String(requests),
    "x-toolsift-ms": ms.toFixed(2),
    "x-toolsift-ranker": rankerVersion,
  };
}
