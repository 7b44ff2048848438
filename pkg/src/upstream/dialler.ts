/** Makes the connections to one server: by which transport, in which protocol, and what went wrong where there is none. */

import { ToolSiftError } from "../base/errors.js";
import type { ServerWay } from "../servers/way.js";
import { kind, reasonOf } from "../base/values.js";
import { installing, mayDownload, startLimit } from "./installer.js";
import { discreet, withoutAddress } from "./address.js";
import { statusOf, withCause } from "./cause.js";
import { processTransport } from "./process.js";
import type { McpSdk, Transport, Unconnected } from "./sdk.js";
import { pause, type Wait, within } from "../base/wait.js";

/** Milliseconds in which a closed connection must have ended, and until one that is given up is closed. */
const CLOSE_MS = 5_000;
/** Milliseconds for the newer protocol's first question: older servers leave it unanswered, and are asked in the older one then. */
const PROBE_MS = 5_000;
/** How a server answers that does not speak the older protocol: it says so, or knows no `initialize`. */
const NOT_OLDER: readonly unknown[] = [-32_022, -32_601];
/** How a server answers that does not speak streamable HTTP. */
const NOT_STREAMABLE: readonly unknown[] = [400, 404, 405, 406, 415];
/** How it answers a client that has not signed in, or may not come in. */
const NOT_LET_IN: readonly unknown[] = [401, 403];

/** The dependencies of connections. */
export interface DialHost<C extends Unconnected = Unconnected> {
  version: string;
  /** Milliseconds for a start; by default as long as what starts the server needs. */
  startTimeoutMs: number | undefined;
  sdk(): Promise<McpSdk<C>>;
  /** Makes the transport to a server, in place of ours. */
  transport?: ((name: string, way: ServerWay) => unknown) | undefined;
  /**
   * The second argument of the SDK's client, and what is done with each client before it connects. With options it negotiates
   * the protocol; `probeMs` is for the answer to its first question.
   */
  options?: ((probeMs: number) => object) | undefined;
  prepare?(client: C): void;
}

/** In which protocol a server is asked: the older one, the newer one, or the newer one and the older where it does not answer. */
type Protocol = "older" | "newer" | "both";

/** A connection that was not made: in words for people, and with the SDK's own error as its cause. */
class NotConnected extends Error {
  constructor(reason: unknown, cause: unknown) {
    super(reasonOf(reason), { cause });
  }
}

/** Connects to one server, also again. */
export class Dialler<C extends Unconnected = Unconnected> {
  readonly #name: string;
  readonly #way: ServerWay;
  readonly #host: DialHost<C>;
  /** Ends each connection that is being made. In a worker none outlives the request in which it was made. */
  readonly #starting = new Set<AbortController>();
  #closed: ToolSiftError | undefined;
  readonly #leaving = new Set<Promise<unknown>>();
  #transport: Transport | undefined;

  constructor(name: string, way: ServerWay, dialHost: DialHost<C>) {
    this.#name = name;
    this.#way = way;
    this.#host = dialHost;
  }

  /** What an error of the latest connection means, as far as its transport can tell: how its process ended, say. */
  explained(error: unknown): string {
    return reasonOf(this.#transport?.explain?.(error) ?? error);
  }

  /** Ends what is being opened, opens nothing any more, and waits until what failed to start has ended. */
  async close(): Promise<void> {
    this.#closed ??= new ToolSiftError("disposed", "it was closed");
    for (const starting of this.#starting) starting.abort(this.#closed);
    await Promise.all(this.#leaving);
  }

  /**
   * Makes a connection. Without a type, a server that does not speak streamable HTTP is asked for SSE. Of one that knows
   * neither, what it said first tells more; that it lets nobody in, or refuses the client once it is connected, is told.
   *
   * @param era what the server spoke before
   * @throws Error that says why there is none
   */
  async open(era?: "legacy" | "modern"): Promise<C> {
    const way = this.#way;
    if (way.kind !== "either") return this.#attempt(way, era);
    try {
      return await this.#attempt({ ...way, kind: "http" }, era);
    } catch (refusal) {
      if (!isOf(NOT_STREAMABLE, refusal)) throw refusal;
      return await this.#attempt({ ...way, kind: "sse" }, era).catch((error: unknown) => {
        throw statusOf(sdkError(error)) === undefined || isOf(NOT_LET_IN, error) ? error : refusal;
      });
    }
  }

  /** A process that spoke the older protocol before is asked in it at once. Who is refused in one protocol tries the other. */
  async #attempt(way: ServerWay, era: "legacy" | "modern" | undefined): Promise<C> {
    const first = way.kind === "stdio" && era === "legacy" ? "older" : "both";
    try {
      return await this.#handshake(way, first);
    } catch (error) {
      const other = this.#other(way, first, error instanceof NotConnected ? error.cause : undefined);
      if (other === undefined) throw error;
      return this.#handshake(way, other);
    }
  }

