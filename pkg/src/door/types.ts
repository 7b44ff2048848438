/** The options of `toolsift()` that every SDK shares: MCP servers as people configure them, and the catalog. */

import type { McpOptions, McpStatus } from "../mcp/types.js";
import type { AnswerOptions } from "../loop/bound.js";
import type { ToolEvent } from "../loop/events.js";
import type { AheadOptions, Execute } from "../loop/types.js";
import type { ToolSift } from "../core/sift.js";
import type { McpServerConfig } from "../servers/config.js";
import type { RankOptions, ToolSiftOptions } from "../types/index.js";
import type { OwnSkill } from "./own-tools.js";

export type { McpServerConfig, RemoteServer, ServerTools, StdioServer } from "../servers/config.js";

/**
 * What `toolsift()` of every SDK takes beside `tools`. All options of `new ToolSift()` are among them. A server that does not start
 * does not stop the others; `status()` and `onStatus` say why. A call throws `option_unknown`, `option_invalid`, `option_conflict`
 * and `limit_out_of_range`; `peer_missing` where `mcpServers` needs an MCP SDK and none is installed; and the error of a broken tool
 * of your own.
 */
export interface DoorwayOptions extends ToolSiftOptions, AheadOptions, AnswerOptions, RankOptions {
  /** MCP servers by their names, which the model may see. */
  mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /**
   * The values of `${NAME}`, `${env:NAME}` and `${NAME:-default}` in `mcpServers`: pass `process.env` to allow them all.
   * Without it, such a text is refused, so that no configuration can read a variable that you did not give it.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Skills: instructions that the model finds as it finds tools, with the tools that they name. A path is a folder that has a
   * `SKILL.md`, or folders that have one: it is read once, by Node, Bun and Deno, and its other files when the model asks for them.
   */
  skills?: readonly (string | OwnSkill)[] | undefined;
  /** A catalog that exists. Without it, `toolsift` makes one from the options, and `close` disposes it. */
  sift?: ToolSift | undefined;
  /** Runs the tools of the catalog that are neither your own nor those of `mcpServers`. */
  execute?: Execute | undefined;
  /** How the lists and calls of the servers are bounded, and how their tools are registered. */
  mcp?: Omit<McpOptions, "reconnect" | "onChange" | "packs" | "enrich"> | undefined;
  /**
   * Whether the tools of servers get the words of packs (`toolsift/packs`). Default true. A server may say otherwise for
   * itself in `mcpServers`.
   */
  packs?: boolean | undefined;
  /**
   * Has a model write the words that people use for tools which no pack knows, while searches go on; `status()` says how far
   * it is. Names, descriptions and parameters of these tools are sent to that model, and nothing else.
   */
  enrich?: McpOptions["enrich"] | undefined;
  /**
   * Milliseconds that a server has to start and to connect. Default 60,000; 180,000 for one that is installed first, as by `npx`,
   * `uvx` and `docker`.
   */
  startTimeoutMs?: number | undefined;
  /**
   * When `toolsift()` and `user()` return: `"all"`: every server is connected or has failed; `"any"`: the first one is
   * connected; a number: as `"all"`, or after so many milliseconds, but not before there is one. A server that comes later is registered when it comes.
   * Until then `status()` says that it is `starting`, and `onStatus` is told so. Default 10,000.
   */
  ready?: "all" | "any" | number | undefined;
  /**
   * Is told a server's status when its list was read, when it did not start, when it is not there yet as `toolsift()` returns,
   * and when its connection ended. Default: what goes wrong with a server is written to `console.warn`, and so are servers that
   * are missing, packs that are, and what a guard holds or finds suspicious. What it throws is ignored.
   */
  onStatus?: ((status: McpStatus) => void) | undefined;
  /** A run ends after this many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Is told of every search, reveal, dispatch and refusal. What it throws is ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}
