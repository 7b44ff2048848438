/** The types of the MCP adapter: clients of either SDK, how tools are registered, and the state of each server. */

import type { Dispatch } from "../loop/types.js";
import type { McpClient } from "../servers/client.js";
import type { ServerTools } from "../servers/config.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type {
  BackgroundOptions,
  EnrichmentReport,
  QuarantinedTool,
  Rejected,
  Repaired,
  SuspiciousText,
  ToolIdentity,
  ToolNews,
  WordsStatus,
} from "../types/index.js";

export type { McpClient, McpRequestOptions, McpToolPage, McpToolResult } from "../servers/client.js";
export type { McpToolOptions } from "../servers/config.js";

/** Options of one server. */
export interface McpServerOptions extends ServerTools {
  /** Milliseconds that a server has to list all its tools. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds that a call may take until its answer, or from one progress notification to the next. Default 60,000. */
  callTimeoutMs?: number | undefined;
  /** Milliseconds that a call may take in all, with progress. Default 600,000, or `callTimeoutMs` where that is more. */
  callTotalMs?: number | undefined;
  /** Tools that are taken of one server; what is more is left out and told. Default 5,000. */
  maxTools?: number | undefined;
}

/** A client, or a client with the options of its server. */
export type McpEntry = McpClient | ({ client: McpClient } & McpServerOptions);

/**
 * Options of `connectMcp`: those of every server that has none of its own, and more. A key that is not listed is refused.
 */
export interface McpOptions extends McpServerOptions {
  /**
   * Gives a new, connected client for a server that did not start, or whose connection has ended. The server's tools stay and
   * calls wait for five attempts, eight seconds if each fails at once. Then they leave the catalog, and the server is tried
   * again, after pauses that grow to a minute, until it is back.
   */
  reconnect?: ((name: string) => McpClient | Promise<McpClient>) | undefined;
  /**
   * Has a model write the words that people use for tools which no pack and no `enrichment` knows, while searches go on.
   * Their names, descriptions and parameters are sent to that model, and nothing else. Default: nothing is sent anywhere.
   */
  enrich?: BackgroundOptions | undefined;
  /**
   * Is told how a server stands when its list was read, when words came, and when its connection ended. What it throws is
   * passed over.
   */
  onChange?: ((status: McpStatus) => void) | undefined;
  /**
   * Is told in a sentence what is wrong with a server: it did not come up, its connection ended, its list could not be read
   * again, tools of it were left out, or a pack could not be loaded. The same problem is told once. What it throws is
   * ignored.
   */
  onProblem?: ((message: string, status: McpStatus) => void) | undefined;
}

/**
 * `starting`: it is being connected, or has not listed its tools yet; `connected`: its tools are those that it last listed;
 * `failed`: it did not start, or has never listed its tools; `reconnecting`: the connection has ended, and a new one is tried;
 * `closed`: the connection has ended, and the tools are gone. Where the host gives `reconnect`, a server that failed or is closed is
 * tried again, up to once a minute, and otherwise when the host adds it again.
 */
export type McpState = "starting" | "connected" | "failed" | "reconnecting" | "closed";

/** How a server stands. */
export interface McpStatus {
  name: string;
  state: McpState;
  /** Tools of it in the catalog. */
  tools: number;
  /** What its last list brought: names that the model sees. */
  added: string[];
  changed: string[];
  removed: string[];
  /** Broken tools of its last list; the others were taken. */
  rejected: Rejected[];
  repaired: Repaired[];
  /** Why its last list is not the whole one, where it is not: too long, or without an end. */
  incomplete: string | null;
  /** What became of the enrichment of the tools of its last list, where they got any: the host's own, and that of packs. */
  enrichment?: EnrichmentReport;
  /** With the option `guard` of the catalog: tools of its last list that wait until the host accepts them. */
  quarantined?: QuarantinedTool[];
  /** With the same option: texts of its last list that a person should look at. */
  suspicious?: SuspiciousText[];
  /** With the same option: tools of its last list that are used, and are new beside pinned ones or have more than is pinned. */
  news?: ToolNews[];
  /** With `enrich`: how far the words of its tools are. */
  words?: WordsStatus;
  /** Why packs could not be loaded, where they could not. The tools are there all the same. */
  packProblem?: string;
  /** What went wrong last, until it goes well again. */
  error: string | null;
  /** How it stands, in a sentence for people. */
  message: string;
}

/** Where the tools of servers are registered: for all sessions, or for one. */
export type McpCatalog = ToolSift | Session;

/** The parts of a dispatch that `execute` reads. */
export type McpDispatch = ToolIdentity & Pick<Dispatch, "arguments" | "signal" | "session">;
