/** Makes the connections to one server: by which transport, in which protocol, and what the server is told of its client. */

import {
  Client,
  type ClientCapabilities,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { within } from "./wait.js";
import type { Plan } from "../doorway/config.js";
import { ToolSiftError } from "../errors.js";
import { kind, reasonOf } from "../values.js";
import type { Definitions, GatewayOptions, GatewayTransport, ServerWay } from "../gateway/types.js";

/** What a closed connection may take to end. */
const CLOSE_MS = 5_000;
/** How a server answers that no longer speaks the older protocol. */
const UNSUPPORTED_PROTOCOL = -32_022;
/** How a server answers that does not speak streamable HTTP. */
const NOT_STREAMABLE: readonly unknown[] = [400, 404, 405, 406, 415];

/** What connections depend on. */
export interface DialHost {
  transport: GatewayOptions["transport"] | undefined;
  version: string;
  startTimeoutMs: number;
  /** What the clients of the gateway can do, as far as servers have to know. */
  capabilities(): ClientCapabilities;
}

/** A connection that was not made: in words for people, and with the SDK's own error as its cause. */
class Unconnected extends Error {
  constructor(said: unknown, cause: unknown) {
    super(reasonOf(said), { cause });
  }
}

/** Connects to one server, also again. */
export class Dialler {
  readonly #plan: Plan;
  readonly #host: DialHost;
  readonly #prepare: (client: Client, capabilities: ClientCapabilities) => void;
  #isEnded = false;
  /** The transport of a connection that is being made. */
  #opening: Transport | undefined;
  /** The transport of the latest connection. */
  #transport: Pick<GatewayTransport, "explain"> | undefined;
  #offered: string[] = [];

  /** @param prepare is given each client before it connects */
  constructor(plan: Plan, host: DialHost, prepare: (client: Client, capabilities: ClientCapabilities) => void) {
    this.#plan = plan;
    this.#host = host;
    this.#prepare = prepare;
  }

  /** The capabilities that the server was told of when it was connected last. */
  get offered(): string[] {
    return this.#offered;
  }

  /** What an error of the latest connection means, as far as its transport can tell: how its process ended, say. */
  explained(error: unknown): string {
    return reasonOf(this.#transport?.explain?.(error) ?? error);
  }

  /** Ends what is being opened, and opens nothing any more. */
  async close(): Promise<void> {
    this.#isEnded = true;
    if (this.#opening !== undefined) await ended(this.#opening);
  }

  /**
   * Makes a connection. Without a type, a server that does not speak streamable HTTP is asked for SSE.
   *
   * @param era what the server spoke before
   * @throws Error that says why there is none
   */
  async open(era: Definitions["era"]): Promise<Client> {
    const { way } = this.#plan;
    if (way.kind === "broken") throw new Error(way.reason);
    const asked = way as ServerWay;
    if (asked.kind !== "either" || this.#host.transport !== undefined) return this.#attempt(asked, era);
    try {
      return await this.#attempt({ ...asked, kind: "http" }, era);
    } catch (error) {
      const { status, code } = Object(error instanceof Unconnected ? error.cause : error) as {
        status?: unknown;
        code?: unknown;
      };
      if (!NOT_STREAMABLE.includes(status ?? code)) throw error;
      return this.#attempt({ ...asked, kind: "sse" }, era);
    }
  }

  /**
   * A process that spoke the older protocol before is asked in it at once, and one that ends at the newer protocol's first
   * question is asked again in the older one.
   */
  async #attempt(way: ServerWay, era: Definitions["era"]): Promise<Client> {
    const isOlder = way.kind === "stdio" && era === "legacy";
    try {
      return await this.#handshake(way, isOlder);
    } catch (error) {
      const cause: unknown = error instanceof Unconnected ? error.cause : undefined;
      const isRefused = isOlder && Object(cause).code === UNSUPPORTED_PROTOCOL;
      const hasEnded = !isOlder && way.kind === "stdio" && /closed|ended/i.test(reasonOf(cause));
      if (!isRefused && !hasEnded) throw error;
      return this.#handshake(way, !isOlder);
    }
  }

  async #handshake(way: ServerWay, isLegacy: boolean): Promise<Client> {
    const { startTimeoutMs: ms, version } = this.#host;
    const capabilities = this.#host.capabilities();
    const options = { capabilities, inputRequired: { autoFulfill: false }, versionNegotiation: { mode: "auto" as const } };
    const client = new Client({ name: "toolsift", version }, options);
    this.#prepare(client, capabilities);
    this.#offered = Object.keys(capabilities);
    const transport = await this.#made(way);
    this.#transport = transport;
    const connect = (signal: AbortSignal) => {
      return client.connect(transport, { signal, timeout: ms, ...(isLegacy && { prior: { kind: "legacy" as const } }) });
    };
    this.#opening = transport;
    try {
      if (this.#isEnded) throw new ToolSiftError("disposed", "the gateway was closed");
      await within({ what: `starting ${this.#plan.name}`, ms }, connect);
      return client;
    } catch (error) {
      void Promise.all([ended(client), ended(transport)]);
      throw new Unconnected(transport.explain?.(error) ?? error, error);
    } finally {
      this.#opening = undefined;
    }
  }

  async #made(way: ServerWay): Promise<Transport & Pick<GatewayTransport, "explain">> {
    const { transport } = this.#host;
    if (transport !== undefined) {
      const made: unknown = await transport(this.#plan.name, way);
      if (typeof (Object(made) as Partial<Transport>).start === "function") return made as Transport & GatewayTransport;
      throw new Error(`options.transport returned ${kind(made)} for it, and no transport of the SDK`);
    }
    if (way.kind === "stdio") throw new Error("no process can be started here; it needs a url");
    const options = { requestInit: { headers: way.headers } };
    if (way.kind === "sse") return new SSEClientTransport(way.url, options);
    return new StreamableHTTPClientTransport(way.url, options);
  }
}

/** Ends a connection, and does not wait for one that never ends. */
export async function ended(connection: { close(): Promise<void> }): Promise<void> {
  await within({ what: "closing", ms: CLOSE_MS }, () => connection.close()).catch(() => {});
}
