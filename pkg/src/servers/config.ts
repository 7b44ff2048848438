/** `mcpServers` as people write it: how servers are reached, and how their tools are taken. */

import type { McpClient } from "./client.js";
import { anything, listOfNames, type Shape, trueOrFalse } from "../base/shape.js";
import type { Deferral, Enrichment, NamePolicy } from "../types/index.js";

/** How the tools of a server are taken. */
export interface McpToolOptions {
  /** What becomes of names that vendors refuse. Default `"alias"`: the model sees a safe one, the server hears its own. */
  names?: NamePolicy | undefined;
  /** Whether the tools may be deferred. Default `"automatic"`. */
  deferral?: Deferral | undefined;
  /** The category of the tools. */
  category?: string | undefined;
  /**
   * What people say who need the tools: entries, or the text of an enrichment file. Entries of other tools are passed over.
   */
  enrichment?: string | readonly Enrichment[] | undefined;
}

/** How the tools of one server are taken, and what they are taken with. */
export interface ServerTools extends McpToolOptions {
  /**
   * Whether the tools get the words of packs (`toolsift/packs`) beside `enrichment`. Default true. A pack is loaded only for
   * a server whose tools it knows, word for word.
   */
  packs?: boolean | undefined;
  /**
   * Whether the server may say which of its tools are sent with every request: those with `"anthropic/alwaysLoad": true` in
   * `_meta`, of all servers together as many as the `budget` of the catalog allows. It counts only without `deferral`.
   * Default false.
   */
  trustServerHints?: boolean | undefined;
  /** The names of the only tools that are taken. Default: all. */
  includeTools?: readonly string[] | undefined;
  /** The names of tools that are left out. */
  excludeTools?: readonly string[] | undefined;
}

/** Whether a tool of a server is taken. Gemini's names may have arguments behind them, as in `name(arg)`. */
export function isTaken({ includeTools, excludeTools = [] }: ServerTools, name: string): boolean {
  const named = (list: readonly string[]) => list.some((one) => one.replace(/\(.*/s, "") === name);
  return (includeTools === undefined || named(includeTools)) && !named(excludeTools);
}

/** The shape of how the tools of a server are taken. The core checks what is for the core. */
export const TOOLS: Shape<ServerTools> = {
  names: anything,
  deferral: anything,
  category: anything,
  enrichment: anything,
  packs: trueOrFalse,
  trustServerHints: trueOrFalse,
  includeTools: listOfNames,
  excludeTools: listOfNames,
};

/** A server that runs as a process of this machine. */
export interface StdioServer extends ServerTools {
  type?: "stdio" | (string & {}) | undefined;
  command: string;
  args?: readonly string[] | undefined;
  /** Variables for the process, beside the few that the MCP SDK hands on (`PATH`, `HOME` and the like). */
  env?: Readonly<Record<string, string | number | boolean>> | undefined;
  cwd?: string | undefined;
  /** Leaves the server out, as `enabled: false` does. */
  disabled?: boolean | undefined;
  enabled?: boolean | undefined;
  url?: never;
  headers?: never;
}

/** A server behind a URL. */
export interface RemoteServer extends ServerTools {
  /**
   * The transport. `"http"` and `"streamable-http"` are the same. Default: streamable HTTP, and SSE where the server does not
   * speak it.
   */
  type?: "http" | "streamable-http" | "sse" | (string & {}) | undefined;
  url: string;
  headers?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Leaves the server out, as `enabled: false` does. */
  disabled?: boolean | undefined;
  enabled?: boolean | undefined;
  command?: never;
  args?: never;
  env?: never;
  cwd?: never;
}

/**
 * One entry of `mcpServers`: the JSON that Claude, Cursor and VS Code take; a connected client; or a function that connects
 * one, which is called again when the connection has ended.
 */
export type McpServerConfig = StdioServer | RemoteServer | McpClient | (() => McpClient | Promise<McpClient>);
