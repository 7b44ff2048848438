/** What `toolsift()` returns for every SDK: a catalog with its servers, its users, and one `close` for all of it. */

import { ToolSift as Catalog } from "toolsift:self";
import type { McpServers } from "../mcp/servers.js";
import type { McpStatus } from "../mcp/types.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { Execute } from "../loop/types.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type { User, UserOptions } from "./user.js";

/** What a door is made of. */
export interface Parts {
  sift: ToolSift;
  servers: McpServers;
  users: { get(id: string, options: UserOptions<any>): Promise<User> };
  /** Runs every tool of the catalog. */
  execute: Execute;
  close: () => Promise<void>;
}

const Base: typeof ToolSift = Catalog;

/** What `toolsift()` returns for every SDK: a `ToolSift`, with the servers whose tools it has. */
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

  /** How each MCP server stands, in the order of `mcpServers`; `error` says why one did not start. */
  status(): McpStatus[] {
    return this.servers.status();
  }

  /**
   * Gives one session servers and tools of its own, beside those that all share: a user's own GitHub, for example, with the
   * user's own credentials. No other session sees them, and each call reaches the client of the right user; two users may
   * have servers and tools of the same names. `with` and `run` work for that session as for any other.
   *
   * ```ts
   * await agent.user("ada", { mcpServers: { github: { url, headers: { authorization: adasToken } } } });
   * ```
   *
   * While the user's session is open, calling this again returns the same user and reads no options. The servers are closed
   * by `user.close()` and by `close()`. If the session was closed or evicted otherwise, its servers are closed when this is
   * called next.
   *
   * @param id the id of the session
   * @throws ToolSiftError as `toolsift` for `mcpServers`, `env` and `tools`, as `session` for `scope`; `disposed` after
   * `close`, also where that comes while the servers start, and `session_closed` where the session is closed meanwhile.
   * Nothing of it is left then.
   */
  async user<S = {}>(id: string, options: UserOptions<S> = {}): Promise<User> {
    return this.#users.get(id, options);
  }

  /** @internal */
  led(session: string | Session): Session {
    const isSession = typeof session !== "object" || session === null || "assemble" in session;
    if (!isSession) {
      const message = "the session is missing: pass its id, or what sift.session(id) returns, before these settings";
      throw new ToolSiftError("option_invalid", message);
    }
    const led = typeof session === "string" ? this.session(session) : session;
    requireMethods("session", led, ["assemble", "call"], "an id, or what sift.session(id) returns");
    return led;
  }

  /**
   * Ends all of it: closes the servers' connections, ends their processes, and removes their tools. A catalog that `toolsift`
   * made is disposed; one that was passed loses the tools that came with this door. Closing again does nothing.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** `close`, without waiting for it. */
  override dispose(): void {
    void this.close();
  }

  /** Closes, for `await using sift = await toolsift(…)`, in runtimes that know it. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  static {
    // Where the symbol is missing, a method of this name would be called "undefined".
    if (typeof Symbol.asyncDispose === "symbol") {
      Object.defineProperty(this.prototype, Symbol.asyncDispose, { value: this.prototype.close });
    }
  }
}
