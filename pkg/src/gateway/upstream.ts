/** One server behind the gateway: connected when it is needed, listed, stopped when idle, tried again when it was lost. */

import {
  Client,
  type ClientCapabilities,
  type Notification,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { ToolSiftError } from "../base/errors.js";
import type { Plan } from "../servers/plans.js";
import { foreignReason } from "../suspicious/reason.js";
import { reasonOf } from "../base/values.js";
import { sessionAfter } from "../upstream/call.js";
import { Attempts } from "../upstream/attempts.js";
import { Changes } from "../upstream/changes.js";
import { Dialler, ended, forgotten } from "../upstream/dialler.js";
import { listen } from "../upstream/follow.js";
import { installing, startLimit } from "../upstream/installer.js";
import { budgetOf, readIn } from "../upstream/list.js";
import type { McpSdk } from "../upstream/sdk.js";
import { within } from "../base/wait.js";
import { SKILLS } from "../skills/entry.js";
import type { ServerWay } from "../servers/way.js";
import { listEverything } from "./listing.js";
import type { Definitions, GatewayOptions, ServerState } from "./types.js";

/** How long lists count as known where each call connects anew. */
const FRESH_MS = 60_000;
/** In some runtimes a connection that a request began ends with that request, and tells nobody. */
const LOST_MS = 5_000;
const REASON_CHARS = 2_000;
const CHANGES = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
] as const;

/** The gateway is made of version 2 of the SDK, whichever others are installed. */
const SDK = {
  Client,
  Http: async () => StreamableHTTPClientTransport,
  Sse: async () => SSEClientTransport,
} as unknown as McpSdk<Client>;

/** What an error says, which may be what a server wrote. */
const reasonFrom = (error: unknown): string => foreignReason(reasonOf(error), REASON_CHARS);

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

/** One server. */
export class Upstream {
  readonly name: string;
  readonly plan: Plan;
  readonly #host: UpstreamHost;
  readonly #dialler: Dialler<Client>;
  /** The client's capabilities that the server received when it was connected last. */
  #offered: ClientCapabilities = {};
  readonly #changes: Changes;
  #isEnded = false;
  #client: Client | undefined;
  #connecting: Promise<unknown> | undefined;
  /** The client of a connection that is being made, while its server is asked for its lists. */
  #listing: Client | undefined;
  #definitions: Definitions | undefined;
  #listedAt = -Infinity;
  readonly #attempts = new Attempts();
  /** When a connection that is still being made is taken for lost. */
  #givenUp = 0;
  #users = 0;
  /** Work in progress with the connection. */
  readonly #running = new Set<Promise<unknown>>();
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** The last error, until a connection succeeds. */
  error: string | undefined;

  constructor(plan: Plan, host: UpstreamHost) {
    this.name = plan.name;
    this.plan = plan;
    this.#host = host;
    const { version, startTimeoutMs, transport } = host;
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
    this.#changes = new Changes(() => this.#relist());
  }

  /** What installs the server before it runs, such as `npx`. */
  get installer(): string | undefined {
    return installing(this.plan.way);
  }

  get #startMs(): number {
    return startLimit(this.plan.way, this.#host.startTimeoutMs);
  }

