/** Opens the session of a run: the one that the host names, that of its thread, or one that ends with the run. */

import type { RequestContext } from "@mastra/core/request-context";
import { scopeOf } from "../../checks.js";
import type { Session, ToolSift } from "../../index.js";
import type { ProcessorOptions } from "./options.js";
import { aboutRun, sessionOf } from "./thread.js";

/**
 * So many sessions without a thread are open at once. A run whose session was closed before its time goes on: it reads what
 * it had from its own messages.
 */
const MOST_ALONE = 256;

/** A session, and whether it is of one run only. */
export interface Opened {
  session: Session;
  alone: boolean;
}

/** Opens the sessions of runs, and closes those that nobody will ask for again. */
export class Sessions {
  readonly #sift: ToolSift;
  readonly #options: Pick<ProcessorOptions, "session" | "scope">;
  readonly #alone = new Set<Session>();

  constructor(sift: ToolSift, options: Pick<ProcessorOptions, "session" | "scope">) {
    this.#sift = sift;
    this.#options = options;
  }

  /** @throws what the host's functions throw; ToolSiftError what `sift.session` throws */
  open(requestContext: RequestContext | undefined): Opened {
    const { session: chosen, scope } = this.#options;
    const about = aboutRun(requestContext);
    const id = chosen?.(about) ?? (about.threadId === undefined ? undefined : sessionOf(about.threadId, about.resourceId));
    const settings = scopeOf(scope, about);
    if (id !== undefined) return { session: this.#sift.session(id, settings), alone: false };
    const session = this.#sift.session(`run/${crypto.randomUUID()}`, settings);
    this.#alone.add(session);
    for (const oldest of this.#alone) {
      if (this.#alone.size > MOST_ALONE) this.close({ session: oldest, alone: true });
    }
    return { session, alone: true };
  }

  /** Ends a session that ends with its run; others stay. */
  close({ session, alone }: Opened): void {
    if (!alone) return;
    session.close();
    this.#alone.delete(session);
  }
}
