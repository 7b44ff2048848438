/** Reads what arrives at a listener without an error: nothing of it ends the process. */

import type { IncomingMessage } from "node:http";

/** Methods that no server here has, and that the platform's `Request` refuses. */
const NEVER = ["CONNECT", "TRACE", "TRACK"];

/** Whether no server here has a request's method. */
export const isOddMethod = ({ method = "" }: IncomingMessage): boolean => NEVER.includes(method);

/** The target of a request as a URL; undefined for what is no path, such as the whole URL that a proxy is given. */
export function targetOf({ url = "" }: IncomingMessage, origin = "http://localhost"): URL | undefined {
  // Joined as texts: against a base, `//name` would be another host.
  const target = `${origin}${url}`;
  return url.startsWith("/") && URL.canParse(target) ? new URL(target) : undefined;
}

/** The name of the host in an origin, without its port; empty for what is more than an origin, or less. */
export function hostIn(origin: string): string {
  const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@]+$/i.test(origin) && URL.canParse(origin);
  return isOrigin ? new URL(origin).hostname : "";
}
