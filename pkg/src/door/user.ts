/** One user of a door: a session with servers and tools of its own. */

import type { McpServers } from "../mcp/servers.js";
import type { McpStatus } from "../mcp/types.js";
import type { Dispatch } from "../loop/types.js";
import type { Session } from "../core/session.js";
import type { SessionOptions } from "../types/index.js";
import type { OwnTools, ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

/** What one user has beside what all users share. */
export interface UserOptions<S = {}> extends SessionOptions, Pick<DoorwayOptions, "mcpServers" | "env" | "skills"> {
  /** Tools of the user's own, by the names that the model sees; each with a description, a schema and what runs it. */
  tools?: ToolsBySchema<S> | undefined;
}

/** One user of a door: a session with servers and tools of its own. */
export class User {
  /** The user's session; its id is the user's. */
  readonly session: Session;
  /** The user's own MCP servers. */
  readonly servers: McpServers;
  readonly #tools: OwnTools;
  readonly #close: () => Promise<void>;

  /** @internal */
  constructor(session: Session, servers: McpServers, tools: OwnTools, close: () => Promise<void>) {
    this.session = session;
    this.servers = servers;
    this.#tools = tools;
    this.#close = close;
  }

  /** How each of the user's own MCP servers stands; `error` says why one did not start. */
  status(): McpStatus[] {
    return this.servers.status();
  }

  /** Closes the session and the user's own servers. Closing again does nothing. */
  close(): Promise<void> {
    return this.#close();
  }

  /** @internal */
  run(dispatch: Dispatch): unknown {
    return this.#tools.has(dispatch) ? this.#tools.execute(dispatch) : this.servers.execute(dispatch);
  }
}
