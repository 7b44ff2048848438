/** Opens the session of a run: the one that the host names, that of its thread, or one that ends with the run. */

import type { RequestContext } from "@mastra/core/request-context";
import { scopeOf } from "../../base/checks.js";
import type { Session, SessionOptions, ToolSift } from "../../index.js";
import { Recent } from "../../base/recent.js";
import type { ProcessorOptions } from "./options.js";
import { aboutRun, threadSessionId } from "./session-id.js";

/**
 * Sessions without a thread that are open at once. A run whose session was closed before its time gets another one: it reads
 * what it had from its own messages.
 */
const MOST_ALONE = 256;

/** A session, and whether it is of one run only. */
export interface Opened {
  session: Session;
  alone: boolean;
  /** The current session. If it was closed or evicted meanwhile, a new one is opened in the scope of the run. */
  renew(): Session;
}

/** Opens the sessions of runs, and closes those that are no longer needed. */
export class Sessions {
  readonly #sift: ToolSift;
  readonly #options: Pick<ProcessorOptions, "session" | "scope">;
  readonly #alone = new Recent<string, Session>(MOST_ALONE, (session) => session.close());

  constructor(sift: ToolSift, options: Pick<ProcessorOptions, "session" | "scope">) {
    this.#sift = sift;
    this.#options = options;
  }

  /** @throws what the host's functions throw; ToolSiftError what `sift.session` throws */
  open(requestContext: RequestContext | undefined): Opened {
    const { session: chosen, scope } = this.#options;
    const about = aboutRun(requestContext);
    const ofThread = () => (about.threadId === undefined ? undefined : threadSessionId(about.threadId, about.resourceId));
    const id = chosen?.(about) ?? ofThread();
    if (typeof id === "object") return { session: id, alone: false, renew: () => id };
    const settings = scopeOf(scope, about);
    if (id !== undefined) {
      const session = this.#sift.session(id, settings);
      // The scope of a session that the host opened is not known here, so that such a session is not opened again.
      const isBound = settings.scope === undefined && session.isScoped;
      return { session, alone: false, renew: () => (isBound ? session : this.#sift.session(id, settings)) };
    }
    const own = `run/${crypto.randomUUID()}`;
    const renew = () => this.#openAlone(own, settings);
    return { session: renew(), alone: true, renew };
  }

  /** Ends a session that ends with its run; others stay. */
  close({ session, alone }: Pick<Opened, "session" | "alone">): void {
    if (alone) this.#end(session.id);
  }

  #openAlone(id: string, settings: SessionOptions): Session {
    const session = this.#sift.session(id, settings);
    this.#alone.set(id, session);
    return session;
  }

  #end(id: string): void {
    this.#alone.get(id)?.close();
    this.#alone.delete(id);
  }
}
