/** Starts servers and connects to them, within a time, and ends what it started where that does not work. */

import { dismiss } from "../adapters/mcp/reconnect.js";
import type { McpClient } from "../adapters/mcp/types.js";
import { within } from "../mcp/wait.js";
import { ToolSiftError } from "../errors.js";
import { kind, reasonOf } from "../values.js";
import { isClient, type Plan, type Way } from "./config.js";
import { type McpSdk, mcpSdk, type Transport } from "../mcp/sdk.js";

/** What is kept of what a server writes to its standard error while it starts. */
const STDERR_CHARS = 4_000;
/** What is told of it. */
const TOLD_CHARS = 300;
/** How a server answers that does not speak streamable HTTP. */
const NOT_STREAMABLE: readonly unknown[] = [400, 404, 405, 406, 415];

type Remote = Extract<Way, { url: URL }>;
type Process = Extract<Way, { kind: "stdio" }>;

/** Connects to the servers of some plans, also again. */
export class Starter {
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #timeoutMs: number;
  readonly #version: string;
  readonly #ended = new AbortController();
  readonly #leaving = new Set<Promise<void>>();
  #sdk: McpSdk | undefined;

  constructor(plans: readonly Plan[], { timeoutMs, version }: { timeoutMs: number; version: string }) {
    this.#plans = new Map(plans.map((plan) => [plan.name, plan]));
    this.#timeoutMs = timeoutMs;
    this.#version = version;
  }

  /**
   * Loads the SDK, if a plan needs it.
   *
   * @throws ToolSiftError `peer_missing`
   */
  async load(): Promise<void> {
    const kinds = [...this.#plans.values()].map(({ way }) => way.kind);
    if (kinds.some((kind) => kind !== "client" && kind !== "broken")) this.#sdk ??= await mcpSdk();
  }

  /** A connected client of a server. @throws an Error that says why there is none */
  async start(name: string): Promise<McpClient> {
    this.#ended.signal.throwIfAborted();
    const { way } = this.#plans.get(name)!;
    if (way.kind === "broken") throw new Error(way.reason);
    if (way.kind === "client") return connected(await way.connect());
    if (way.kind === "stdio") return this.#process(name, way);
    try {
      return await this.#url(name, way);
    } catch (error) {
      if (ToolSiftError.is(error)) throw error;
      throw unreachable(way.url, error);
    }
  }

  /** Ends what is being started, and waits until what failed to start has ended. */
  async close(): Promise<void> {
    this.#ended.abort(new ToolSiftError("disposed", "toolsift was closed"));
    await Promise.all(this.#leaving);
  }

  async #process(name: string, { kind: _, ...params }: Process): Promise<McpClient> {
    const Stdio = await this.#sdk!.Stdio();
    const transport = new Stdio({ ...params, stderr: "pipe" });
    let said = "";
    transport.stderr?.on("data", (chunk) => (said = (said + String(chunk)).slice(-STDERR_CHARS)));
    try {
      return await this.#connect(name, transport);
    } catch (error) {
      const help = codeOf(error) === "ENOENT" ? `: there is no command ${JSON.stringify(params.command.slice(0, 80))}` : "";
      throw new Error(`${reasonOf(error)}${help}${wrote(said)}`, { cause: error });
    }
  }

  /** Without a type, a server that does not speak streamable HTTP is asked for SSE. */
  async #url(name: string, way: Remote): Promise<McpClient> {
    if (way.kind !== "either") return this.#remote(name, way.kind, way);
    try {
      return await this.#remote(name, "http", way);
    } catch (error) {
      if (!NOT_STREAMABLE.includes(statusOf(error))) throw error;
      return this.#remote(name, "sse", way);
    }
  }

  async #remote(name: string, kind: "http" | "sse", { url, headers }: Remote): Promise<McpClient> {
    const Remote = await (kind === "sse" ? this.#sdk!.Sse() : this.#sdk!.Http());
    return this.#connect(name, new Remote(url, { requestInit: { headers } }));
  }

  async #connect(name: string, transport: Transport): Promise<McpClient> {
    const client = new this.#sdk!.Client({ name: "toolsift", version: this.#version });
    const ms = this.#timeoutMs;
    const { signal } = this.#ended;
    try {
      const wait = { what: `starting ${name}`, ms, signal };
      await within(wait, (own) => client.connect(transport, { signal: own, timeout: ms }));
      return client;
    } catch (error) {
      const leaving = Promise.all([dismiss(client), dismiss(transport as unknown as McpClient)]).then(() => {});
      this.#leaving.add(leaving);
      void leaving.then(() => this.#leaving.delete(leaving));
      throw error;
    }
  }
}

/** What a function of the host's has connected. @throws an Error for what is no client: that server fails, and no other */
function connected(given: unknown): McpClient {
  if (isClient(given)) return given;
  throw new Error(`its function returned ${kind(given)}, which is no MCP client: it has no listTools`);
}

/**
 * Stands for a server that did not start. Listing its tools fails with the reason; listing them again says that the server
 * does not know this client, so that `servers.refresh(name)` starts it anew.
 */
export function unstarted(reason: unknown): McpClient {
  let isTold = false;
  const listTools = async () => {
    if (!isTold) {
      isTold = true;
      throw reason;
    }
    throw Object.assign(new Error(reasonOf(reason)), { status: 404 });
  };
  const callTool = async () => {
    throw reason;
  };
  return { listTools, callTool };
}

/** What a server wrote, from its first line about an error on: behind it there may be a long trace. */
function wrote(said: string): string {
  const text = said.trim();
  if (text === "") return "";
  const at = text.search(/^.*\berror\b/im);
  return `; it wrote: ${at < 0 ? text.slice(-TOLD_CHARS) : text.slice(at, at + TOLD_CHARS)}`;
}

/** The error of a URL that does not answer as an MCP server: `fetch failed` alone names neither the place nor the cause. */
function unreachable(url: URL, error: unknown): Error {
  // User, password and query of a URL may hold secrets.
  const place = `${url.origin}${url.pathname}`;
  const reason = reasonOf(error).replaceAll(url.href, place);
  const code = causeOf(error);
  const help = code === undefined || reason.includes(code) ? "" : ` (${code})`;
  return new Error(`cannot connect to ${place}: ${reason}${help}`, { cause: error });
}

/** Causes that are looked through; a cyclic one has no end. */
const CAUSES = 8;

/** The code of the system or of the TLS library behind an error, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < CAUSES && cause !== undefined; depth++) {
    const code = codeOf(cause);
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
    cause = (Object(cause) as { cause?: unknown }).cause;
  }
  return undefined;
}

function statusOf(error: unknown): unknown {
  const { status, code } = Object(error) as { status?: unknown; code?: unknown };
  return status ?? code;
}

function codeOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}
