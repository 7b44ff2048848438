/**
 * Treats the names of an authorization server with and without a slash at the end as equal: both lead to the same metadata.
 * The MCP SDK compares them exactly if the resource names its authorization server without the slash.
 */

import type { FetchLike } from "@modelcontextprotocol/client";

/** Returns true if two names belong to the same authorization server. */
export const isSameIssuer = (one: string, other: string): boolean => one.replace(/\/$/, "") === other.replace(/\/$/, "");

/** Wraps a `fetch`: adds the slash to authorization servers in a resource's metadata. The SDK then accepts both names. */
export function withSlash(next: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await next(input, init);
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    if ((init?.method ?? "GET").toUpperCase() !== "GET" || !response.ok || !isJson) return response;
    const text = await response.text();
    return new Response(slashed(text), { status: response.status, headers: response.headers });
  };
}

/** Returns the metadata of a resource with the slash added. Returns any other text unchanged. */
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
