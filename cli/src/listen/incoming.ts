/** What arrives at a listener: it is read without an error, and answered whatever happens. Nothing of it ends the process. */

import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

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

/** Answers what arrived. Where `work` fails, `onerror` is told, and the client gets 500, or an end of what it got so far. */
export async function answered(
  outgoing: ServerResponse | Duplex,
  work: () => unknown,
  onerror: (error: Error) => void = () => {},
): Promise<void> {
  try {
    await work();
  } catch (error) {
    try {
      onerror(error instanceof Error ? error : new Error(String(error)));
      failed(outgoing);
    } catch {
      outgoing.destroy();
    }
  }
}

function failed(outgoing: ServerResponse | Duplex): void {
  if (!(outgoing instanceof ServerResponse)) {
    outgoing.end("HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  } else if (outgoing.headersSent) {
    outgoing.destroy();
  } else {
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    outgoing.writeHead(500, { connection: "close" }).end();
  }
}
