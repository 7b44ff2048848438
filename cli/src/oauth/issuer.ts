/**
 * The slash at the end of an authorization server's name is no difference: with and without it, the name leads to the same
 * metadata. The SDK compares names to the letter where a resource names the server without the slash.
 */

import type { FetchLike } from "@modelcontextprotocol/client";

/** Whether two names are those of one authorization server. */
export const isSameIssuer = (one: string, other: string): boolean => one.replace(/\/$/, "") === other.replace(/\/$/, "");

/** A `fetch` for the sign-in: authorization servers that a resource names get the slash, with which the SDK takes both. */
export function withSlash(next: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await next(input, init);
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    if ((init?.method ?? "GET").toUpperCase() !== "GET" || !response.ok || !isJson) return response;
    const text = await response.text();
    return new Response(slashed(text), { status: response.status, headers: response.headers });
  };
}

/** The metadata of a resource with that slash; any other text as it is. */
function slashed(text: string): string {
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch {
    return text;
  }
  const { authorization_servers: servers } = Object(metadata) as { authorization_servers?: unknown };
  if (!Array.isArray(servers)) return text;
  const named = servers.map((one: unknown) => (typeof one === "string" ? one.replace(/\/?$/, "/") : one));
  return JSON.stringify({ ...(metadata as object), authorization_servers: named });
}
