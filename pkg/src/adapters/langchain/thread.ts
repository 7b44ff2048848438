/** Which session is a run's? That of its thread; without a thread, the one that its messages tell of. */

import type { BaseMessage } from "@langchain/core/messages";
import { ToolSiftError } from "../../errors.js";
import type { Scope, Session, ToolSift } from "../../index.js";
import type { RunInfo, Settings } from "./options.js";

/** The session of runs without a thread. It holds nothing between two questions, so that no two runs share anything. */
const NO_THREAD = "langchain: no thread";

/** Asks a run's session something, and answers at once: what is waited for must not be in here. */
export function inSession<T>(sift: ToolSift, settings: Settings, run: RunInfo, messages: readonly BaseMessage[], ask: (session: Session) => T): T {
  const id = settings.session === undefined ? threadOf(run) : settings.session(run);
  const session = sift.session(id ?? NO_THREAD, scoped(settings, run));
  try {
    if (id === undefined || isNew(session)) rebuild(session, messages);
    return ask(session);
  } finally {
    if (id === undefined) session.close();
  }
}

function scoped({ scope }: Settings, run: RunInfo): { scope?: Scope } {
  const inForce = typeof scope === "function" ? scope(run) : scope;
  return inForce === undefined ? {} : { scope: inForce };
}

/** An agent inside another graph shares the thread, but not the conversation. */
function threadOf({ configurable }: RunInfo): string | undefined {
  const { thread_id: thread, checkpoint_ns: place } = configurable ?? {};
  if (thread === undefined || thread === null) return undefined;
  const way = typeof place === "string" ? place.split("|").slice(0, -1) : [];
  return [String(thread), ...way.map((step) => step.split(":")[0])].join("/");
}

/** Whether nothing has happened in it: in another process, the thread may have come far. */
function isNew(session: Session): boolean {
  const { turn, revealed } = session.snapshot();
  return turn === 0 && revealed.length === 0;
}

function rebuild(session: Session, messages: readonly BaseMessage[]): void {
  try {
    session.fromMessages(messages, { format: "langchain" });
  } catch (error) {
    // Answers in a provider's own blocks only: they tell of no call that LangChain knows.
    if (!ToolSiftError.is(error) || error.code !== "format_mismatch") throw error;
  }
}
