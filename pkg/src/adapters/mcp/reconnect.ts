/** Connects a server again through new clients of the host, a few times, with growing pauses between the attempts. */

import { connected } from "./options.js";
import type { McpSettings } from "./options.js";
import { ended } from "../../mcp/dialler.js";
import { pause, pauseAfter, within } from "../../mcp/wait.js";
import type { McpClient } from "./types.js";

/** The attempts, and the pause in milliseconds before the second. */
const MOST = 5;
const PAUSE_MS = 500;
/** A connection that lasted this long counts as a success, a shorter one as a failed attempt. */
const STEADY_MS = 60_000;

/** The attempts to reach one server. */
export class Reconnection {
  readonly #name: string;
  readonly #settings: McpSettings;
  readonly #ms: number;
  #made = 0;
  #lastAt = 0;

  /** @param ms for each attempt */
  constructor(name: string, settings: McpSettings, ms = settings.timeoutMs) {
    this.#name = name;
    this.#ms = ms;
    this.#settings = settings;
  }

  /** Whether the host can make another client. */
  get possible(): boolean {
    return this.#settings.reconnect !== undefined;
  }

  /** Whether another attempt may be made. */
  get left(): boolean {
    return this.possible && this.#made < MOST;
  }

  /** Notes that the connection has ended. */
  begin(): void {
    if (performance.now() - this.#lastAt > STEADY_MS) this.reset();
  }

  /** Allows all attempts again, because the host asks for a connection. */
  reset(): void {
    this.#made = 0;
  }

  /** Waits before another attempt. The pause grows with the number of attempts. */
  async rest(): Promise<void> {
    await pause(pauseAfter(this.#made++, PAUSE_MS));
  }

  /**
   * Makes a new client.
   *
   * @throws what `reconnect` throws, ToolSiftError `option_invalid`, `not_currently_available`
   */
  async attempt(): Promise<McpClient> {
    let late = false;
    const connecting = (async () => this.#settings.reconnect!(this.#name))();
    // A client that comes too late is closed, because nobody uses it.
    const dropped = connecting.then((client) => (late ? ended(client) : undefined));
    dropped.catch(() => {});
    try {
      const client = await within({ what: "connecting", ms: this.#ms }, () => connecting);
      return connected("what reconnect gives", client);
    } catch (error) {
      late = true;
      throw error;
    } finally {
      this.#lastAt = performance.now();
    }
  }
}
