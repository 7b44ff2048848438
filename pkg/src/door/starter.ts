/** Connects to the servers of some plans, also again after a lost connection, and ends processes that fail to connect. */

import type { McpClient } from "../servers/client.js";
import { Dialler, type DialHost, connectInTime } from "../upstream/dialler.js";
import { startLimit } from "../upstream/installer.js";
import { type McpSdk, mcpSdk } from "../upstream/sdk.js";
import { ToolSiftError } from "../base/errors.js";
import { whenAborted } from "../base/wait.js";
import { kind } from "../base/values.js";
import { isClient, type Plan } from "../servers/plans.js";
import { SKILLS } from "../skills/extension.js";

/** The options by which a client of SDK version 2 asks for the newer protocol. Some servers have skills only there. */
const NEWER: DialHost["options"] = (timeoutMs) => ({
  capabilities: { extensions: { [SKILLS]: {} } },
  versionNegotiation: { mode: "auto", probe: { timeoutMs } },
});

/** Connects to the servers of some plans, also again after a lost connection. */
export class Starter {
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #diallers = new Map<string, Dialler>();
  readonly #host: DialHost;
  #sdk: Promise<McpSdk> | undefined;
  isOver = false;
  readonly #ending = new AbortController();
  /** Resolves when the starter is closed. */
  readonly over = new Promise<void>((resolve) => whenAborted(this.#ending.signal, resolve));

  constructor(plans: readonly Plan[], { timeoutMs, version }: { timeoutMs: number | undefined; version: string }) {
    this.#plans = new Map(plans.map((plan) => [plan.name, plan]));
    const host: DialHost = { version, startTimeoutMs: timeoutMs, sdk: () => (this.#sdk ??= mcpSdk()) };
    this.#host = host;
    for (const { name, way } of plans) {
      if (way.kind !== "client" && way.kind !== "broken") this.#diallers.set(name, new Dialler(name, way, host));
    }
  }

  /**
   * Loads the SDK, if a plan needs it.
   *
   * @throws ToolSiftError `peer_missing`
   */
  async load(): Promise<void> {
    if (this.#diallers.size === 0) return;
    const { negotiates } = await (this.#sdk ??= mcpSdk());
    if (negotiates) this.#host.options = NEWER;
  }

  /** Returns a connected client of a server. @throws an Error with the reason if that is not possible */
  async start(name: string): Promise<McpClient> {
    if (this.isOver) throw new ToolSiftError("disposed", "toolsift was closed");
    const { way } = this.#plans.get(name)!;
    if (way.kind === "broken") throw new Error(way.reason);
    if (way.kind === "client") {
      const wait = { ms: startLimit(way, this.#host.startTimeoutMs), signal: this.#ending.signal };
      return connected(await connectInTime(wait, async () => way.connect()));
    }
    return this.#diallers.get(name)!.open();
  }

  /** Ends all starts, and waits until servers that failed to start have ended. */
  async close(): Promise<void> {
    this.isOver = true;
    this.#ending.abort(new ToolSiftError("disposed", "toolsift was closed"));
    await Promise.all([...this.#diallers.values()].map((dialler) => dialler.close()));
  }
}

/** Returns the client of your program's function. @throws an Error if it is no client; then only this server fails */
function connected(given: unknown): McpClient {
  if (isClient(given)) return given;
  throw new Error(`its function returned ${kind(given)}, which is no MCP client: it has no listTools`);
}
