/** Loads the MCP SDK that the host has installed, when a server has to be connected. Neither is needed otherwise. */

import type { McpClient } from "../adapters/mcp/types.js";
import { ToolSiftError } from "../errors.js";

/** What an SDK calls a transport. */
export interface Transport {
  close(): Promise<void>;
  /** The standard error of a process, where it is piped. */
  readonly stderr?: { on(event: "data", listener: (chunk: unknown) => void): unknown } | null;
}

/** A client that is not connected yet. */
export interface Unconnected extends McpClient {
  connect(transport: Transport, options?: { signal?: AbortSignal; timeout?: number }): Promise<void>;
}

type RemoteTransport = new (url: URL, options: { requestInit: { headers: Record<string, string> } }) => Transport;

/** Of either SDK, what is used here. */
export interface McpSdk {
  Client: new (info: { name: string; version: string }) => Unconnected;
  Stdio: () => Promise<new (process: object) => Transport>;
  Http: () => Promise<RemoteTransport>;
  Sse: () => Promise<RemoteTransport>;
}

/**
 * The installed SDK: version 2 where it is there, otherwise version 1.
 *
 * @throws ToolSiftError `peer_missing`
 */
export async function mcpSdk(): Promise<McpSdk> {
  try {
    return (await second()) ?? (await first());
  } catch (cause) {
    const message = "options.mcpServers needs an MCP SDK that cannot be imported: npm install @modelcontextprotocol/client";
    throw new ToolSiftError("peer_missing", `${message} (or @modelcontextprotocol/sdk)`, { cause });
  }
}

// Each import stands in a `try` with its name written out: bundlers ship what is installed and pass over what is not.

async function second(): Promise<McpSdk | undefined> {
  try {
    const { Client, StreamableHTTPClientTransport, SSEClientTransport } = await import("@modelcontextprotocol/client");
    return {
      Client: Client as unknown as McpSdk["Client"],
      Http: async () => StreamableHTTPClientTransport as unknown as RemoteTransport,
      Sse: async () => SSEClientTransport as unknown as RemoteTransport,
      Stdio: async () => {
        const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
        return StdioClientTransport as unknown as new (process: object) => Transport;
      },
    };
  } catch {
    return undefined;
  }
}

async function first(): Promise<McpSdk> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  return {
    Client: Client as unknown as McpSdk["Client"],
    Http: async () => {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
      return StreamableHTTPClientTransport as unknown as RemoteTransport;
    },
    Sse: async () => {
      const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
      return SSEClientTransport as unknown as RemoteTransport;
    },
    Stdio: async () => {
      const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
      return StdioClientTransport as unknown as new (process: object) => Transport;
    },
  };
}
