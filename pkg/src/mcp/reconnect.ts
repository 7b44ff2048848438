/** Makes another client of a server by the host's own function. */

import { ended } from "../upstream/dialler.js";
import { within } from "../base/wait.js";
import { connected, type McpSettings } from "./options.js";
import type { McpClient } from "./types.js";

/**
 * Another client of a server.
 *
 * @param ms for the attempt; a client that comes later is closed, because nobody uses it
 * @throws what `reconnect` throws, ToolSiftError `option_invalid`, `not_currently_available`
 */
export async function reconnected(name: string, { reconnect }: McpSettings, ms: number): Promise<McpClient> {
  let late = false;
  const connecting = (async () => reconnect!(name))();
  const dropped = connecting.then((client) => (late ? ended(client) : undefined));
  dropped.catch(() => {});
  try {
    return connected("what reconnect gives", await within({ what: "connecting", ms }, () => connecting));
  } catch (error) {
    late = true;
    throw error;
  }
}
