/** Serves one client over standard input and output, with or without the `initialize` handshake of older protocols. */

import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Gateway } from "toolsift/gateway";

/** The longest message of a client, in bytes. */
const MESSAGE_BYTES = 16 << 20;

/**
 * Serves until the client ends the stream.
 *
 * @returns a promise that resolves at the end, and a function that ends the serving
 */
export function overStdio(
  gateway: Gateway,
  onProblem: (message: string) => void,
): { ended: Promise<void>; close: () => Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES });
  const handle = serveStdio(({ era }) => gateway.server({ era }), {
    transport: watched(transport, gateway),
    onerror: (error) => onProblem(error.message),
  });
  const ended = new Promise<void>((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  return { ended, close: () => handle.close() };
}

/** Passes requests to follow resources on to their servers. In the newer protocol, the SDK would keep them to itself. */
function watched(transport: StdioServerTransport, gateway: Gateway): StdioServerTransport {
  let heard: StdioServerTransport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => heard,
    set: (listener: NonNullable<StdioServerTransport["onmessage"]> | undefined) => {
      heard =
        listener &&
        ((message) => {
          if ("method" in message && message.method === "subscriptions/listen") {
            // If no server has the resource, there is no error: it simply never changes.
            void gateway.follow(message).catch(() => {});
          }
          listener(message);
        });
    },
  });
  return transport;
}
