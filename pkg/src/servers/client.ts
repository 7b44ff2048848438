/** The clients that toolsift can use, told by their shape, so that no SDK has to be installed for another. */

import type { Signal } from "../types/index.js";

/**
 * A connected client: `Client` of `@modelcontextprotocol/sdk` (v1) or of `@modelcontextprotocol/client` (v2). It is told by
 * its shape, so that neither has to be installed for the other.
 */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: McpRequestOptions): Promise<McpToolPage>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...options: never[]): Promise<unknown>;
  getServerCapabilities?(): { tools?: { listChanged?: boolean | undefined } | undefined } | undefined;
  getInstructions?(): string | undefined;
  close?(): Promise<void>;
  /** Where messages come in; without it, changes and the end of the connection go unnoticed. */
  readonly transport?: unknown;
}

/** The options of a request that both SDKs take. */
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
