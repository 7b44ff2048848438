/** The object that `toolsift()` returns for every SDK: a catalog with servers and users, closed by one `close`. */

import { ToolSift as Catalog } from "toolsift:self";
import type { McpServers } from "../mcp/servers.js";
import type { McpStatus } from "../mcp/types.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { Execute } from "../loop/types.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type { User, UserOptions } from "./user.js";

/** The parts of the object that `toolsift()` returns. */
export interface Parts {
  sift: ToolSift;
  servers: McpServers;
  users: { get(id: string, options: UserOptions<any>): Promise<User> };
  /** Runs every tool of the catalog. */
  execute: Execute;
  close: () => Promise<void>;
}

const Base: typeof ToolSift = Catalog;

/** The object that `toolsift()` returns for every SDK: a `ToolSift` with MCP servers. */
export class Doorway extends Base {
  /** The MCP servers. */
  readonly servers: McpServers;
  readonly #users: Parts["users"];
  readonly #close: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor({ sift, servers, users, close }: Parts) {
    super(sift.owned as object);
    this.servers = servers;
    this.#users = users;
    this.#close = close;
  }

  /** Returns the status of each MCP server, in the order of `mcpServers`; `error` is the reason of a failed start. */
  status(): McpStatus[] {
    return this.servers.status();
  }

  /**
   * Gives one session its own servers and tools, in addition to the shared ones: for example a user's GitHub server, with
   * the user's credentials. No other session sees them, and each call reaches the client of the right user. Two users may
   * have servers and tools of the same names. `with` and `run` work for that session as for any other.
   *
   * ```ts
   * await agent.user("ada", { mcpServers: { github: { url, headers: { authorization: adasToken } } } });
   * ```
   *
   * While the user's session is open, another call returns the same user and ignores the options. The servers are closed by
   * `user.close()` and by `close()`. If the session was closed or evicted in another way, a later call of `user` closes its
   * servers.
   *
   * @param id the id of the session
   * @throws ToolSiftError as `toolsift` for `mcpServers`, `env` and `tools`, as `session` for `scope`; `disposed` after
   * `close`, and `session_closed` if the session is closed while its servers start. Nothing then remains open.
   */
  async user<S = {}>(id: string, options: UserOptions<S> = {}): Promise<User> {
    return this.#users.get(id, options);
  }

  /**
   * Returns the session for an id, or the given session.
   *
   * @internal
   */
  sessionOf(session: string | Session): Session {
    const isSession = typeof session !== "object" || session === null || "assemble" in session;
    if (!isSession) {
      const message = "the session is missing: pass its id, or what sift.session(id) returns, before these settings";
      throw new ToolSiftError("option_invalid", message);
    }
    const opened = typeof session === "string" ? this.session(session) : session;
    requireMethods("session", opened, ["assemble", "call"], "an id, or what sift.session(id) returns");
    return opened;
  }

  /**
   * Closes everything: ends the servers' connections and processes, and removes their tools. A catalog that `toolsift` made
   * is disposed; a catalog that you passed loses the tools that `toolsift` registered. Closing again does nothing.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Starts `close` without waiting for it. */
  override dispose(): void {
    void this.close();
  }

  /** Calls `close`, for `await using sift = await toolsift(…)` in runtimes that support it. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  static {
    // Without the symbol, the method would get the name "undefined".
    if (typeof Symbol.asyncDispose === "symbol") {
      Object.defineProperty(this.prototype, Symbol.asyncDispose, { value: this.prototype.close });
    }
  }
}
