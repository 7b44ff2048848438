/** Connects to one server: chooses the transport and the protocol, and explains failures. */

import { ToolSiftError } from "../base/errors.js";
import type { ServerWay } from "../servers/way.js";
import { kind, reasonOf } from "../base/values.js";
import { installing, mayDownload, startLimit } from "./installer.js";
import { discreet, withoutAddress } from "./address.js";
import { statusOf, withCause } from "./cause.js";
import { processTransport } from "./process.js";
import type { McpSdk, Transport, Unconnected } from "./sdk.js";
import { pause, type Wait, within } from "../base/wait.js";

/** The time limit for closing a connection, in ms, and the delay before a lost connection is closed. */
const CLOSE_MS = 5_000;
/** The time limit of the first request without `initialize`, in ms. If it is not answered, `initialize` is tried. */
const PROBE_MS = 5_000;
/** The error codes of a server that does not know the older protocol, which begins with `initialize`. */
const NOT_OLDER: readonly unknown[] = [-32_022, -32_601];
/** The HTTP statuses of a server that does not know streamable HTTP. */
const NOT_STREAMABLE: readonly unknown[] = [400, 404, 405, 406, 415];
/** The HTTP statuses of a server whose client is not signed in or has no access. */
const NOT_LET_IN: readonly unknown[] = [401, 403];

/** The dependencies of connections. */
export interface DialHost<C extends Unconnected = Unconnected> {
  version: string;
  /** The time limit for a start, in ms; by default it depends on the command that starts the server. */
  startTimeoutMs: number | undefined;
  sdk(): Promise<McpSdk<C>>;
  /** Makes the transport to a server, instead of toolsift's own transport. */
  transport?: ((name: string, way: ServerWay) => unknown) | undefined;
  /**
   * Returns the second argument of the SDK's client. With these options the client negotiates the protocol; `probeMs` is the
   * time limit of its first request.
   */
  options?: ((probeMs: number) => object) | undefined;
  prepare?(client: C): void;
}

/** The protocols to try: the older one, the newer one, or the newer one and then the older one if there is no answer. */
type Protocol = "older" | "newer" | "both";

/** The error of a failed connection: a reason for people, with the SDK's own error as its cause. */
class NotConnected extends Error {
  constructor(reason: unknown, cause: unknown) {
    super(reasonOf(reason), { cause });
  }
}

/** Connects to one server, any number of times. */
export class Dialler<C extends Unconnected = Unconnected> {
  readonly #host: DialHost<C>;
  /** The controllers that abort connections in progress. In a worker, no connection outlives its request. */
  readonly #starting = new Set<AbortController>();
  #closed: ToolSiftError | undefined;
  readonly #leaving = new Set<Promise<unknown>>();
  #transport: Transport | undefined;

  constructor(
    private readonly name: string,
    private readonly way: ServerWay,
    dialHost: DialHost<C>,
  ) {
    this.#host = dialHost;
  }

  /** Explains an error of the latest connection, as far as its transport knows more: for example how its process ended. */
  explained(error: unknown): string {
    return reasonOf(this.#transport?.explain?.(error) ?? error);
  }

  /** Aborts connections in progress, makes no new ones, and waits until failed starts have ended. */
  async close(): Promise<void> {
    this.#closed ??= new ToolSiftError("disposed", "it was closed");
    for (const starting of this.#starting) starting.abort(this.#closed);
    await Promise.all(this.#leaving);
  }

  /**
   * Makes a connection. Without a type, a server that does not know streamable HTTP is tried with SSE. If both fail, the
   * first error is thrown, unless the second is about missing rights or comes from the connected server.
   *
   * @param era the protocol of the earlier connection
   * @throws Error with the reason why there is no connection
   */
  async open(era?: "legacy" | "modern"): Promise<C> {
    const way = this.way;
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

  /** Connects with the older protocol first if an earlier process had it. If one protocol is refused, tries the other. */
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
   * Returns the protocol for a second attempt. A process that ends at the newer protocol's first request is tried with the
   * older one. So is an HTTP server that does not answer it; over stdio the SDK does this with the same process. A server
   * that refuses the older protocol is tried with the newer one. A client that does not negotiate gets no second attempt.
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
    const ms = startLimit(this.way, startTimeoutMs);
    const sdk = await this.#host.sdk();
    const probeMs = protocol === "newer" ? ms : Math.min(PROBE_MS, ms / 2);
    const client = new sdk.Client({ name: "toolsift", version }, this.#host.options?.(probeMs));
    this.#host.prepare?.(client);
    const transport = await this.#made(way, sdk);
    this.#transport = transport;
    const installer = installing(way);
    const what = `starting ${this.name}${installer === undefined ? "" : ` (${mayDownload(installer)})`}`;
    const connecting = within({ what, ms, signal }, (own) => {
      return client.connect(transport, {
        signal: own,
        timeout: ms,
        ...(protocol === "older" && { prior: { kind: "legacy" } }),
      });
    });
    // Registered before the failure, so that `close` waits for it.
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
      const made = await transport(this.name, way);
      if (typeof (Object(made) as { start?: unknown }).start === "function") return made as Transport;
      throw new Error(`options.transport returned ${kind(made)} for it, and no transport of the SDK`);
    }
    if (way.kind === "stdio") return processTransport(way);
    const Remote = await (way.kind === "sse" ? sdk.Sse() : sdk.Http());
    return discreet(new Remote(way.url, { requestInit: { headers: way.headers } }), way.url);
  }
}

/**
 * Waits for a client that a function of your program connects. A client that comes too late is closed, because it is not
 * used.
 *
 * @throws ToolSiftError `not_currently_available` after the time limit; the errors of the function
 */
export async function connectInTime<C>(wait: Pick<Wait, "ms" | "signal">, connect: () => Promise<C>): Promise<C> {
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

/** Closes a connection. Errors are ignored, and the wait is limited. */
export async function ended(connection: { close?(): Promise<void> } | undefined): Promise<void> {
  await within({ what: "closing", ms: CLOSE_MS }, async () => connection?.close?.()).catch(() => {});
}

/**
 * Closes a connection whose server has forgotten its session, after other calls had time to get the same error.
 *
 * @param others calls in progress to wait for first, if it is not certain that the session is lost
 */
export async function forgotten(
  connection: { close?(): Promise<void> },
  others: Iterable<Promise<unknown>> = [],
): Promise<void> {
  await Promise.allSettled([pause(CLOSE_MS, { idle: true }), ...others]);
  await ended(connection);
}

/** Returns the error of a URL that is no MCP server: `fetch failed` alone contains neither the place nor the cause. */
function unreachable(url: URL, error: unknown): unknown {
  if (ToolSiftError.is(error)) return error;
  const reason = withoutAddress(withCause(reasonOf(error), error, statusOf(error)), url);
  return new Error(`cannot connect to ${url.origin}: ${reason}`, { cause: error });
}

const isOf = (statuses: readonly unknown[], error: unknown): boolean => statuses.includes(statusOf(sdkError(error)));

/** Returns the SDK's own error that caused an error for people. */
const sdkError = (error: unknown): unknown => (error instanceof NotConnected ? error.cause : error);
