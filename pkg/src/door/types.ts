/** The options of `toolsift()` that every SDK shares: MCP servers in the usual configuration format, and the catalog. */

import type { McpOptions, McpStatus } from "../mcp/types.js";
import type { AheadOptions, DriverOptions, Execute } from "../loop/types.js";
import type { ToolSift } from "../core/sift.js";
import type { McpServerConfig } from "../servers/config.js";
import type { ToolSiftOptions } from "../types/index.js";
import type { OwnSkill } from "./own-tools.js";

export type { McpServerConfig, RemoteServer, ServerTools, StdioServer } from "../servers/config.js";

/**
 * The options of `toolsift()` that every SDK has in addition to `tools`, with all options of `new ToolSift()`. A server that
 * does not start does not stop the others; `status()` and `onStatus` have the reason. `toolsift()` throws `option_unknown`,
 * `option_invalid`, `option_conflict` and `limit_out_of_range`; `peer_missing` if `mcpServers` needs an MCP SDK and none is
 * installed; and the error of an invalid tool of your own.
 */
export interface DoorwayOptions extends ToolSiftOptions, AheadOptions, DriverOptions {
  /** MCP servers by name. The model may see the names. */
  mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /**
   * The values of `${NAME}`, `${env:NAME}` and `${NAME:-default}` in `mcpServers`: pass `process.env` to allow all. Without
   * it, such texts are refused, so that no configuration can read a variable that you did not pass.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Skills: instructions that the model finds like tools, with the tools that they name. A path is a folder with a
   * `SKILL.md`, or with folders that have one. It is read once, by Node, Bun and Deno; other files of a skill are read when
   * the model asks.
   */
  skills?: readonly (string | OwnSkill)[] | undefined;
  /** An existing catalog. Without it, `toolsift` makes one from the options, and `close` disposes it. */
  sift?: ToolSift | undefined;
  /** Runs the tools of the catalog that are neither your own nor tools of `mcpServers`. */
  execute?: Execute | undefined;
  /** Limits on the lists and calls of the servers, and options for registering their tools. */
  mcp?: Omit<McpOptions, "reconnect" | "onChange" | "packs" | "enrich"> | undefined;
  /**
   * Adds the search words of word packs (`toolsift/packs`) to the tools of servers. Default true. A server's entry in
   * `mcpServers` can override it.
   */
  packs?: boolean | undefined;
  /**
   * Lets a model write search words for tools that no word pack covers, while searches go on; `status()` shows the progress.
   * Names, descriptions and parameters of these tools are sent to that model, and nothing else.
   */
  enrich?: McpOptions["enrich"] | undefined;
  /**
   * The time limit for a server to start and connect, in ms. Default 60,000; 180,000 if it is installed first, as by `npx`,
   * `uvx` and `docker`.
   */
  startTimeoutMs?: number | undefined;
  /**
   * When `toolsift()` and `user()` return. `"all"`: every server is connected or has failed. `"any"`: the first server is
   * connected. A number: as `"all"`, but after this time in ms the first connected server is enough. A later server is
   * registered when it connects; until then its status is `starting`, and `onStatus` is called. Default 10,000.
   */
  ready?: "all" | "any" | number | undefined;
  /**
   * Receives a server's status when its list was read, when it did not start, when it is not connected as `toolsift()`
   * returns, and when its connection ended. Its errors are ignored. Default: `console.warn` shows problems of servers,
   * missing servers and packs, and what a guard quarantines or finds suspicious.
   */
  onStatus?: ((status: McpStatus) => void) | undefined;
}
