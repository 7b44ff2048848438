/** A WHATWG request handler with tool search, as a proxy of one upstream. */

import { bytesOf } from "../base/bodies.js";
import { ToolSiftError } from "../base/errors.js";
import { start } from "../loop/driver.js";
import { fieldsOf, textIn } from "../wire/fields.js";
import { errorAnswer, errorResponse, REQUEST } from "./failures.js";
import { sifting } from "./fetch.js";
import { ALWAYS_HEADER, downwards, SESSION_HEADER, upwards } from "./headers.js";
import { proxySettingsOf } from "./options.js";
import { tell } from "./tell.js";
import type { SiftProxyOptions } from "./types.js";
import type { Wire } from "./wire.js";
import { wireOf } from "./wires/index.js";

/**
 * Returns a request handler that any client can use as its base URL. It serves every path of the upstream: requests with
 * tools get tool search, all others are passed on unchanged.
 *
 * ```ts
 * export default { fetch: siftProxy({ upstream: "https://api.openai.com" }) };
 * ```
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function siftProxy(options: SiftProxyOptions): (request: Request) => Promise<Response> {
  const { settings, upstream, basePath } = proxySettingsOf(options);
  const fetch = sifting(settings);
  return async (request) => {
    const clock = start();
    const target = targetOf(new URL(request.url), upstream, basePath);
    const found = request.method === "POST" ? wireOf(target.pathname, target.searchParams) : undefined;
    try {
      if (found === undefined || request.headers.has("content-encoding")) {
        return downwards(await settings.fetch(target.href, passing(request)));
      }
      const body = await bytesOf(request.body, settings.maxBodyBytes, REQUEST);
      const { signal } = request;
      const sent = { method: "POST", headers: clientHeaders(request), body, signal, ...AS_IS };
      return downwards(await fetch(target.href, sent, clock));
    } catch (error) {
      return failed(found?.wire, error, request.signal, (message) => tell(settings, { type: "problem", message }));
    }
  };
}

/** Redirects of the upstream are the client's to follow. */
const AS_IS = { redirect: "manual" } as const;

/** Returns the headers for the upstream, with those for the proxy. */
function clientHeaders({ headers }: Request): Headers {
  const sent = upwards(headers, false);
  for (const key of [SESSION_HEADER, ALWAYS_HEADER]) if (headers.has(key)) sent.set(key, headers.get(key)!);
  return sent;
}

/** Returns the URL at the upstream. Its origin is always the upstream's, even if the path contains another. */
function targetOf(url: URL, upstream: URL, basePath: string): URL {
  const isBelow = basePath !== "" && (url.pathname === basePath || url.pathname.startsWith(`${basePath}/`));
  const path = isBelow ? url.pathname.slice(basePath.length) : url.pathname;
  const base = upstream.pathname.replace(/\/+$/, "");
  // A client may also have the upstream's path in its base URL.
  const below = base !== "" && (path === base || path.startsWith(`${base}/`)) ? path : `${base}${path}`;
  const target = new URL(upstream.origin);
  target.pathname = below;
  target.search = url.search;
  return target;
}

function passing(request: Request): RequestInit {
  const { method, body, headers, signal } = request;
  const stream = body === null ? {} : { body, duplex: "half" };
  return { method, headers: upwards(headers, false), signal, ...AS_IS, ...stream } as RequestInit;
}

/**
 * Returns the response for an error, in the vendor's form. Network errors may contain addresses, which clients must not get,
 * and their messages may quote headers. So your program gets only the code, such as `ENOTFOUND`.
 */
function failed(wire: Wire | undefined, error: unknown, signal: AbortSignal, problem: (message: string) => void): Response {
  if (ToolSiftError.is(error)) return errorResponse(wire, error);
  if (signal.aborted) throw error;
  const code = codeOf(error);
  problem(`the upstream could not be reached${code === undefined ? "" : `: ${code}`}`);
  return errorAnswer(wire, 502, { code: "upstream_unreachable", message: "the upstream could not be reached" });
}

/** Returns the code of a network error, which some platforms put into `cause`. */
function codeOf(error: unknown): string | undefined {
  const code = textIn(fieldsOf(fieldsOf(error)["cause"])["code"]) ?? textIn(fieldsOf(error)["code"]);
  return code !== undefined && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