  /**
   * Returns the protocol for a second attempt. A process that ends at the newer protocol's first question is asked in the older
   * one. So is an HTTP server that does not answer it; over stdio the SDK does so on the same process. A server that refuses
   * the older protocol is asked in the newer one. A client that does not negotiate gets no second attempt.
   */
  #other(way: ServerWay, first: Protocol, cause: unknown): Protocol | undefined {
    if (this.#host.options === undefined) return undefined;
    const { code } = Object(cause) as { code?: unknown };
    if (NOT_OLDER.includes(code)) return "newer";
    if (first === "older") return undefined;
    const isOlder = way.kind === "stdio" ? /closed|ended/i.test(reasonOf(cause)) : code === "REQUEST_TIMEOUT";
    return isOlder ? "older" : undefined;
  }

  async #handshake(way: ServerWay, protocol: Protocol): Promise<C> {
    if (this.#closed !== undefined) throw this.#closed;
    const starting = new AbortController();
    this.#starting.add(starting);
    try {
      return await this.#connected(way, protocol, starting.signal);
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #connected(way: ServerWay, protocol: Protocol, signal: AbortSignal): Promise<C> {
    const { version, startTimeoutMs } = this.#host;
    const ms = startLimit(this.#way, startTimeoutMs);
    const sdk = await this.#host.sdk();
    const probeMs = protocol === "newer" ? ms : Math.min(PROBE_MS, ms / 2);
    const client = new sdk.Client({ name: "toolsift", version }, this.#host.options?.(probeMs));
    this.#host.prepare?.(client);
    const transport = await this.#made(way, sdk);
    this.#transport = transport;
    const installer = installing(way);
    const what = `starting ${this.#name}${installer === undefined ? "" : ` (${mayDownload(installer)})`}`;
    const connecting = within({ what, ms, signal }, (own) => {
      return client.connect(transport, {
        signal: own,
        timeout: ms,
        ...(protocol === "older" && { prior: { kind: "legacy" } }),
      });
    });
    // Known before it fails: who closes meanwhile waits for it.
    const leaving = connecting.catch(() => Promise.all([ended(client), ended(transport)]));
    this.#leaving.add(leaving);
    void leaving.then(() => this.#leaving.delete(leaving));
    try {
      await connecting;
      return client;
    } catch (error) {
      throw new NotConnected(
        transport.explain?.(error) ?? (way.kind === "stdio" ? error : unreachable(way.url, error)),
        error,
      );
    }
  }

  async #made(way: ServerWay, sdk: McpSdk<C>): Promise<Transport> {
    const { transport } = this.#host;
    if (transport !== undefined) {
      const made = await transport(this.#name, way);
      if (typeof (Object(made) as { start?: unknown }).start === "function") return made as Transport;
      throw new Error(`options.transport returned ${kind(made)} for it, and no transport of the SDK`);
    }
    if (way.kind === "stdio") return processTransport(way);
    const Remote = await (way.kind === "sse" ? sdk.Sse() : sdk.Http());
    return discreet(new Remote(way.url, { requestInit: { headers: way.headers } }), way.url);
  }
}

/**
 * What a function of the host's connects. A client that comes too late is closed, because nobody uses it.
 *
 * @throws ToolSiftError `not_currently_available` when the time is up; what the function throws
 */
export async function inTime<C>(wait: Pick<Wait, "ms" | "signal">, connect: () => Promise<C>): Promise<C> {
  let late = false;
  const connecting = connect();
  connecting.then((client) => (late ? ended(client as { close?(): Promise<void> }) : undefined)).catch(() => {});
  try {
    return await within({ what: "connecting", ...wait }, () => connecting);
  } catch (error) {
    late = true;
    throw error;
  }
}

/** Ends a connection. Errors are ignored, and it does not wait for one that never ends. */
export async function ended(connection: { close?(): Promise<void> } | undefined): Promise<void> {
  await within({ what: "closing", ms: CLOSE_MS }, async () => connection?.close?.()).catch(() => {});
}

/**
 * Ends a connection whose server has forgotten its session, once other calls on it had the time to be told so too.
 *
 * @param others calls in progress that it has to wait for, where it is not certain that the session is gone
 */
export async function forgotten(
  connection: { close?(): Promise<void> },
  others: Iterable<Promise<unknown>> = [],
): Promise<void> {
  await Promise.allSettled([pause(CLOSE_MS, { idle: true }), ...others]);
  await ended(connection);
}

/** The error of a URL that does not answer as an MCP server: `fetch failed` alone names neither the place nor the cause. */
function unreachable(url: URL, error: unknown): unknown {
  if (ToolSiftError.is(error)) return error;
  const reason = withoutAddress(withCause(reasonOf(error), error, statusOf(error)), url);
  return new Error(`cannot connect to ${url.origin}: ${reason}`, { cause: error });
}

const isOf = (statuses: readonly unknown[], error: unknown): boolean => statuses.includes(statusOf(sdkError(error)));

/** The SDK's own error behind one for people. */
const sdkError = (error: unknown): unknown => (error instanceof NotConnected ? error.cause : error);
