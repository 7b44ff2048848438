/** Opens users: their servers and tools belong to the user's session, and calls reach the user's own clients. */

import type { McpServers } from "../mcp/servers.js";
import { ToolSiftError } from "../base/errors.js";
import type { Dispatch } from "../loop/types.js";
import type { Session } from "../core/session.js";
import { anObject, anything, type Shape, shaped } from "../base/shape.js";
import type { ToolSift } from "../core/sift.js";
import { plansOf } from "../servers/plans.js";
import type { Versioned } from "./options.js";
import { OwnTools, registerSkills } from "./own-tools.js";
import { started } from "./started.js";
import { Starter } from "./starter.js";
import { User, type UserOptions } from "./user.js";

const OPTIONS: Shape<UserOptions> = {
  mcpServers: anything,
  env: anObject,
  tools: anything,
  skills: anything,
  scope: anything,
};

/** When this share of the users is new, all are checked for closed sessions. So the average cost of opening is constant. */
const NEW_SHARE = 1 / 8;

interface OpenUser {
  user: Promise<User>;
  session: Session;
  close: () => Promise<void>;
}

/** The users of one `toolsift()` call. */
export class Users {
  readonly #sift: ToolSift;
  readonly #settings: Versioned;
  readonly #entries = new Map<string, OpenUser>();
  #closed = false;
  /** The number of users that were opened since the last check of all users. */
  #opened = 0;

  constructor(sift: ToolSift, settings: Versioned) {
    this.#sift = sift;
    this.#settings = settings;
  }

  get(id: string, options: UserOptions<any>): Promise<User> {
    if (this.#closed) throw new ToolSiftError("disposed", "this toolsift was closed");
    const entry = this.#entries.get(id);
    if (entry?.session.isOpen) return entry.user;
    void entry?.close();
    this.#opened += 1;
    if (this.#opened >= this.#entries.size * NEW_SHARE) this.#closeGone();
    return this.#open(id, options).user;
  }

  async execute(id: string, dispatch: Dispatch): Promise<unknown> {
    return (await this.#entries.get(id)!.user).run(dispatch);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.values()].map((entry) => entry.close()));
  }

  #open(id: string, options: UserOptions<any>): OpenUser {
    const { mcpServers = {}, env, tools, skills, ...others } = shaped<UserOptions<any>>(options, OPTIONS);
    const plans = plansOf(mcpServers, env);
    const starter = new Starter(plans, { timeoutMs: this.#settings.startTimeoutMs, version: this.#settings.version });
    const session = this.#sift.session(id, others);
    // From now on, before its servers are connected, the user's calls do not reach shared servers of these names.
    for (const { name } of plans) session.sync(name, []);
    let servers: McpServers | undefined;
    const close = async () => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
      closeSession(session);
      await starter.close();
      await servers?.close();
    };
    const open = async () => {
      let problem: unknown;
      try {
        const own = new OwnTools(session, tools);
        await registerSkills(session, skills);
        servers = await started(session, starter, { ...this.#settings, plans });
        if (!starter.isOver) return new User(session, servers, own, close);
      } catch (error) {
        // An error that is caused by the closing itself is not reported.
        if (!starter.isOver) problem = error;
      }
      await close();
      const code = this.#closed ? "disposed" : "session_closed";
      throw (
        problem ?? new ToolSiftError(code, `the session ${JSON.stringify(id.slice(0, 80))} was closed while it was opened`)
      );
    };
    const entry: OpenUser = { session, close, user: Promise.resolve().then(open) };
    this.#entries.set(id, entry);
    return entry;
  }

  #closeGone(): void {
    this.#opened = 0;
    for (const { session, close } of this.#entries.values()) if (!session.isOpen) void close();
  }
}

/** Closes a session, unless the catalog and its sessions were disposed. */
function closeSession(session: Session): void {
  try {
    session.close();
  } catch {}
}
