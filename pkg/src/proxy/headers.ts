/** Headers on their way through: those of one connection stay on it, and those of the proxy go no further. */

import type { Cost } from "../types/index.js";
import type { Clock } from "./clock.js";

/** The header by which a client names its conversation. */
export const SESSION_HEADER = "x-toolsift-session";
/** The header by which it names tools that are never deferred, between commas. */
export const ALWAYS_HEADER = "x-toolsift-always";

/** Headers that are of one connection only, as HTTP has them. */
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

/** The headers of a request as they go to the upstream. */
export function upwards(headers: Headers, isRewritten: boolean): Headers {
  const sent = withoutHops(headers);
  // The platform writes those of the address and the length; what we compress it knows better than the client. What the client
  // expects before it sends its body, it has got: the platform's `fetch` refuses to ask for it again.
  for (const key of ["host", "accept-encoding", "expect"]) sent.delete(key);
  if (isRewritten)
    for (const key of ["content-length", "content-encoding", "content-md5", "digest", "content-digest"]) sent.delete(key);
  for (const key of [...sent.keys()]) if (key.startsWith("x-toolsift-")) sent.delete(key);
  return sent;
}

/** The address of what an upstream keeps under an id. */
export function below(url: URL, id: string): string {
  const at = new URL(url);
  at.pathname = `${at.pathname.replace(/\/+$/, "")}/${encodeURIComponent(id)}`;
  return at.href;
}

/** An answer of the upstream's as the client gets it: as it came, or with a body of ours, and with what the request costs. */
export function downwards(response: Response, body?: string | ReadableStream<Uint8Array>, costs: object = {}): Response {
  const { status, statusText } = response;
  const headers = withoutEncoding(response.headers, body !== undefined);
  for (const [key, value] of Object.entries(costs)) headers.set(key, value as string);
  return new Response(body ?? response.body, { status, statusText, headers });
}

function withoutEncoding(headers: Headers, isRewritten: boolean): Headers {
  const sent = withoutHops(headers);
  // The platform has decoded the body, and says so by nothing.
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
}

/** The cost of a request, as headers of its answer. */
export function costHeaders(costs: Costs, { ms }: Clock): Record<string, string> {
  const { active, full, sent, requests, rankerVersion } = costs;
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
