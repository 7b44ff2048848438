/**
 * Adds clients to a catalog as its servers. All list their tools at once, and are registered in the order of their names.
 */

import { kind } from "../base/values.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { ServerConnection } from "./server-connection.js";
import { entryOf, readSettings } from "./options.js";
import { McpServers } from "./servers.js";
import type { McpCatalog, McpEntry, McpOptions } from "./types.js";

/**
 * Registers the tools of any number of MCP servers, and updates the catalog when their lists change. If a session is passed
 * instead of a `ToolSift`, they are tools of that session's own: no other session sees them, and these servers run no other
 * session's calls.
 *
 * ```ts
 * const servers = await connectMcp(sift, { memory: client, github: otherClient });
 * await runTools(session, { ...model, execute: servers.execute });
 * ```
 *
 * A server that cannot list its tools does not affect the others: `servers.status()` says what is wrong with it.
 *
 * @param clients connected clients of either SDK by the names of their servers, which the model may see. Where two servers
 * have a tool of one name, the first keeps it, and the model sees `server__name` for the other.
 * @throws ToolSiftError `option_invalid` (also for what is no client, or was never connected), `option_unknown`,
 * `limit_out_of_range`
 */
export async function connectMcp(
  sift: McpCatalog,
  clients: Readonly<Record<string, McpEntry>>,
  options: McpOptions = {},
): Promise<McpServers> {
  requireMethods("sift", sift, ["register", "sync", "unregister"], "a ToolSift or a session");
  if (typeof clients !== "object" || clients === null || Symbol.iterator in clients) {
    const wanted = "clients must be an object of clients by the names of their servers";
    throw new ToolSiftError("option_invalid", `${wanted}, got ${kind(clients)}`);
  }
  const set = await readSettings(options);
  const entries = Object.entries(clients).map(([name, given]) => [name, entryOf(sift, name, given, set)] as const);
  const links = entries.map(([name, entry]) => new ServerConnection(sift, name, entry));
  // Each is registered after those before it: their order decides which of two tools of one name keeps it.
  let before = Promise.resolve();
  await Promise.all(links.map((link) => (before = link.start(before))));
  return new McpServers(sift, links, set);
}
