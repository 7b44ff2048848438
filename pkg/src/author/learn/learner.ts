/** Collects the words of searches that led to calls. Nothing is applied: what is exported is for a person to read. */

import { ToolSiftError } from "../../errors.js";
import { anything, type Check, type Shape, shaped, wholeOf } from "../../shape.js";
import { isList, kind } from "../../values.js";
import { Evidence, keyOf } from "./evidence.js";
import { useOf } from "./events.js";
import { settings } from "./options.js";
import { Selection } from "./selection.js";
import { Sessions } from "./sessions.js";
import { readSnapshots, written } from "./snapshot.js";
import { stems } from "./stem.js";
import { subjectsOf } from "./tools.js";
import type { LearnedEnrichment, LearnedExportOptions, Learner, LearnerOptions } from "./types.js";
import { termsOf } from "./words.js";

/** Words and phrases of one entry: a person reads them, and what comes after the best adds little. */
const KEYWORDS = 24;
/** As many as an enrichment may have. */
const MOST_KEYWORDS = 128;

const aText: Check = (key, value) => {
  if (typeof value === "string" && value !== "") return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a text that is not empty`);
};
const EXPORT: Shape<LearnedExportOptions> = { tools: anything, server: aText, maxKeywords: wholeOf(1, MOST_KEYWORDS) };
const FORGET: Shape<NonNullable<Parameters<Learner["forget"]>[0]>> = { tool: aText, server: aText, session: aText };

/**
 * Collects the words of searches that led to calls, for as long as its `onEvent` is told of them. It keeps words and counts,
 * and no query; nothing leaves the process.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `snapshot_invalid`
 */
export function learner(options: LearnerOptions = {}): Learner {
  const { previous, minSupport, maxSessions, capitalised, redact, now, ...bounds } = settings(options);
  const sessions = new Sessions(maxSessions);
  const restored = (snapshots: unknown): Evidence => {
    const fresh = new Evidence(bounds);
    for (const tool of readSnapshots(snapshots, stems)) fresh.add(tool, now());
    return fresh;
  };
  let evidence = previous === undefined ? new Evidence(bounds) : restored(previous);

  const take = (event: unknown) => {
    const use = useOf(event);
    if (use === undefined) return;
    if (use.kind === "shown") sessions.shown(use.session, use.names);
    else if (use.kind === "called") sessions.called(use.session, use, evidence, now());
    else {
      const query = redact === undefined ? use.query : redact(use.query);
      const terms = typeof query === "string" ? termsOf(query, capitalised) : new Map<string, string>();
      sessions.searched(use.session, terms, use.shown, now(), use.step);
    }
  };

  return {
    onEvent: (event) => {
      // Whatever the event is, and whatever `redact` and the clock do: a conversation must not end because of this.
      try {
        take(event);
      } catch {}
    },

    export: (options) => {
      const { tools, server, maxKeywords = KEYWORDS } = shaped(options, EXPORT);
      evidence.fade(now());
      const selection = new Selection(evidence);
      const entries = new Map<string, LearnedEnrichment>();
      for (const described of subjectsOf(tools, server)) {
        const subject = described.server === null ? { ...described, server: evidence.serverOf(described.name) } : described;
        const found = selection.of(subject, { minSupport, maxKeywords });
        if (found.length === 0) continue;
        const { name, server: of, hash } = subject;
        const keywords = found.map(({ keyword }) => keyword);
        entries.set(keyOf(subject), { name, ...(of !== null && { server: of }), hash, keywords, evidence: found });
      }
      return [...entries.values()];
    },

    snapshot: () => {
      evidence.fade(now());
      return written(evidence);
    },

    restore: (snapshots) => {
      if (isList(snapshots) && snapshots.length === 0) {
        throw new ToolSiftError("snapshot_invalid", "restore was given no snapshot; forget() forgets everything");
      }
      evidence = restored(snapshots);
    },

    forget: (which = {}) => {
      const { tool, server, session } = shaped(which, FORGET, "which");
      if (session !== undefined) sessions.forget(session);
      for (const [key, one] of evidence.tools) {
        const isMeant = (tool === undefined || one.name === tool) && (server === undefined || one.server === server);
        if (isMeant && (session === undefined || tool !== undefined || server !== undefined)) evidence.tools.delete(key);
      }
      if (tool === undefined && server === undefined && session === undefined) sessions.clear();
    },
  };
}
