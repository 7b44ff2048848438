/** The types of the gateway: its options, events and status. */

import type { McpServerConfig } from "../servers/config.js";
import type { GatewayTransport } from "../upstream/sdk.js";
import type { ServerWay } from "../servers/way.js";
import type { ServerTool } from "../trust/pinned.js";
import type { BackgroundOptions, Scope, ToolSiftOptions, WordsStatus } from "../types/index.js";

export type { GatewayTransport } from "../upstream/sdk.js";
export type { ServerEntry, ServerWay } from "../servers/way.js";
export type { ServerTool } from "../trust/pinned.js";

/** The lists and data of a server. They are stored for later processes, so that a search works before the server runs. */
export interface Definitions {
  /** The server's own name and version. */
  server?: { name: string; version: string };
  /** The protocol of the server: `modern` is revision 2026-07-28 or later, `legacy` an earlier one. */
  era?: "legacy" | "modern";
  instructions?: string;
  /** The clients' capabilities when the server was listed, such as `elicitation`: some servers then list more. */
  offered?: string[];
  capabilities: Record<string, unknown>;
  tools: ServerTool[];
  prompts: { name: string }[];
  resources: { uri: string }[];
  resourceTemplates: { uriTemplate: string }[];
  /** The skills of the extension `io.modelcontextprotocol/skills`. */
  skills?: { uri: string }[];
}

/** Stores definitions for later processes. Its errors are reported to `onProblem` and have no other effect. */
export interface DefinitionCache {
  /** Returns a server's stored definitions; undefined if there are none, or if the server's configuration has changed. */
  read(server: string): Promise<Definitions | undefined>;
  write(server: string, definitions: Definitions): Promise<void>;
}

/** Decides which of a server's tools may be found and called, and which of its skills may be read. */
export interface TrustPolicy {
  /**
   * Reviews every list of a server before anything of it is used. If it throws, all tools are quarantined. A skill is in the
   * list as a tool with the URI of its `SKILL.md` as name, and with the digests of its files in `annotations`.
   */
  review(server: string, tools: readonly ServerTool[]): Promise<Review>;
  /**
   * Returns an instruction for a person to approve quarantined tools of a server, such as `run toolsift mcp approve bank`. A
   * search that would have found such tools returns this text to the model.
   */
  way?(server: string): string;
}

/** The decision of a trust policy. */
export interface Review {
  admitted: ServerTool[];
  /** The tools that can be neither found nor called, and the reasons. */
  quarantined: { name: string; reason: string }[];
}

/** The effect of a tool, for a client's rules on approval. */
export type Effect = "read" | "write" | "destroy";

/**
 * Options of `gateway()`. They include the options of `new ToolSift()`, except `profile`, `reveal`, `surface` and
 * `unrevealedCall`: the gateway's own tools are constant.
 *
 * `budget` limits the tools that a search returns with parameters for each need; the best hit is always returned. Default `{
 * tools: 5, tokens: 400 }`. With `activation: "auto"`, the tokens of four average tools are not counted when toolsift
 * decides if tools are deferred: a conversation uses some tools, and needs their definitions in any case.
 */
