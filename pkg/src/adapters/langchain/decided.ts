/** Remembers what was decided for a call, to say the same when LangGraph runs a node again after an interrupt. */

import type { Session } from "../../index.js";
import type { ModelCall } from "../../loop/types.js";
import type { Decision } from "./answers.js";

/** The most replies that are remembered: few of them wait for a person. */
const MOST = 100;

/** The calls that were answered without running anything; a search that is made again would read on. */
export class Decided {
  readonly #decisions = new Map<string, Decision>();

  /** What `decide` says, or said when the same call of the same reply was decided in this session. */
  of(session: Session, reply: string | undefined, call: ModelCall, decide: () => Decision): Decision {
    if (reply === undefined || call.id === undefined) return decide();
    const key = JSON.stringify([session.opening, reply, call.id, call.name, call.args]);
    const decision = this.#decisions.get(key) ?? decide();
    if (decision.outcome.kind === "dispatch") return decision;
    this.#decisions.delete(key);
    this.#decisions.set(key, decision);
    for (const oldest of this.#decisions.keys()) {
      if (this.#decisions.size <= MOST) break;
      this.#decisions.delete(oldest);
    }
    return decision;
  }
}
