/** One server of the gateway: connected when it is needed, stopped when idle, and listed before it is used. */

import {
  Client,
  type ClientCapabilities,
  type Notification,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { later, within } from "../base/wait.js";
import type { Plan } from "../servers/plans.js";
import type { ServerWay } from "../servers/way.js";
import { Dialler, ended } from "../upstream/dialler.js";
import { installing, startLimit } from "../upstream/installer.js";
import { Link, reasonFrom } from "../upstream/link.js";
import { type ListBudget, listAll, LISTS } from "../upstream/list.js";
import type { McpSdk } from "../upstream/sdk.js";
import type { GatewaySettings } from "./options.js";
import type { Definitions, ServerState } from "./types.js";
import { SKILLS, extensionIn } from "../skills/extension.js";
import { reasonOf } from "../base/values.js";

/** The time for which lists are valid if each call connects again, in ms. */
const FRESH_MS = 60_000;
/** The maximum time that a server that is being connected delays the gateway's end, in ms. */
const CLOSE_MS = 5_000;

/** Version 2 of the SDK, which the gateway always uses, even if others are installed. */
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

/** The clients of the gateway, as servers see them. */
export interface ServersClients {
  /** Returns the capabilities of the gateway's clients for servers. */
  capabilities(): ClientCapabilities;
  /** Passes a server's question to a client. */
  ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown>;
  notified(upstream: Upstream, notification: Notification): void;
}

/** The gateway's functions and settings for an upstream. */
export interface UpstreamHost {
  version: string;
  settings: Pick<GatewaySettings, "startTimeoutMs" | "transport" | "idleMs" | "stateless">;
  listener: ServersClients;
  /** Receives a server's lists before anything of them is used. */
  listed(upstream: Upstream, definitions: Definitions, incomplete: string[]): Promise<void>;
  changed(upstream: Upstream): void;
}

const MOST_TOOLS = 5_000;
const MOST_OTHERS = 10_000;
/** The time limit for prompts, resources, templates and skills together, in ms, so that the tools do not wait longer. */
const OTHERS_MS = 10_000;
/** The error code of a server that has no such list, although it has other lists of the same capability. */
const METHOD_NOT_FOUND = -32_601;
const NO_METHOD =
  /method not found|unknown method|(?:method|request|operation)\b.{0,60}(?:not|un)[ -]?(?:supported|implemented)/i;
/** The maximum length of a server's instructions, in characters. */
const MOST_INSTRUCTIONS = 8_000;

/** The definitions of a server, and the names of its incomplete lists. */
export interface Listed {
  definitions: Definitions;
  incomplete: string[];
}

/**
 * Lists a connected server's tools, prompts, resources, templates and skills.
 *
 * @throws the client's errors during the list of tools; other lists that fail are left out and named in `incomplete`, except
 *   lists that the server does not have
 */
export async function listEverything(client: Client, budget: ListBudget): Promise<Listed> {
  const capabilities: Record<string, unknown> = { ...client.getServerCapabilities() };
  const declared: Record<string, unknown> = { ...capabilities, skills: extensionIn(capabilities) };
  const incomplete: string[] = [];
  const list = async (method: keyof typeof LISTS, most: number): Promise<unknown[]> => {
    if (declared[method.split("/", 1)[0]!] === undefined) return [];
    const listed = await listAll(client, method, most, budget);
    if (listed.incomplete !== null) incomplete.push(listed.incomplete);
    const [key, id] = LISTS[method];
    const named = listed.entries.filter((entry) => typeof (Object(entry) as Record<string, unknown>)[id] === "string");
    const nameless = listed.entries.length - named.length;
    if (nameless > 0) incomplete.push(`${nameless} of its ${key} have no ${id}`);
    return named;
  };
  const optional = async (method: keyof typeof LISTS): Promise<unknown[]> => {
    try {
      return await list(method, MOST_OTHERS);
    } catch (error) {
      if (Object(error).code === METHOD_NOT_FOUND || NO_METHOD.test(reasonOf(error))) return [];
      incomplete.push(`${method}: ${reasonOf(error)}`);
      return [];
    }
  };
  const tools = await list("tools/list", MOST_TOOLS);
  if (OTHERS_MS < budget.end - performance.now())
    Object.assign(budget, { ms: OTHERS_MS, end: performance.now() + OTHERS_MS });
  const methods = (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter((method) => method !== "tools/list");
  const others = await Promise.all(methods.map(async (method) => [LISTS[method][0], await optional(method)] as const));
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
      ...Object.fromEntries(others),
    } as Definitions,
    incomplete,
  };
}

/** One server of the gateway. */
export class Upstream extends Link<Client, Listed> {
  readonly plan: Plan;
  /** The command that installs the server before it runs, such as `npx`. */
  readonly installer: string | undefined;
  /** The definitions of the server; undefined if it was never listed. */
  definitions: Definitions | undefined;
  readonly #host: UpstreamHost;
  readonly #dialler: Dialler<Client>;
  /** The client capabilities that the server got at its last connection. */
  #offered: ClientCapabilities = {};
  #listedAt = -Infinity;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  protected readonly canDial = true;
  protected readonly mostFailures = 1;
  protected readonly hasLists = false;

  constructor(plan: Plan, host: UpstreamHost) {
    const { startTimeoutMs, transport, stateless: isIsolated } = host.settings;
    const startMs = startLimit(plan.way, startTimeoutMs);
    super(plan.name, { kinds: () => ["tools", "prompts", "resources"], connectMs: startMs, listMs: startMs, isIsolated });
    this.plan = plan;
    this.installer = installing(plan.way);
    this.#host = host;
    this.#dialler = new Dialler(plan.name, plan.way as ServerWay, {
      version: host.version,
      startTimeoutMs,
      transport,
      sdk: async () => SDK,
      options: (timeoutMs) => {
        this.#offered = host.listener.capabilities();
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
   * Runs a function with a connected client. The server is not stopped during that time.
   *
   * @throws Error with the reason why the server is not available; the function's errors
   */
  override async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.hold();
    try {
      return await super.use(work);
    } finally {
      this.release();
    }
  }

  /** Prevents the stop of the idle server, for example while a client follows a resource. */
  hold(): void {
    this.#users++;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#users--;
    this.#rest();
  }

  /** Returns the reason of a failed call, as far as the connection knows it: for example how the process ended. */
  explained(error: unknown): string {
    return this.#dialler.explained(error);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all([this.#dialler.close(), ...this.finish().map(ended)]);
    await within({ what: "closing", ms: CLOSE_MS }, async () => this.making).catch(() => {});
  }

  #rest(): void {
    const { idleMs } = this.#host.settings;
    if (this.#users > 0 || this.running === undefined || idleMs === 0) return;
    clearTimeout(this.#idle);
    const stop = async () => {
      const { running } = this;
      this.drop();
      await ended(running);
      this.moved();
    };
    this.#idle = later(idleMs, () => void stop());
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
      return (await this.#host.listener.ask(this, request as ServerRequest, mcpReq.signal)) as never;
    };
    if (capabilities.sampling !== undefined) client.setRequestHandler("sampling/createMessage", ask);
    if (capabilities.elicitation !== undefined) client.setRequestHandler("elicitation/create", ask);
    if (capabilities.roots !== undefined) client.setRequestHandler("roots/list", ask);
    client.fallbackNotificationHandler = async (notification) => this.#host.listener.notified(this, notification);
    // An error outside of a call concerns nobody; the errors of calls are thrown by the calls.
    client.onerror = () => {};
  }
}
