/** The MCP clients that toolsift can use, recognized by their methods, so that no particular SDK must be installed. */

import type { Signal } from "../types/index.js";

/**
 * A connected client: `Client` of `@modelcontextprotocol/sdk` (v1) or of `@modelcontextprotocol/client` (v2), recognized by
 * its methods.
 */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: McpRequestOptions): Promise<McpToolPage>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...options: never[]): Promise<unknown>;
  getServerCapabilities?(): { tools?: { listChanged?: boolean | undefined } | undefined } | undefined;
  getInstructions?(): string | undefined;
  close?(): Promise<void>;
  /** The transport, which receives messages. Without it, changes and the end of the connection are not noticed. */
  readonly transport?: unknown;
}

/** The options of a request that both SDKs accept. */
export interface McpRequestOptions {
  signal?: Signal;
  timeout?: number;
}

/** One page of a server's list. */
export interface McpToolPage {
  tools: readonly object[];
  nextCursor?: string | undefined;
}

/** The result of MCP's `tools/call`. */
export interface McpToolResult {
  content: ({ type: string } & Record<string, unknown>)[];
  structuredContent?: unknown;
  isError?: boolean;
  [key: string]: unknown;
}
