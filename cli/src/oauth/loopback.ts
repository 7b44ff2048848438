/** Listens on 127.0.0.1 for the redirect that ends a sign-in. */

import { isSameSecret } from "../base/values.js";
import { listen, type Listening } from "../listen/listen.js";

/** The path of the redirect. */
const CALLBACK = "/callback";
/** The most open requests. A browser sends only a few. */
const MAX_REQUESTS = 32;
const CLOSE_MS = 1_000;

/** The headers of the page after the redirect. The page's address holds the code, so the page sends no referrer. */
const HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  connection: "close",
};

/** Returns the redirect URL for a port. */
export const redirectUrl = (port: number) => `http://127.0.0.1:${port}${CALLBACK}`;

/** The text of the page after the redirect. */
export interface Answer {
  isDone: boolean;
  text: string;
}

/**
 * Listens for the redirect on a port of 127.0.0.1; 0 takes a free port.
 *
 * @param arrived receives the parameters of a redirect with the right `state`, and returns the text of the page
 * @throws Error if the port cannot be used; its cause is the system's error, such as `EADDRINUSE`
 */
export function loopback(
  port: number,
  state: string,
  arrived: (params: URLSearchParams) => Promise<Answer>,
): Promise<Listening> {
  const page = (status: number, text: string) => new Response(`${text}\n`, { status, headers: HEADERS });
  const handler = async ({ url, method }: Request) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname !== CALLBACK) return page(404, "There is nothing here.");
    if (method !== "GET") return page(405, "This page accepts only GET requests.");
    if (!isSameSecret(searchParams.get("state") ?? "", state)) {
      return page(400, "Not signed in: this answer does not belong to the sign-in that is under way. Start again.");
    }
    const { isDone, text } = await arrived(searchParams);
    return isDone ? page(200, `Signed in. ${text}`) : page(400, `Not signed in: ${text}`);
  };
  return listen(handler, { port, anyOrigin: true, maxRequests: MAX_REQUESTS, closeMs: CLOSE_MS });
}

/**
 * Sends the redirect to the listener, with an address that the user copied from a browser on another machine: that browser
 * cannot reach our 127.0.0.1. The listener may belong to another process.
 *
 * @param signInPage the page of the sign-in; its parameters hold the redirect URL and the state
 */
export async function passOn(address: string, signInPage: URL): Promise<Answer> {
  const text = address.trim();
  const params = URL.canParse(text) ? new URL(text).searchParams : undefined;
  if (params?.get("state") !== signInPage.searchParams.get("state")) {
    const next = "Copy the whole address that begins with http://127.0.0.1";
    return { isDone: false, text: `This is not the address of this sign-in. ${next}` };
  }
  try {
    const { ok } = await fetch(`${signInPage.searchParams.get("redirect_uri")}?${params}`);
    return { isDone: ok, text: ok ? "Signed in." : "The sign-in failed." };
  } catch {
    return { isDone: false, text: "The sign-in has ended. Start again." };
  }
}

/** Returns a port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(() => new Response(), { port: 0 });
  await close();
  return port;
}
