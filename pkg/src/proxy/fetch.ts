/** A `fetch` with tool search, for the clients of vendors' SDKs. */

import { bytesOf } from "../base/bodies.js";
import { ToolSiftError } from "../base/errors.js";
import { type Clock, start } from "../loop/driver.js";
import { errorResponse, REQUEST } from "./failures.js";
import { ALWAYS_HEADER, below, SESSION_HEADER, upwards } from "./headers.js";
import { fetchSettingsOf, type ProxySettings } from "./options.js";
import { Sifter } from "./sifter.js";
import { tell } from "./tell.js";
import type { SiftFetchOptions } from "./types.js";
import { wireOf } from "./wires/index.js";

/**
 * Returns a `fetch` for a vendor's client: the model searches the tools of each request, and the client sees only calls of
 * its own tools. Requests without tools are passed on unchanged.
 *
 * ```ts
 * const client = new OpenAI({ fetch: siftFetch() });
 * ```
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function siftFetch(options: SiftFetchOptions = {}): typeof globalThis.fetch {
  const fetch = sifting(fetchSettingsOf(options));
  return (input, init) => fetch(input, init);
}

/** Returns a `fetch` for checked options. Its clock starts when the client's request arrives. */
export function sifting(
  settings: ProxySettings,
): (input: RequestInfo | URL, given?: RequestInit, clock?: Clock) => Promise<Response> {
  const sifter = new Sifter(settings);
  return async (input, given, clock = start()) => {
    const url = urlOf(input);
    const method = given?.method ?? (input instanceof Request ? input.method : "GET");
    const found = url === undefined || method.toUpperCase() !== "POST" ? undefined : wireOf(url.pathname, url.searchParams);
    const headers = new Headers(given?.headers ?? (input instanceof Request ? input.headers : undefined));
    if (found === undefined || url === undefined || headers.has("content-encoding")) return settings.fetch(input, given);
    const [body, init] = await bodyOf(input, given, settings.maxBodyBytes);
    if (typeof body !== "string") {
      if (body.why !== undefined)
        tell(settings, { type: "problem", message: `a request passes through in full: ${body.why}` });
      return settings.fetch(input, init);
    }
    const { wire, route } = found;
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const isOurs = headers.has(SESSION_HEADER) || headers.has(ALWAYS_HEADER);
    const pass = () => settings.fetch(input, isOurs ? { ...init, headers: upwards(headers, false) } : init);
    const send = (text: string, ended: AbortSignal, change?: (headers: Headers) => void) => {
      const sent = upwards(headers, true);
      change?.(sent);
      const { duplex: _, ...others } = (init ?? {}) as RequestInit & { duplex?: unknown };
      return settings.fetch(url.href, {
        ...settingsIn(input),
        ...others,
        method: "POST",
        headers: sent,
        body: text,
        signal: ended,
      });
    };
    const kept = (id: string, ended: AbortSignal) => {
      const { redirect } = init ?? {};
      return settings.fetch(below(url, id), {
        headers: upwards(headers, true),
        signal: ended,
        ...(redirect && { redirect }),
      });
    };
    try {
      return await sifter.answer(wire, route, { url, headers, text: body, clock, signal, pass, send, kept });
    } catch (error) {
      // The client expects the errors of the upstream's fetch.
      if (!ToolSiftError.is(error)) throw error;
      return errorResponse(wire, error);
    }
  };
}

function urlOf(input: RequestInfo | URL): URL | undefined {
  const href = input instanceof Request ? input.url : String(input);
  return URL.canParse(href) ? new URL(href) : undefined;
}

/** The options of a request besides its method, headers, body and signal. */
const HOW = ["redirect", "credentials", "keepalive", "cache", "mode", "referrer", "referrerPolicy", "integrity"] as const;

/** Platforms leave out the options that their `fetch` does not support. */
function settingsIn(input: RequestInfo | URL): RequestInit {
  if (!(input instanceof Request)) return {};
  return Object.fromEntries(HOW.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
}

/** Returns the body as text, or why it is not read; and the request's `init`, with a new stream if it was read. */
async function bodyOf(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  most: number,
): Promise<[string | { why?: string }, RequestInit | undefined]> {
  const large = { why: `its body has more than ${most} bytes, the limit` };
  const body: unknown = init?.body ?? undefined;
  if (typeof body === "string") return [body.length <= most ? body : large, init];
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return [body.byteLength <= most ? new TextDecoder().decode(body) : large, init];
  }
  if (body instanceof Blob) return [body.size <= most ? await body.text() : large, init];
  if (body !== undefined && !(body instanceof ReadableStream))
    return [{ why: "its body is neither text, bytes, a Blob nor a stream" }, init];
  if (body === undefined && !(input instanceof Request)) return [{}, init];
  const [looked, rest] = body === undefined ? [(input as Request).clone().body] : (body as ReadableStream<Uint8Array>).tee();
  const left = rest === undefined ? init : { ...init, body: rest };
  try {
    return [new TextDecoder().decode(await bytesOf(looked, most, REQUEST)), left];
  } catch (error) {
    if (ToolSiftError.is(error)) return [large, left];
    throw error;
  }
}
