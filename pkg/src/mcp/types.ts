/** The types of the MCP adapter: clients of either SDK, options for servers, and the status of each server. */

import type { Dispatch } from "../loop/types.js";
import type { McpClient } from "../servers/client.js";
import type { ServerTools } from "../servers/config.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type { BackgroundOptions, SyncReport, ToolIdentity, WordsStatus } from "../types/index.js";

export type { McpClient, McpRequestOptions, McpToolPage, McpToolResult } from "../servers/client.js";
export type { McpToolOptions } from "../servers/config.js";

/** Options of one server. */
export interface McpServerOptions extends ServerTools {
  /** The time limit for listing all tools of the server, in ms. Default 30,000. */
  timeoutMs?: number | undefined;
  /** The time limit of a call until its answer or next progress notification, in ms. Default 60,000. */
  callTimeoutMs?: number | undefined;
  /** The total time limit of a call, in ms, even with progress. Default 600,000, or `callTimeoutMs` if that is longer. */
  callTotalMs?: number | undefined;
  /** The maximum number of tools of one server; further tools are left out and reported. Default 5,000. */
  maxTools?: number | undefined;
}

/** A client, or a client with the options of its server. */
export type McpEntry = McpClient | ({ client: McpClient } & McpServerOptions);

/** Options of `connectMcp`: the defaults of all servers' options, and further options. An unknown key is refused. */
export interface McpOptions extends McpServerOptions {
  /**
   * Returns a new, connected client for a server that did not start, or whose connection has ended. During five attempts
   * (eight seconds if each fails immediately) the server's tools stay and calls wait. Then the tools are removed from the
   * catalog, and attempts continue, with pauses up to a minute, until one succeeds.
   */
  reconnect?: ((name: string) => McpClient | Promise<McpClient>) | undefined;
  /**
   * Lets a model write everyday search words, in the background, for tools that are in no pack and no `enrichment`. Only
   * their names, descriptions and parameters are sent to that model. Default: nothing is sent.
   */
  enrich?: BackgroundOptions | undefined;
  /**
   * Called with a server's status after its list was read, after search words were written, and after its connection ended.
   * Its errors are ignored.
   */
  onChange?: ((status: McpStatus) => void) | undefined;
  /**
   * Called with a sentence about a problem of a server: it did not start, its connection ended, its list could not be read
   * again, some of its tools were left out, or a pack could not be loaded. The same problem is reported once. Its errors are
   * ignored.
   */
  onProblem?: ((message: string, status: McpStatus) => void) | undefined;
}

/**
 * `starting`: it is being connected, or has not listed its tools yet; `connected`: its tools are those of its last list;
 * `failed`: it did not start, or has never listed its tools; `reconnecting`: the connection has ended, and a new one is
 * tried; `closed`: the connection has ended, and the tools are removed. With `reconnect`, a failed or closed server is tried
 * again, up to once a minute; without it, only when your program adds it again.
 */
export type McpState = "starting" | "connected" | "failed" | "reconnecting" | "closed";

/** The status of a server, with the report on its last list. */
export interface McpStatus extends Omit<SyncReport, "unchanged"> {
  name: string;
  state: McpState;
  /** The number of its tools in the catalog. */
  tools: number;
  /** The reason why its last list is incomplete: too long, or without an end; null if the list is complete. */
  incomplete: string | null;
  /** With `enrich`: the progress of the writing of its search words. */
  words?: WordsStatus;
  /** The reason why packs could not be loaded; the tools are registered without them. */
  packProblem?: string;
  /** The last error; null after a success. */
  error: string | null;
  /** The status in a sentence for people. */
  message: string;
}

/** The place where tools of servers are registered: for all sessions, or for one session. */
export type McpCatalog = ToolSift | Session;

/** The parts of a dispatch that `execute` reads. */
export type McpDispatch = ToolIdentity & Pick<Dispatch, "arguments" | "signal" | "session">;
