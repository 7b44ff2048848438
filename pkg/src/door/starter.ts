/** Starts the servers of some plans, also again, and ends what it started where that does not work. */

import type { McpClient } from "../servers/client.js";
import { Dialler, type DialHost, inTime } from "../upstream/dialler.js";
import { startLimit } from "../upstream/installer.js";
import { type McpSdk, mcpSdk } from "../upstream/sdk.js";
import { ToolSiftError } from "../base/errors.js";
import { whenAborted } from "../base/signals.js";
import { kind } from "../base/values.js";
import { isClient, type Plan } from "../servers/plans.js";
import { SKILLS } from "../skills/extension.js";

/** How a client of version 2 of the SDK asks for the newer protocol, in which alone some servers have skills. */
const NEWER: DialHost["options"] = (timeoutMs) => ({
  capabilities: { extensions: { [SKILLS]: {} } },
  versionNegotiation: { mode: "auto", probe: { timeoutMs } },
});

/** Connects to the servers of some plans, also again. */
export class Starter {
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #diallers = new Map<string, Dialler>();
  readonly #host: DialHost;
  #sdk: Promise<McpSdk> | undefined;
  isOver = false;
  readonly #ending = new AbortController();
  /** Resolves when nothing is started any more. */
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

  /** A connected client of a server. @throws an Error that says why there is none */
  async start(name: string): Promise<McpClient> {
    if (this.isOver) throw new ToolSiftError("disposed", "toolsift was closed");
    const { way } = this.#plans.get(name)!;
    if (way.kind === "broken") throw new Error(way.reason);
    if (way.kind === "client") {
      const wait = { ms: startLimit(way, this.#host.startTimeoutMs), signal: this.#ending.signal };
      return connected(await inTime(wait, async () => way.connect()));
    }
    return this.#diallers.get(name)!.open();
  }

  /** Ends what is being started, and waits until what failed to start has ended. */
  async close(): Promise<void> {
    this.isOver = true;
    this.#ending.abort(new ToolSiftError("disposed", "toolsift was closed"));
    await Promise.all([...this.#diallers.values()].map((dialler) => dialler.close()));
  }
}

/** What a function of the host's has connected. @throws an Error for what is no client: that server fails, and no other */
function connected(given: unknown): McpClient {
  if (isClient(given)) return given;
  throw new Error(`its function returned ${kind(given)}, which is no MCP client: it has no listTools`);
}
