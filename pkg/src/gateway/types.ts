/** The types of the gateway: its options, events and status. */

import type { McpServerConfig } from "../servers/config.js";
import type { GatewayTransport } from "../upstream/sdk.js";
import type { ServerWay } from "../servers/way.js";
import type { ServerTool } from "../trust/pinned.js";
import type { BackgroundOptions, Scope, ToolSiftOptions, WordsStatus } from "../types/index.js";

export type { GatewayTransport } from "../upstream/sdk.js";
export type { ServerEntry, ServerWay } from "../servers/way.js";
export type { ServerTool } from "../trust/pinned.js";

/** What a server says of itself, kept between processes so that a search works before the server runs. */
export interface Definitions {
  /** The server's own name and version. */
  server?: { name: string; version: string };
  /** The protocol that it spoke: `modern` is revision 2026-07-28 and later. */
  era?: "legacy" | "modern";
  instructions?: string;
  /** What clients could do when it was listed, such as `elicitation`: some servers list more for those that can do more. */
  offered?: string[];
  capabilities: Record<string, unknown>;
  tools: ServerTool[];
  prompts: { name: string }[];
  resources: { uri: string }[];
  resourceTemplates: { uriTemplate: string }[];
  /** The skills of the extension `io.modelcontextprotocol/skills`. */
  skills?: { uri: string }[];
}

/** Keeps definitions from one process to the next. What it throws is reported by `onProblem`, and otherwise ignored. */
export interface DefinitionCache {
  /** What was kept of a server; undefined where nothing was, or where the server is configured differently now. */
  read(server: string): Promise<Definitions | undefined>;
  write(server: string, definitions: Definitions): Promise<void>;
}

/** Decides which of a server's tools may be found and called, and which of its skills may be read. */
export interface TrustPolicy {
  /**
   * Is asked with every list that a server returns, before any of it is used. What it throws quarantines every tool. A skill is
   * among the tools under the URI of its `SKILL.md`, with the digests of its files in `annotations`.
   */
  review(server: string, tools: readonly ServerTool[]): Promise<Review>;
  /**
   * What a person does to approve what is quarantined of a server, as a model may read it: `run toolsift mcp approve bank`. A search
   * that would have found that says so with these words.
   */
  way?(server: string): string;
}

/** The decision of a trust policy. */
export interface Review {
  admitted: ServerTool[];
  /** Tools that are not found and not called, and why. */
  quarantined: { name: string; reason: string }[];
}

/** What a tool does, as far as a client's approval rules have to tell it apart. */
export type Effect = "read" | "write" | "destroy";

/**
 * Options of `gateway()`. The options of `new ToolSift()` are among them, but `profile`, `reveal`, `surface` and
 * `unrevealedCall`: the gateway's surface is constant.
 *
 * `budget` bounds the tools that a search tells with their parameters for each need; the best one is told whatever it
 * takes. Default `{ tools: 5, tokens: 400 }`. With `activation: "auto"`, what four average tools take is left out of the
 * tokens that decide whether tools are deferred: a conversation uses some tools, and pays for these either way.
 */
