/** The tools that there are for a session, by the names that its model sees. They are read anew when the catalog changed. */

import type { Session, ToolInfo, ToolSift } from "../../index.js";

type Known = { revision: number; tools: ReadonlyMap<string, ToolInfo> };

/** The tools of one catalog: those that all sessions share, and for a session with tools of its own, those beside them. */
export class KnownTools {
  readonly #sift: ToolSift;
  #shared: Known | undefined;
  readonly #ofSessions = new WeakMap<Session, Known>();

  constructor(sift: ToolSift) {
    this.#sift = sift;
  }

  /** The shared tools. */
  get shared(): ReadonlyMap<string, ToolInfo> {
    this.#shared = this.#fresh(this.#shared, this.#sift);
    return this.#shared.tools;
  }

  /** The tools that there are for a session; some may be outside its scope. */
  of(session: Session): ReadonlyMap<string, ToolInfo> {
    if (!session.hasOwn) return this.shared;
    const known = this.#fresh(this.#ofSessions.get(session), session);
    this.#ofSessions.set(session, known);
    return known.tools;
  }

  /** Whether a name is that of a session's own tool: what the host has under this name is another tool then. */
  isOwn(session: Session, name: string): boolean {
    return session.hasOwn && this.of(session).get(name)?.own === true;
  }

  #fresh(known: Known | undefined, source: ToolSift | Session): Known {
    const { revision } = this.#sift;
    if (known?.revision === revision) return known;
    return { revision, tools: new Map(source.tools().map((tool) => [tool.name, tool])) };
  }
}
