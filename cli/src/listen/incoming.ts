/** Reads parts of an incoming request. Never throws, so that no request can end the process. */

import type { IncomingMessage } from "node:http";

/** Methods that no handler here accepts, and for which `new Request` throws. */
const NEVER = ["CONNECT", "TRACE", "TRACK"];

/** Returns true if a request has one of these methods. */
export const isOddMethod = ({ method = "" }: IncomingMessage): boolean => NEVER.includes(method);

/** Returns the target of a request as a URL, or undefined if the target is not a path. Clients send proxies a whole URL. */
export function targetOf({ url = "" }: IncomingMessage, origin = "http://localhost"): URL | undefined {
  // The two are joined as text: `new URL("//name", origin)` would have the host `name`.
  const target = `${origin}${url}`;
  return url.startsWith("/") && URL.canParse(target) ? new URL(target) : undefined;
}

/** Returns the host name in an origin, without the port, or an empty string if the text is not exactly an origin. */
export function hostIn(origin: string): string {
  const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@]+$/i.test(origin) && URL.canParse(origin);
  return isOrigin ? new URL(origin).hostname : "";
}
