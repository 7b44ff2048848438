/** One server behind the gateway: connected when it is needed, stopped when idle, and asked what it has before it is used. */

import {
  Client,
  type ClientCapabilities,
  type Notification,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { within } from "../base/wait.js";
import type { Plan } from "../servers/plans.js";
import type { ServerWay } from "../servers/way.js";
import { Dialler, ended } from "../upstream/dialler.js";
import { installing, startLimit } from "../upstream/installer.js";
import { Link, reasonFrom } from "../upstream/link.js";
import { type ListBudget, listAll, LISTS } from "../upstream/list.js";
import type { McpSdk } from "../upstream/sdk.js";
import type { Definitions, GatewayOptions, ServerState, ServerTool } from "./types.js";
import { SKILLS, extensionIn } from "../skills/extension.js";
import { reasonOf } from "../base/values.js";

/** How long lists count as known where each call connects anew. */
const FRESH_MS = 60_000;
/** How long a server that is being connected delays the end of the gateway. */
const CLOSE_MS = 5_000;

/** The gateway is made of version 2 of the SDK, whichever others are installed. */
const SDK = {
  Client,
  Http: async () => StreamableHTTPClientTransport,
  Sse: async () => SSEClientTransport,
} as unknown as McpSdk<Client>;

/** A request of a server to a client. */
export interface ServerRequest {
  method: "sampling/createMessage" | "elicitation/create" | "roots/list";
  params?: unknown;
}

/** The gateway, as an upstream uses it. */
export interface UpstreamHost {
  version: string;
  startTimeoutMs: number | undefined;
  transport: GatewayOptions["transport"];
  /** The capabilities of the gateway's clients that servers have to know. */
  capabilities(): ClientCapabilities;
  idleMs: number;
  /** Whether nothing may outlive the request that began it: each use of a server makes a connection of its own. */
  isStateless: boolean;
  /** Is given what a server lists, before any of it is used. */
  listed(upstream: Upstream, definitions: Definitions, incomplete: string[]): Promise<void>;
  /** A server asks a client something. */
  ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown>;
  notified(upstream: Upstream, notification: Notification): void;
  changed(upstream: Upstream): void;
}

const MOST_TOOLS = 5_000;
const MOST_OTHERS = 10_000;
/** Milliseconds for prompts, resources, templates and skills together: the tools do not wait longer for a server that leaves one unanswered. */
const OTHERS_MS = 10_000;
/** How a server answers that has no such list, though it has others of the same capability. */
const METHOD_NOT_FOUND = -32_601;
const NO_METHOD =
  /method not found|unknown method|(?:method|request|operation)\b.{0,60}(?:not|un)[ -]?(?:supported|implemented)/i;
/** The most characters of a server's instructions. */
const MOST_INSTRUCTIONS = 8_000;

/** The definitions of a server, and what of its lists was left out. */
export interface Listed {
  definitions: Definitions;
  incomplete: string[];
}

/**
 * Asks a connected server for its tools, prompts, resources, templates and skills.
 *
 * @throws what the client throws while it lists the tools; other lists that fail are left out and named in `incomplete`,
 * except those that the server does not have
 */
export async function listEverything(client: Client, budget: ListBudget): Promise<Listed> {
  const capabilities: Record<string, unknown> = { ...client.getServerCapabilities() };
  const declared: Record<string, unknown> = { ...capabilities, skills: extensionIn(capabilities) };
  const incomplete: string[] = [];
  const list = async <T>(
    kind: keyof typeof declared,
    method: keyof typeof LISTS,
    id: string,
    most: number,
  ): Promise<T[]> => {
    if (declared[kind] === undefined) return [];
    const listed = await listAll(client, method, most, budget);
    if (listed.incomplete !== null) incomplete.push(listed.incomplete);
    const named = listed.entries.filter((entry) => typeof (Object(entry) as Record<string, unknown>)[id] === "string");
    const nameless = listed.entries.length - named.length;
    if (nameless > 0) incomplete.push(`${nameless} of its ${LISTS[method]} have no ${id}`);
    return named as T[];
  };
  const optional = async <T>(...args: [kind: string, method: keyof typeof LISTS, id: string]): Promise<T[]> => {
    try {
      return await list<T>(...args, MOST_OTHERS);
    } catch (error) {
      if (Object(error).code === METHOD_NOT_FOUND || NO_METHOD.test(reasonOf(error))) return [];
      incomplete.push(`${args[1]}: ${reasonOf(error)}`);
      return [];
    }
  };
  const tools = await list<ServerTool>("tools", "tools/list", "name", MOST_TOOLS);
  if (OTHERS_MS < budget.end - performance.now())
    Object.assign(budget, { ms: OTHERS_MS, end: performance.now() + OTHERS_MS });
  const [prompts, resources, resourceTemplates, skills] = await Promise.all([
    optional<{ name: string }>("prompts", "prompts/list", "name"),
    optional<{ uri: string }>("resources", "resources/list", "uri"),
    optional<{ uriTemplate: string }>("resources", "resources/templates/list", "uriTemplate"),
    optional<{ uri: string }>("skills", "skills/list", "uri"),
  ]);
  const instructions = client.getInstructions()?.slice(0, MOST_INSTRUCTIONS);
  const version = client.getServerVersion();
  const era = client.getProtocolEra();
  return {
    definitions: {
      ...(version && { server: { name: version.name, version: version.version } }),
      ...(era && { era }),
      ...(instructions && { instructions }),
      capabilities,
      tools,
      prompts,
      resources,
      resourceTemplates,
      skills,
    },
    incomplete,
  };
}

/** One server. */
export class Upstream extends Link<Client, Listed> {
  readonly plan: Plan;
  /** What installs the server before it runs, such as `npx`. */
  readonly installer: string | undefined;
  /** The definitions of the server, if it was ever listed. */
  definitions: Definitions | undefined;
  readonly #host: UpstreamHost;
  readonly #dialler: Dialler<Client>;
  /** The client's capabilities that the server received when it was connected last. */
  #offered: ClientCapabilities = {};
  #listedAt = -Infinity;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  protected readonly canDial = true;
  protected readonly patience = 1;
  protected readonly hasLists = false;

  constructor(plan: Plan, host: UpstreamHost) {
    const { version, startTimeoutMs, transport, isStateless: isIsolated } = host;
    const startMs = startLimit(plan.way, startTimeoutMs);
    super(plan.name, { kinds: () => ["tools", "prompts", "resources"], connectMs: startMs, listMs: startMs, isIsolated });
    this.plan = plan;
    this.installer = installing(plan.way);
    this.#host = host;
    this.#dialler = new Dialler(plan.name, plan.way as ServerWay, {
      version,
      startTimeoutMs,
      transport,
      sdk: async () => SDK,
      options: (timeoutMs) => {
        this.#offered = host.capabilities();
        const versionNegotiation = { mode: "auto", probe: { timeoutMs } };
        const capabilities = { ...this.#offered, extensions: { [SKILLS]: {} } };
        return { capabilities, inputRequired: { autoFulfill: false }, versionNegotiation };
      },
      prepare: (client) => this.#answer(client, this.#offered),
    });
  }

  get state(): ServerState {
    if (this.running !== undefined) return "running";
    if (this.making !== undefined) return "starting";
    return this.error === undefined ? "idle" : "down";
  }

  /**
   * Runs some work with a connected client. The server is not stopped meanwhile.
   *
   * @throws Error that says why the server is not available; what the work throws
   */
  override async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.hold();
    try {
      return await super.use(work);
    } finally {
      this.release();
    }
  }

  /** Keeps the server from being stopped while nobody calls it: somebody follows what it tells. */
  hold(): void {
    this.#users++;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#users--;
    this.#rest();
  }

  /** What an error of a call means, as far as the connection can tell: how its process ended, say. */
  explained(error: unknown): string {
    return this.#dialler.explained(error);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all([this.#dialler.close(), ended(this.finish())]);
    await within({ what: "closing", ms: CLOSE_MS }, async () => this.making).catch(() => {});
  }

  #rest(): void {
    const { idleMs } = this.#host;
    if (this.#users > 0 || this.running === undefined || idleMs === 0) return;
    clearTimeout(this.#idle);
    const stop = async () => {
      const { running } = this;
      this.drop();
      await ended(running);
      this.moved();
    };
    this.#idle = setTimeout(() => void stop(), idleMs);
    (this.#idle as { unref?: () => void }).unref?.();
  }

  protected async dial(): Promise<Client> {
    const { way } = this.plan;
    if (way.kind === "broken") throw new Error(way.reason);
    return this.#dialler.open(this.definitions?.era);
  }

  protected read(client: Client, budget: ListBudget): Promise<Listed> {
    return listEverything(client, budget);
  }

  protected async take({ definitions, incomplete }: Listed): Promise<void> {
    this.definitions = { ...definitions, offered: Object.keys(this.#offered) };
    this.#listedAt = performance.now();
    await this.#host.listed(this, this.definitions, incomplete);
  }

  protected unread(error: unknown): void {
    this.error = `its changed list cannot be read: ${reasonFrom(error)}`;
    this.moved();
  }

  protected lost(_error: unknown, isShaky: boolean): void {
    clearTimeout(this.#idle);
    if (isShaky) this.error = "its connection ended soon after it was made, again and again";
  }

  protected override moved(): void {
    if (this.running !== undefined) this.#rest();
    this.#host.changed(this);
  }

  protected override get isFresh(): boolean {
    return this.definitions !== undefined && performance.now() - this.#listedAt < FRESH_MS;
  }

  #answer(client: Client, capabilities: ClientCapabilities): void {
    const ask = async (request: { method: string; params?: unknown }, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
      return (await this.#host.ask(this, request as ServerRequest, mcpReq.signal)) as never;
    };
    if (capabilities.sampling !== undefined) client.setRequestHandler("sampling/createMessage", ask);
    if (capabilities.elicitation !== undefined) client.setRequestHandler("elicitation/create", ask);
    if (capabilities.roots !== undefined) client.setRequestHandler("roots/list", ask);
    client.fallbackNotificationHandler = async (notification) => this.#host.notified(this, notification);
    // Errors out of band concern no call; those of a call reach the call.
    client.onerror = () => {};
  }
}
