/** The format of `mcpServers`: the connection to each server, and the options for its tools. */

import type { McpClient } from "./client.js";
import { anything, listOfNames, type Shape, trueOrFalse } from "../base/shape.js";
import type { NamePolicy, RegisterOptions } from "../types/index.js";

/** Options for registering the tools of a server. */
export interface McpToolOptions extends Omit<RegisterOptions, "server" | "names"> {
  /** The rule for names that vendors refuse. Default `"alias"`: the model sees a safe name, the server gets its own. */
  names?: NamePolicy | undefined;
}

/** Options for the tools of one server. */
export interface ServerTools extends McpToolOptions {
  /**
   * Adds the search words of word packs (`toolsift/packs`) to `enrichment`. Default true. A pack is loaded only for a server
   * whose tools it covers.
   */
  packs?: boolean | undefined;
  /**
   * Lets the server decide which of its tools are sent with every request: those with `"anthropic/alwaysLoad": true` in
   * `_meta`, of all servers together as many as the catalog's `budget` allows. Ignored if `deferral` is set. Default false.
   */
  trustServerHints?: boolean | undefined;
  /** The names of the only tools to register. Default: all tools. */
  includeTools?: readonly string[] | undefined;
  /** The names of tools that are not registered. */
  excludeTools?: readonly string[] | undefined;
}

/** Checks if a tool of a server is registered. Gemini's names may have arguments at the end, as in `name(arg)`. */
export function isTaken({ includeTools, excludeTools = [] }: ServerTools, name: string): boolean {
  const named = (list: readonly string[]) => list.some((one) => one.replace(/\(.*/s, "") === name);
  return (includeTools === undefined || named(includeTools)) && !named(excludeTools);
}

/** Returns the options with which the core registers a server's tools. */
export function registering({ names = "alias", deferral, category, enrichment }: McpToolOptions): McpToolOptions {
  return { names, deferral, category, enrichment };
}

/** The shape of the options for a server's tools. The core checks its own options. */
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

/** A server that runs as a process on this machine. */
export interface StdioServer extends ServerTools {
  type?: "stdio" | (string & {}) | undefined;
  command: string;
  args?: readonly string[] | undefined;
  /** Variables for the process, added to the few that the MCP SDK passes on (`PATH`, `HOME` and the like). */
  env?: Readonly<Record<string, string | number | boolean>> | undefined;
  cwd?: string | undefined;
  /** True: the server is not used, as with `enabled: false`. */
  disabled?: boolean | undefined;
  enabled?: boolean | undefined;
  url?: never;
  headers?: never;
}

/** A server with a URL. */
export interface RemoteServer extends ServerTools {
  /**
   * The transport. `"http"` and `"streamable-http"` are the same. Default: streamable HTTP, or SSE if the server does not
   * support it.
   */
  type?: "http" | "streamable-http" | "sse" | (string & {}) | undefined;
  url: string;
  headers?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** True: the server is not used, as with `enabled: false`. */
  disabled?: boolean | undefined;
  enabled?: boolean | undefined;
  command?: never;
  args?: never;
  env?: never;
  cwd?: never;
}

/**
 * One entry of `mcpServers`: the JSON format of Claude, Cursor and VS Code; a connected client; or a function that returns a
 * connected client, which is called again after the connection has ended.
 */
export type McpServerConfig = StdioServer | RemoteServer | McpClient | (() => McpClient | Promise<McpClient>);
