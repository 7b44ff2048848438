/** Finds a run's session: the session of its thread, or without a thread a session that is rebuilt from its messages. */

import type { BaseMessage } from "@langchain/core/messages";
import { scopeOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Session, ToolSift } from "../../index.js";
import { searchAhead } from "../../loop/ahead.js";
import { rebuilt } from "../../loop/rounds.js";
import { isNew } from "../lib/register.js";
import type { RunInfo, LangChainSettings } from "./options.js";

/** The session's name in events of a run without a thread. */
const NO_THREAD = "langchain (no thread)";

/** The maximum length of a session's id, in characters. */
const ID_CHARS = 256;

/** The catalog and the settings that sessions are opened with. */
export interface Owner {
  sift: ToolSift;
  settings: LangChainSettings;
}

/** A run, and the conversation so far. */
export interface Place {
  run: RunInfo;
  messages: readonly BaseMessage[];
}

/** Work on a session; `kept` is true if the session stays open afterwards. */
type Ask<T> = (session: Session, kept: boolean) => T;

/** Does synchronous work on a run's session, and returns its result. The work must not await anything. */
export function inSession<T>({ sift, settings }: Owner, { run, messages }: Place, ask: Ask<T>): T {
  const { id, kept } = idOf(settings, run);
  const scope = scopeOf(settings.scope, run);
  // A session that is not kept gets an explicit scope, so that it does not take the scope of an earlier run.
  const session = typeof id === "string" ? sift.session(id, kept ? scope : { scope: "all", ...scope }) : id;
  try {
    // The thread may have gone on in another process.
    if (!kept || isNew(session)) {
      // Tools that were loaded for a user's message are not in the messages. So they are searched again, and reported once.
      const types = messages.map((message) => message.getType());
      const again = (end: number) => {
        const { prefetch } = settings;
        if (end > 0 && end < messages.length) searchAhead(session, { prefetch }, { messages: messages.slice(0, end) });
      };
      again(types.indexOf("ai"));
      rebuilt(session, () => rebuild(session, messages));
      again(types.lastIndexOf("human") + 1);
    }
    searchAhead(session, settings, { messages });
    return ask(session, kept);
  } finally {
    // Opened and closed synchronously, so that two runs never share a session.
    if (!kept) session.close();
  }
}

function idOf({ session }: LangChainSettings, run: RunInfo): { id: string | Session; kept: boolean } {
  const chosen = session?.(run);
  if (chosen !== undefined) return { id: chosen, kept: true };
  const { thread_id: thread, checkpoint_ns: place } = run.configurable ?? {};
  if (thread === undefined || thread === null || String(thread) === "") return { id: NO_THREAD, kept: false };
  // An agent inside another graph has the same thread, but another conversation.
  const way = typeof place === "string" ? place.split("|").slice(0, -1) : [];
  if (way.length === 0) return { id: String(thread), kept: true };
  return { id: [thread, ...way].join("/").slice(0, ID_CHARS), kept: false };
}

function rebuild(session: Session, messages: readonly BaseMessage[]): void {
  try {
    session.fromMessages(messages, { format: "langchain" });
  } catch (error) {
    // The messages contain only a provider's own blocks: no call that LangChain knows.
    if (!ToolSiftError.is(error) || error.code !== "format_mismatch") throw error;
  }
}