  get state(): ServerState {
    if (this.#client !== undefined) return "running";
    if (this.#connecting !== undefined) return "starting";
    return this.error === undefined ? "idle" : "down";
  }

  /** The definitions of the server, if it was ever listed. */
  get definitions(): Definitions | undefined {
    return this.#definitions;
  }

  /** Takes what was kept of the server in an earlier process. */
  remember(definitions: Definitions): void {
    this.#definitions ??= definitions;
  }

  /**
   * Runs some work with a connected client. The server is not stopped meanwhile.
   *
   * @throws Error that says why the server is not available; what the work throws
   */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#host.isStateless) return this.#once(work);
    this.#users++;
    clearTimeout(this.#idle);
    try {
      return await this.#worked(work);
    } finally {
      this.#users--;
      this.#rest();
    }
  }

  /**
   * Runs some work, and again where the server no longer knows the session: it has done nothing then. Where it may be so, the
   * next work has a connection of its own.
   */
  async #worked<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.connected();
    const running = work(client);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      const session = sessionAfter(client, error);
      if (session === undefined) throw error;
      this.#running.delete(running);
      // Of several calls that are told so, the first gives the connection up.
      if (this.#client === client) {
        if (session === "lost") this.#lost(client);
        else {
          this.#drop();
          this.#host.changed(this);
        }
        void forgotten(client, session === "lost" ? [] : this.#running);
      }
      if (session === "doubtful") throw error;
      return await work(await this.connected());
    } finally {
      this.#running.delete(running);
    }
  }

  /** Runs some work with a connection that ends with it. */
  async #once<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const isKnown = this.#definitions !== undefined && performance.now() - this.#listedAt < FRESH_MS;
    const client = await (isKnown ? this.#open() : this.#connect()).catch((error: unknown) => {
      throw isKnown ? this.#unavailable(error) : error;
    });
    try {
      return await work(client);
    } finally {
      void ended(client);
    }
  }

  /**
   * Makes the server known: connects to it, unless it runs, and reads its lists.
   *
   * @throws Error that says why it is not available
   */
  async learned(): Promise<void> {
    if (!this.#host.isStateless) return void (await this.connected());
    await this.#shared(async () => void (await ended(await this.#connect())));
  }

  /**
   * The connected client.
   *
   * @throws Error that says why there is none
   */
  connected(): Promise<Client> {
    return this.#client !== undefined ? Promise.resolve(this.#client) : this.#shared(() => this.#kept());
  }

  /** Several who need a connection at the same time wait for the same one; after a failure, nobody tries for a while. */
  #shared<T>(connect: () => Promise<T>): Promise<T> {
    if (this.#connecting !== undefined && performance.now() < this.#givenUp) return this.#connecting as Promise<T>;
    const wait = this.#attempts.left;
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1_000);
      return Promise.reject(new Error(`${this.name} is not available: ${this.error}; it is tried again in ${seconds} s`));
    }
    this.#givenUp = performance.now() + 2 * this.#startMs + LOST_MS;
    const connecting = connect().finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
      this.#host.changed(this);
    });
    this.#connecting = connecting;
    this.#host.changed(this);
    return connecting;
  }

  /** Keeps the server from being stopped while nobody calls it: somebody follows what it tells. */
  hold(): void {
    this.#users++;
    clearTimeout(this.#idle);
  }

  /** Undoes one `hold`. */
  release(): void {
    this.#users--;
    this.#rest();
  }

  /** What an error of a call means, as far as the connection can tell: how its process ended, say. */
  explained(error: unknown): string {
    return this.#dialler.explained(error);
  }

  /** Sends a notification to the server if it runs. */
  async notify(notification: Notification): Promise<void> {
    await this.#client?.notification(notification).catch(() => {});
  }

  /** The client, if the server runs. */
  get running(): Client | undefined {
    return this.#client;
  }

  /** Ends the connection for good. */
  async close(): Promise<void> {
    this.#isEnded = true;
    // Who is asked for its lists meanwhile may never answer.
    await Promise.all([this.#dialler.close(), ended(this.#listing), this.#stop()]);
    await within({ what: "closing", ms: LOST_MS }, async () => this.#connecting).catch(() => {});
    await this.#stop();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await ended(client);
  }

  /** Starts the clock after which a server that nobody uses is stopped. */
  #rest(): void {
    const { idleMs } = this.#host;
    if (this.#users > 0 || this.#client === undefined || idleMs === 0) return;
    clearTimeout(this.#idle);
    const stop = async () => {
      await this.#stop();
      this.#host.changed(this);
    };
    this.#idle = setTimeout(() => void stop(), idleMs);
    (this.#idle as { unref?: () => void }).unref?.();
  }

  /** A client is used only when its lists were read: what changed since the last process may have to be held back. */
  async #connect(): Promise<Client> {
    let client: Client | undefined;
    try {
      this.#checkOpen();
      client = await this.#open();
      let isLost = false;
      client.onclose = () => (isLost = true);
      this.#listing = client;
      await this.#list(client);
      this.#checkOpen();
      if (isLost) throw new Error("its connection ended while it was listed");
    } catch (error) {
      if (client !== undefined) void ended(client);
      throw this.#unavailable(error);
    } finally {
      if (this.#listing === client) this.#listing = undefined;
    }
    this.error = undefined;
    this.#attempts.succeeded();
    return client;
  }

  async #open(): Promise<Client> {
    const { way } = this.plan;
    if (way.kind === "broken") throw new Error(way.reason);
    return this.#dialler.open(this.#definitions?.era);
  }

  /** Connects, and keeps the connection. */
  async #kept(): Promise<Client> {
    const client = await this.#connect();
    client.onclose = () => this.#lost(client);
    this.#client = client;
    listen(
      client,
      ["tools", "prompts", "resources"],
      () => this.#changes.note(),
      () => this.#client === client,
    );
    this.#rest();
    return client;
  }

  #unavailable(error: unknown): Error {
    this.#failed(error);
    return new Error(`${this.name} is not available: ${this.error}`, { cause: error });
  }

  #checkOpen(): void {
    if (this.#isEnded) throw new ToolSiftError("disposed", "the gateway was closed");
  }

  #failed(error: unknown): void {
    // A server that is ended while it starts has not failed.
    if (this.#isEnded) return;
    this.error = reasonFrom(error);
    this.#attempts.failed();
  }

  /** Lets the connection go; the next one who needs the server connects anew. */
  #drop(): void {
    this.#client = undefined;
    clearTimeout(this.#idle);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#drop();
    if (this.#attempts.lost() && !this.#isEnded) this.error = "its connection ended soon after it was made, again and again";
    this.#host.changed(this);
  }

  /** Hands the server's questions and notifications to the gateway. */
  #answer(client: Client, capabilities: ClientCapabilities): void {
    const ask = async (request: { method: string; params?: unknown }, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
      return (await this.#host.ask(this, request as ServerRequest, mcpReq.signal)) as never;
    };
    if (capabilities.sampling !== undefined) client.setRequestHandler("sampling/createMessage", ask);
    if (capabilities.elicitation !== undefined) client.setRequestHandler("elicitation/create", ask);
    if (capabilities.roots !== undefined) client.setRequestHandler("roots/list", ask);
    for (const method of CHANGES) client.setNotificationHandler(method, () => this.#changes.note());
    client.fallbackNotificationHandler = async (notification) => this.#host.notified(this, notification);
    // Errors out of band concern no call; those of a call reach the call.
    client.onerror = () => {};
  }

  async #list(client: Client, budget = budgetOf(this.#startMs)): Promise<void> {
    const { definitions, incomplete } = await listEverything(client, budget);
    this.#definitions = { ...definitions, offered: Object.keys(this.#offered) };
    this.#listedAt = performance.now();
    await this.#host.listed(this, this.#definitions, incomplete);
  }

  /** Reads the lists again, and answers how many characters they have. */
  async #relist(): Promise<number> {
    const client = this.#client;
    if (client === undefined) return 0;
    const budget = budgetOf(this.#startMs);
    try {
      await this.#list(client, budget);
      this.error = undefined;
    } catch (error) {
      this.error = `its changed list cannot be read: ${reasonFrom(error)}`;
      this.#host.changed(this);
    }
    return readIn(budget);
  }

  /** Reads the lists again soon: one of them was not what the server has. */
  listAgain(): void {
    this.#changes.note();
  }

  /** Waits until the lists that changed with a call have been read. */
  settled(signal: AbortSignal): Promise<void> {
    return this.#changes.settled(signal);
  }
}
