/** A `fetch` with tool search in it, for the clients of vendors' SDKs. */

import { bytesOf, REQUEST } from "./bodies.js";
import { errorResponse } from "./failures.js";
import { ALWAYS_HEADER, SESSION_HEADER, upwards } from "./headers.js";
import { fetchSettingsOf } from "./options.js";
import { Sifter } from "./sifter.js";
import type { SiftFetchOptions } from "./types.js";
import { ToolSiftError } from "../errors.js";
import { wireOf } from "./wires/index.js";

/**
 * A `fetch` to hand to a vendor's client: the model searches the tools that each request brings, and the client sees calls of
 * its own tools only. Requests that have nothing to do with tools pass through as they are.
 *
 * ```ts
 * const client = new OpenAI({ fetch: siftFetch() });
 * ```
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function siftFetch(options: SiftFetchOptions = {}): typeof globalThis.fetch {
  const settings = fetchSettingsOf(options);
  const sifter = new Sifter(settings);
  return async (input, init) => {
    const url = urlOf(input);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    const found = url === undefined || method.toUpperCase() !== "POST" ? undefined : wireOf(url.pathname, url.searchParams);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const body = found === undefined ? undefined : await bodyOf(input, init, settings.maxBodyBytes);
    if (found === undefined || url === undefined || body === undefined || headers.has("content-encoding")) {
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
      return settings.fetch(url.href, { ...others, method: "POST", headers: sent, body: text, signal: ended });
    };
    try {
      return await sifter.answer(wire, route, { url, headers, text: body, signal, pass, send });
    } catch (error) {
      // What the upstream's fetch throws is what the client expects to be thrown.
      if (!ToolSiftError.is(error)) throw error;
      return errorResponse(wire, error);
    }
  };
}

function urlOf(input: RequestInfo | URL): URL | undefined {
  const href = input instanceof Request ? input.url : String(input);
  return URL.canParse(href) ? new URL(href) : undefined;
}

/** The body as text; undefined where it is none, or is too large to be looked at. */
async function bodyOf(input: RequestInfo | URL, init: RequestInit | undefined, most: number): Promise<string | undefined> {
  const body: unknown = init?.body;
  if (typeof body === "string") return body.length <= most ? body : undefined;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return body.byteLength <= most ? new TextDecoder().decode(body) : undefined;
  }
  if (body !== undefined && body !== null) return undefined;
  if (!(input instanceof Request)) return undefined;
  try {
    return new TextDecoder().decode(await bytesOf(input.clone().body, most, REQUEST));
  } catch (error) {
    if (ToolSiftError.is(error)) return undefined;
    throw error;
  }
}
