/** One user of `toolsift()`: a session with its own servers and tools. */

import type { McpServers } from "../mcp/servers.js";
import type { McpStatus } from "../mcp/types.js";
import type { Dispatch } from "../loop/types.js";
import type { Session } from "../core/session.js";
import type { SessionOptions } from "../types/index.js";
import type { OwnTools, ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

/** The servers, tools and skills of one user, in addition to the shared ones. */
export interface UserOptions<S = {}> extends SessionOptions, Pick<DoorwayOptions, "mcpServers" | "env" | "skills"> {
  /** The user's own tools by the names that the model sees, each with a description, a schema and `execute`. */
  tools?: ToolsBySchema<S> | undefined;
}

/** One user of `toolsift()`: a session with its own servers and tools. */
export class User {
  /** The user's session. Its id is the user's id. */
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

  /** Returns the status of each of the user's own MCP servers. `error` is the reason if a server did not start. */
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
