/** Loads the MCP SDK that the host has installed, when a server has to be connected. Neither is needed otherwise. */

import type { McpClient } from "../servers/client.js";
import { ToolSiftError } from "../base/errors.js";

/** Of a transport of the SDKs, what is used here. */
export type Transport = Pick<GatewayTransport, "close" | "explain">;

/** A client that is not connected yet. */
export interface Unconnected extends McpClient {
  connect(transport: Transport, options?: object): Promise<void>;
}

type RemoteTransport = new (url: URL, options: { requestInit: { headers: Record<string, string> } }) => Transport;

/** Of either SDK, what is used here. */
export interface McpSdk<C extends Unconnected = Unconnected> {
  Client: new (info: { name: string; version: string }, options?: object) => C;
  Http: () => Promise<RemoteTransport>;
  Sse: () => Promise<RemoteTransport>;
  /** Whether its client can ask a server which protocol it speaks. */
  negotiates?: boolean;
}

// Each import stands in a `try` with its name written out: bundlers include what is installed and skip what is not.

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
 * The installed SDK: version 2 where it is there, otherwise version 1.
 *
 * @throws ToolSiftError `peer_missing`
 */
export async function mcpSdk(): Promise<McpSdk> {
  const second = await client2();
  // The classes of both versions do what is asked of them here; their own types say far more.
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
  /** Says more about an error of the connection, such as what the process wrote before it ended. */
  explain?(error: unknown): Error;
}