export interface GatewayOptions
  extends Omit<ToolSiftOptions, "profile" | "reveal" | "surface" | "unrevealedCall" | "config"> {
  /**
   * The servers by name, in the JSON of Claude, Cursor and VS Code. `{ broken: reason }` is a server that cannot be started:
   * searches report that it is missing, and the reason.
   */
  mcpServers: Readonly<Record<string, Exclude<McpServerConfig, (...args: never[]) => unknown> | { broken: string }>>;
  /** The values of `${NAME}` in `mcpServers`. Without `env`, a text with `${NAME}` is refused. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * The effects of tools whose servers do not declare them or are not trusted: `{ "memory:read_*": "read" }`. The first
   * matching pattern is used; `*` matches any characters.
   */
  effects?: Readonly<Record<string, Effect>> | undefined;
  /** The patterns of the included tools, such as `"github:*"` and `"*:list_*"`. Default: all tools are included. */
  allow?: readonly string[] | undefined;
  /** The patterns of excluded tools, even if `allow` includes them. */
  deny?: readonly string[] | undefined;
  /** The scope of all clients, or a function of a client's HTTP request (undefined over stdio). Default `"all"`. */
  scope?: Scope | "all" | ((request: Request | undefined) => Scope | "all");
  /** True to connect to every server at the start. Default: a server is connected at its first call or list. */
  eager?: boolean | undefined;
  /**
   * True to add the search words of packs (`toolsift/packs`) to tools. Default true. A server's entry in `mcpServers` may
   * override it. A pack that cannot be loaded is reported to `onProblem` and has no other effect.
   */
  packs?: boolean | undefined;
  /**
   * Lets a model write everyday search words, in the background, for tools that are in no pack. Only the names, descriptions
   * and parameters of included tools are sent to that model. Default: nothing is sent.
   */
  enrich?: BackgroundOptions | undefined;
  /** The time after which an unused server is stopped, in ms; 0 for never. Default 600,000. */
  idleMs?: number | undefined;
  /**
   * The time limit for a server's start and its lists, in ms. Default 60,000; 180,000 for a server that is installed first,
   * for example by `npx`, `uvx` or `docker`.
   */
  startTimeoutMs?: number | undefined;
  /** The time limit of a call until its answer or next progress notification, in ms. Default 600,000. */
  callTimeoutMs?: number | undefined;
  /** The total time limit of a call, in ms, even with progress. Default 3,600,000, or `callTimeoutMs` if longer. */
  callTotalMs?: number | undefined;
  /** The maximum length of a server's answer as JSON, in characters; longer ones become errors. Default 16,000,000. */
  maxAnswerChars?: number | undefined;
  /** The maximum size of one HTTP request, in bytes; a larger one gets status 413. Default 4,194,304. */
  maxRequestBytes?: number | undefined;
  /** The maximum number of HTTP sessions, which only clients of the protocol with `initialize` have. Default 1,000. */
  maxSessions?: number | undefined;
  /**
   * True for runtimes in which nothing may outlive a request, such as Workers, and for processes without shared memory:
   * clients have no session, and each call connects to its server again. Servers of the protocol with `initialize` cannot
   * ask clients questions then. Default false.
   */
  stateless?: boolean | undefined;
  /**
   * Makes the transport to a server. For a URL without a type it is called with `http`, and then with `sse` if the server
   * refuses `http`. Default: HTTP with `fetch`, and `processTransport` for a `command`.
   */
  transport?: ((name: string, way: ServerWay) => GatewayTransport | Promise<GatewayTransport>) | undefined;
  cache?: DefinitionCache | undefined;
  trust?: TrustPolicy | undefined;
  /** Called for searches, calls and lists. Its errors are ignored. */
  onEvent?: ((event: GatewayEvent) => void) | undefined;
  /** Called with a sentence about a problem of a server or the configuration. Its errors are ignored. */
  onProblem?: ((message: string) => void) | undefined;
}

/** The options that decide which tools are included and how they are called. `setServers` may change them later. */
export type GatewayRules = Pick<GatewayOptions, "allow" | "deny" | "effects">;

/**
 * An event, for logs and statistics. It contains no arguments and answers, except the query of a search, which may be
 * private. `session` is one connection of a client; an independent request has its own. `tool` is the tool's name at its
 * server, `name` its name for clients.
 */
export type GatewayEvent =
  | {
      type: "list";
      tools: number;
      tokens: number;
      /** The tokens of all tools, without unused schema parts. */
      fullTokens: number;
    }
  | { type: "search"; session: string; query: string; found: string[]; shown: string[]; ms: number }
  | {
      type: "call";
      session: string;
      server: string;
      tool: string;
      name: string;
      ms: number;
      outcome: "ok" | "error" | "refused";
      code?: string;
    }
  | { type: "server"; server: string; state: ServerState; error?: string }
  | { type: "words"; server: string; words: WordsStatus };

/** A tool that can be found: its name at its server, and its name for clients. */
export interface GatewayTool {
  server: string;
  tool: string;
  name: string;
}

/** `idle`: not connected yet, because it is not needed; `down`: the connection failed and is retried later. */
export type ServerState = "idle" | "starting" | "running" | "down";

/** The state of one server. */
export interface ServerStatus {
  name: string;
  state: ServerState;
  /** The number of its tools that can be found. */
  tools: number;
  /** Its tools that the trust policy quarantines. */
  quarantined: { name: string; reason: string }[];
  /** Its unlisted entries: tools that the catalog refused, and other entries that MCP clients would refuse. */
  rejected: { name: string; message: string }[];
  /** Its entries that are listed with changes: with repaired parameters, or without fields that MCP clients refuse. */
  repaired?: { name: string; repair: string }[];
  /** The progress of the writing of its search words, with `enrich`. */
  words?: WordsStatus;
  /** A note during the first start, for example that `npx` may be downloading the server. */
  note?: string;
  error?: string;
}
