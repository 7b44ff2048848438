/** Serves the page of `mcp watch`: to this machine alone, at an address that holds a random token. */

import { randomBytes } from "node:crypto";
import { isSameSecret } from "../values.js";
import { type Listening, listen } from "../listen/listen.js";
import type { Watch } from "./state.js";
import { switchTo } from "./switches.js";
import { readFileSync } from "node:fs";

const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The page, and what it asks for. */
export interface Page {
  /** Its address, with the token. */
  url: URL;
  close(): Promise<void>;
}

/** Serves the page until `close`. @throws Error when no port can be had */
export async function servePage(watch: Watch, onerror: (error: Error) => void): Promise<Page> {
  const token = randomBytes(24).toString("base64url");
  const listening: Listening = await listen((request) => answer(request, token, watch), { port: 0, closeMs: 500, onerror });
  return { url: new URL(`${listening.url}/${token}/`), close: () => listening.close() };
}

async function answer(request: Request, token: string, watch: Watch): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const [, given = "", what, more] = pathname.split("/");
  if (!isSameSecret(given, token) || what === undefined || more !== undefined) return plainText(404, "Not found");
  if (request.method === "GET" && what === "") return page();
  if (request.method === "GET" && what === "state") return json(await watch.state());
  if (request.method !== "POST") return plainText(405, "Not allowed");
  // A browser sends the origin with each of these; another page's is refused, though it cannot know the token.
  const from = request.headers.get("origin");
  const isJson = request.headers.get("content-type")?.startsWith("application/json") === true;
  if ((from !== null && from !== origin) || !isJson) return plainText(403, "Forbidden");
  const { server, tool, hash, on } = ((await request.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  if (typeof server !== "string" || (tool !== undefined && typeof tool !== "string"))
    return plainText(400, "server is missing");
  if (what === "approve" && tool !== undefined && typeof hash === "string") {
    const isApproved = await watch.approve(server, tool, hash);
    return isApproved ? json({}) : plainText(409, "It waits no more, or with another definition: look at it again.");
  }
  if (what === "switch" && typeof on === "boolean") {
    await switchTo(on, server, tool);
    return json({});
  }
  return plainText(400, "Unknown request");
}

function page(): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const headers = { ...HEADERS, "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
  return new Response(pageHtml(nonce), { headers });
}

const json = (value: unknown): Response => Response.json(value, { headers: HEADERS });
const plainText = (status: number, text: string): Response => new Response(`${text}\n`, { status, headers: HEADERS });

const built = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");

/** The page. Its style and script carry the nonce that its policy names. */
function pageHtml(nonce: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>toolsift</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style nonce="${nonce}">${built("style.css")}</style></head>`,
    `<body><main></main><script nonce="${nonce}">${built("main.js")}</script></body></html>`,
  ].join("\n");
}