export interface GatewayOptions
  extends Omit<ToolSiftOptions, "profile" | "reveal" | "surface" | "unrevealedCall" | "config"> {
  /**
   * The servers by their names, in the JSON that Claude, Cursor and VS Code take. `{ broken: reason }` is a server that cannot be
   * started: searches say that it is missing, and why.
   */
  mcpServers: Readonly<Record<string, Exclude<McpServerConfig, (...args: never[]) => unknown> | { broken: string }>>;
  /** The values of `${NAME}` in `mcpServers`; without it such a text is refused. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * What tools do, where their servers do not say so or are not believed: `{ "memory:read_*": "read" }`. The first pattern
   * that fits counts; `*` stands for any characters.
   */
  effects?: Readonly<Record<string, Effect>> | undefined;
  /** Only tools that fit one of these patterns take part: `"github:*"`, `"*:list_*"`. Default: all. */
  allow?: readonly string[] | undefined;
  /** Tools that fit one of these patterns do not take part, whatever `allow` says. */
  deny?: readonly string[] | undefined;
  /** What a client may see: for all alike, or by its HTTP request (undefined over stdio). Default `"all"`. */
  scope?: Scope | "all" | ((request: Request | undefined) => Scope | "all");
  /** Connects to every server at once. Default: a server is connected when it is first called or has to be listed. */
  eager?: boolean | undefined;
  /**
   * Whether tools get the words of packs (`toolsift/packs`). Default true. A server may say otherwise for itself in
   * `mcpServers`. A pack that cannot be loaded is told by `onProblem`, and costs nothing else.
   */
  packs?: boolean | undefined;
  /**
   * Has a model write the words that people use for tools which no pack knows, while searches go on. Names, descriptions and
   * parameters of tools that take part are sent to that model, and nothing else. Default: nothing is sent anywhere.
   */
  enrich?: BackgroundOptions | undefined;
  /** Milliseconds after which a server that nobody uses is stopped; 0 for never. Default 600,000. */
  idleMs?: number | undefined;
  /**
   * Milliseconds that a server has to start and to list what it has. Default 60,000; 180,000 for one that is installed first, as
   * by `npx`, `uvx` and `docker`.
   */
  startTimeoutMs?: number | undefined;
  /** Milliseconds that a call may take until its answer, or from one progress notification to the next. Default 600,000. */
  callTimeoutMs?: number | undefined;
  /** Milliseconds that a call may take in all, however much progress its server reports. Default 3,600,000, or `callTimeoutMs` where that is more. */
  callTotalMs?: number | undefined;
  /** The most characters of one answer of a server, as JSON; a longer one becomes an error. Default 16,000,000. */
  maxAnswerChars?: number | undefined;
  /** The most bytes of one request over HTTP; a larger one gets 413. Default 4,194,304. */
  maxRequestBytes?: number | undefined;
  /** Sessions of clients of the older protocol over HTTP that are kept. Default 1,000. */
  maxSessions?: number | undefined;
  /**
   * For runtimes in which nothing may outlive the request that began it, such as Workers, and for processes that share no
   * memory: clients have no session, and each call connects to its server anew. Servers of the older protocol cannot ask
   * clients anything then. Default false.
   */
  stateless?: boolean | undefined;
  /**
   * Makes the transport to a server. For a URL without a type it is asked for `http`, and for `sse` where the server refuses
   * that. Default: HTTP by `fetch`, and `processTransport` for a `command`.
   */
  transport?: ((name: string, way: ServerWay) => GatewayTransport | Promise<GatewayTransport>) | undefined;
  cache?: DefinitionCache | undefined;
  trust?: TrustPolicy | undefined;
  /** Is told of searches, calls and lists. What it throws is ignored. */
  onEvent?: ((event: GatewayEvent) => void) | undefined;
  /** Is told in a sentence what is wrong with a server or the configuration. What it throws is ignored. */
  onProblem?: ((message: string) => void) | undefined;
}

/** What decides which tools take part, and how they are called. A running gateway takes other rules by `setServers`. */
export type GatewayRules = Pick<GatewayOptions, "allow" | "deny" | "effects">;

/**
 * Something that happened, for logs and figures. Of arguments and answers it holds the query of a search alone, which may be
 * private. `session` is one connection of a client: requests that stand for themselves have one each. `tool` is the name at
 * its server, `name` the one that clients see.
 */
export type GatewayEvent =
  | {
      type: "list";
      tools: number;
      tokens: number;
      /** What all tools would take without what no parameter of theirs reaches, and as the servers send them. */
      fullTokens: number;
      sentTokens: number;
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

/** A tool that can be found: its name at its server, and the one that clients see. */
export interface GatewayTool {
  server: string;
  tool: string;
  name: string;
}

/** `idle`: not connected, and not needed yet; `down`: it could not be reached, and is tried again later. */
export type ServerState = "idle" | "starting" | "running" | "down";

/** How one server stands. */
export interface ServerStatus {
  name: string;
  state: ServerState;
  /** Tools of it that can be found. */
  tools: number;
  /** Tools of it that the trust policy quarantines. */
  quarantined: { name: string; reason: string }[];
  /** Tools of it that the catalog refused, and prompts, resources and templates that MCP's clients would refuse: not listed. */
  rejected: { name: string; message: string }[];
  /** What is listed in another form than the server's: repaired parameters, and without what MCP's clients refuse. */
  repaired?: { name: string; repair: string }[];
  /** With `enrich`: how far the words of its tools are. */
  words?: WordsStatus;
  /** While it starts for the first time: that `npx`, say, may be downloading it. */
  note?: string;
  error?: string;
}
