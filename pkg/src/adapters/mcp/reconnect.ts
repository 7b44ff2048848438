/** Connects a server again through new clients of the host, a few times, with growing pauses between the attempts. */

import { connected } from "./options.js";
import type { Settings } from "./options.js";
import { pause, within } from "./wait.js";
import type { McpClient } from "./types.js";

/** Before each attempt. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 4_000];
/** A connection that lasted so long was a good one; another is an attempt that failed. */
const STEADY_MS = 60_000;

/** The attempts to reach one server. */
export class Reconnection {
  readonly #name: string;
  readonly #settings: Settings;
  #made = 0;
  #lastAt = 0;

  constructor(name: string, settings: Settings) {
    this.#name = name;
    this.#settings = settings;
  }

  /** Whether there is a way to another client. */
  get possible(): boolean {
    return this.#settings.reconnect !== undefined;
  }

  /** Whether another attempt may be made. */
  get left(): boolean {
    return this.possible && this.#made < PAUSES_MS.length;
  }

  /** The connection has ended. */
  begin(): void {
    if (Date.now() - this.#lastAt > STEADY_MS) this.reset();
  }

  /** The host itself wants it: all attempts are open again. */
  reset(): void {
    this.#made = 0;
  }

  /** Waits before another attempt, the longer the more there were. */
  async rest(): Promise<void> {
    await pause(PAUSES_MS[this.#made++]!);
  }

  /**
   * A new client.
   *
   * @throws what `reconnect` throws, ToolSiftError `option_invalid`, `not_currently_available`
   */
  async attempt(): Promise<McpClient> {
    let late = false;
    const asked = (async () => this.#settings.reconnect!(this.#name))();
    // What comes too late is in nobody's hands.
    const dropped = asked.then((client) => (late ? dismiss(client) : undefined));
    dropped.catch(() => {});
    try {
      const client = await within({ what: "connecting", ms: this.#settings.timeoutMs }, () => asked);
      return connected("what reconnect gives", client);
    } catch (error) {
      late = true;
      throw error;
    } finally {
      this.#lastAt = Date.now();
    }
  }
}

/** Closes a client that is of no use any more. How that goes does not matter. */
export async function dismiss(client: Pick<McpClient, "close"> | undefined): Promise<void> {
  try {
    await client?.close?.();
  } catch {}
}
