/** Imports your program's installed MCP SDK when a server must be connected. Without servers, no SDK is needed. */

import type { McpClient } from "../servers/client.js";
import { ToolSiftError } from "../base/errors.js";

/** The part of an SDK's transport that is used here. */
export type Transport = Pick<GatewayTransport, "close" | "explain">;

/** A client that is not connected yet. */
export interface Unconnected extends McpClient {
  connect(transport: Transport, options?: object): Promise<void>;
}

type RemoteTransport = new (url: URL, options: { requestInit: { headers: Record<string, string> } }) => Transport;

/** The part of either SDK that is used here. */
export interface McpSdk<C extends Unconnected = Unconnected> {
  Client: new (info: { name: string; version: string }, options?: object) => C;
  Http: () => Promise<RemoteTransport>;
  Sse: () => Promise<RemoteTransport>;
  /** True if its client can ask a server for its protocol. */
  negotiates?: boolean;
}

// Each import is in its own `try` with a literal name: bundlers include installed packages and skip the others.

async function client2() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch {
    return undefined;
  }
}

async function client1() {
  try {
    return await import("@modelcontextprotocol/sdk/client/index.js");
  } catch (cause) {
    throw missing(cause);
  }
}

async function http1() {
  try {
    return await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  } catch (cause) {
    throw missing(cause);
  }
}

async function sse1() {
  try {
    return await import("@modelcontextprotocol/sdk/client/sse.js");
  } catch (cause) {
    throw missing(cause);
  }
}

function missing(cause: unknown): ToolSiftError {
  const message = "options.mcpServers needs an MCP SDK that cannot be imported: npm install @modelcontextprotocol/client";
  return new ToolSiftError("peer_missing", `${message} (or @modelcontextprotocol/sdk)`, { cause });
}

/**
 * Returns the installed SDK: version 2 if it is installed, otherwise version 1.
 *
 * @throws ToolSiftError `peer_missing`
 */
export async function mcpSdk(): Promise<McpSdk> {
  const second = await client2();
  // The classes of both versions fit these interfaces; their own types are far larger.
  const sdk: unknown =
    second !== undefined
      ? {
          Client: second.Client,
          Http: async () => second.StreamableHTTPClientTransport,
          Sse: async () => second.SSEClientTransport,
          negotiates: true,
        }
      : {
          Client: (await client1()).Client,
          Http: async () => (await http1()).StreamableHTTPClientTransport,
          Sse: async () => (await sse1()).SSEClientTransport,
        };
  return sdk as McpSdk;
}

/** A transport of the MCP SDK that has not been started. */
export interface GatewayTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** Explains an error of the connection, for example with the output of the process before its end. */
  explain?(error: unknown): Error;
}
