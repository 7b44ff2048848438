/** The MCP servers of a catalog: runs tools on them, describes them in the prompt, adds and removes them. */

import { kind } from "../base/values.js";
import { requireMethods, signalIn } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import { ServerConnection } from "./server-connection.js";
import { entryOf, type McpSettings, readSettings } from "./options.js";
import { ended } from "../upstream/dialler.js";
import { instructionsOf } from "../upstream/definition.js";
import type { McpCatalog, McpClient, McpDispatch, McpEntry, McpStatus, McpToolResult, McpOptions } from "./types.js";

/** The MCP servers of one `ToolSift`, or of one session. Made by `connectMcp`. */
export class McpServers {
  readonly #sift: McpCatalog;
  readonly #settings: McpSettings;
  readonly #links: Map<string, ServerConnection>;
  #closed = false;

  /** @internal */
  constructor(sift: McpCatalog, links: readonly ServerConnection[], settings: McpSettings) {
    this.#sift = sift;
    this.#settings = settings;
    this.#links = new Map(links.map((link) => [link.name, link]));
  }

  /**
   * Runs a tool: the `execute` of `runTools` and of every adapter. The server gets its own name of the tool. If the call
   * changed the server's list, the answer is returned after the catalog has the new list.
   *
   * @returns the server's answer, unchanged, even if `isError` is true
   * @throws ToolSiftError `option_invalid` for an unknown server, and for a tool of another session;
   *   `not_currently_available` if the connection has ended or the answer takes too long; the client's error; the reason of
   *   `signal` if it is aborted
   */
  readonly execute = async (dispatch: McpDispatch): Promise<McpToolResult> => {
    const given = { ...dispatch };
    const { server, session } = given;
    signalIn("signal", given.signal);
    const { id } = this.#sift as { id?: string };
    // Two sessions may have servers of the same name, and each call must reach the right one.
    if (session !== id) {
      throw new ToolSiftError("option_invalid", `these are the MCP servers of ${of(id)}, not of ${of(session)}`);
    }
    return this.#link(server).call(given);
  };

  /**
   * Returns the servers' instructions as a section for the system prompt; empty if no server has any. The text comes from
   * the servers: do not use it for servers that you do not trust.
   *
   * @param session limits the section to servers with a tool that this session may see
   * @throws ToolSiftError `option_invalid`
   */
  instructions(session?: Session): string {
    if (session !== undefined) requireMethods("session", session, ["tools"], "what sift.session(id) returns");
    const tools = session?.tools();
    const seen = tools && new Set(tools.map((tool) => (tool.state === "hidden" ? null : tool.server)));
    return instructionsOf([...this.#links.values()].filter(({ name, state }) => seen?.has(name) ?? state !== "closed"));
  }

  /** Returns the status of each server, in the order in which they were added. */
  status(): McpStatus[] {
    return [...this.#links.values()].map(({ status }) => status);
  }

  /** Checks if there is a server of this name, for an `execute` that also runs other tools. */
  has(server: string | null): boolean {
    return server !== null && this.#links.has(server);
  }

  /**
   * Returns the current client of a server.
   *
   * @throws ToolSiftError `option_invalid`
   */
  client(name: string): McpClient {
    return this.#link(name).client;
  }

  /**
   * Adds a server, or gives a server of this name a new client. Its tools that sessions have loaded stay loaded, even if the
   * server was not connected in between. The earlier client is not closed.
   *
   * @throws ToolSiftError as `connectMcp`; `disposed` after `close`
   */
  async add(name: string, entry: McpEntry): Promise<McpStatus> {
    if (this.#closed) throw new ToolSiftError("disposed", "these servers were closed; connect anew");
    const link = new ServerConnection(this.#sift, name, entryOf(this.#sift, name, entry, this.#settings));
    this.#links.get(name)?.end({ leave: false });
    this.#links.set(name, link);
    await link.start(Promise.resolve());
    return link.status;
  }

  /**
   * Removes a server and its tools. Its client is not closed.
   *
   * @returns the client
   * @throws ToolSiftError `option_invalid`
   */
  remove(name: string): McpClient {
    const link = this.#link(name);
    this.#links.delete(name);
    link.end({ leave: true });
    return link.client;
  }

  /**
   * Lists the tools of one server or of all servers again. A server whose connection has ended is connected again if
   * `reconnect` was given. Errors are in the status.
   *
   * @throws ToolSiftError `option_invalid`
   */
  async refresh(name?: string): Promise<McpStatus[]> {
    const links = name === undefined ? [...this.#links.values()] : [this.#link(name)];
    await Promise.all(links.map((link) => link.refresh()));
    return links.map(({ status }) => status);
  }

  /** Removes all servers and their tools, and closes their clients. */
  async close(): Promise<void> {
    this.#closed = true;
    const links = [...this.#links.values()];
    this.#links.clear();
    for (const link of links) link.end({ leave: true });
    await Promise.all(links.map(({ client }) => ended(client)));
  }

  #link(name: unknown): ServerConnection {
    const link = this.#links.get(name as string);
    if (link !== undefined) return link;
    const what = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : kind(name);
    const names = [...this.#links.keys()].slice(0, 20).join(", ");
    throw new ToolSiftError("option_invalid", `there is no MCP server ${what}; there are: ${names || "none"}`);
  }
}

function of(session: string | undefined): string {
  return session === undefined ? "all sessions" : `the session ${JSON.stringify(session.slice(0, 80))}`;
}

/**
 * Registers the tools of any number of MCP servers, and updates the catalog when their lists change. If you pass a session
 * instead of a `ToolSift`, they are this session's own tools: no other session sees them, and these servers run no calls of
 * other sessions.
 *
 * ```ts
 * const servers = await connectMcp(sift, { memory: client, github: otherClient });
 * await runTools(session, { ...model, execute: servers.execute });
 * ```
 *
 * A server that cannot list its tools does not affect the others: `servers.status()` contains its error.
 *
 * @param clients connected clients of either SDK by their servers' names, which the model may see. If two servers have a
 *   tool of the same name, the first server's tool keeps it, and the model sees `server__name` for the other.
 * @throws ToolSiftError `option_invalid` (also for a value that is no client, or a client that was never connected),
 *   `option_unknown`, `limit_out_of_range`
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
  // Each server is registered after the earlier ones: the order decides which of two tools with the same name keeps it.
  let before = Promise.resolve();
  await Promise.all(links.map((link) => (before = link.start(before))));
  return new McpServers(sift, links, set);
}
