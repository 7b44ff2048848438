/** The tools that there are for a session, by the names that its model sees. They are read anew when the catalog changed. */

import type { Session, ToolInfo, ToolSift } from "../../index.js";

type Tools = ReadonlyMap<string, ToolInfo>;

/** The tools of one catalog: those that all sessions share, and for a session with tools of its own, those beside them. */
export class KnownTools {
  readonly #sift: ToolSift;
  readonly #known = new WeakMap<ToolSift | Session, { revision: number; tools: Tools }>();

  constructor(sift: ToolSift) {
    this.#sift = sift;
  }

  /**
   * The tools that there are for a session; some may be outside its scope. Without a session, the shared tools. One whose
   * `own` is true is another tool than the one that the host has under this name.
   */
  of(session?: Session): Tools {
    const source = session?.hasOwn ? session : this.#sift;
    const { revision } = this.#sift;
    let known = this.#known.get(source);
    if (known?.revision !== revision) {
      known = { revision, tools: new Map(source.tools().map((tool) => [tool.name, tool])) };
      this.#known.set(source, known);
    }
    return known.tools;
  }
}
