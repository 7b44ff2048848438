/** Hands a WebSocket on to the upstream: what the two say to each other is not read. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { begun } from "../listen/outgoing.js";

/** Joins a client's connection with one to the upstream. `target` is the URL there. */
export function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer, target: URL): void {
  const headers: Record<string, string[]> = {};
  for (const [key, values] of Object.entries(incoming.headersDistinct)) {
    if (key !== "host" && !key.startsWith("x-toolsift-")) headers[key] = values ?? [];
  }
  // A connection of its own, which is not HTTP's afterwards.
  const outgoing = begun(target, { method: "GET", headers, agent: false });
  client.on("error", () => outgoing.destroy()).once("close", () => outgoing.destroy());
  outgoing.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"));
  outgoing.once("response", (answer) => {
    client.write(headOf(answer));
    answer.pipe(client);
  });
  outgoing.once("upgrade", (answer, upstream: Duplex, first: Buffer) => {
    client.write(headOf(answer));
    client.write(first);
    upstream.write(head);
    upstream.on("error", () => client.destroy()).once("close", () => client.destroy());
    client.on("error", () => upstream.destroy()).once("close", () => upstream.destroy());
    upstream.pipe(client).pipe(upstream);
  });
  outgoing.end();
}

/** The head of an answer. A body that is not the rest of the connection ends with it. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const isSwitched = statusCode === 101;
  let written = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Chunks were joined, and the connection ends behind them.
    if (!isSwitched && /^(transfer-encoding|connection|keep-alive)$/i.test(rawHeaders[at]!)) continue;
    written += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return `${written}${isSwitched ? "" : "connection: close\r\n"}\r\n`;
}
