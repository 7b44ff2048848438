/** Rankers of the host's, which judge tools with the core. */

import type { CallOptions } from "./call.js";
import type { ToolInfo } from "./catalog.js";
import type { Scores } from "./scores.js";
import type { Signal } from "./signal.js";

/** The context of a search, which a ranker receives. */
export interface RankContext {
  /** The session's id. */
  session: string;
  /** Ends with the run, and when `rankTimeoutMs` is over. */
  signal: Signal;
}

/** A tool that the core found. */
export interface RerankedTool {
  /** The name that the model sees. */
  name: string;
  /** The MCP server; null for a tool of the host's own. */
  server: string | null;
  description: string;
  /** The core's score, from 0 to 1. */
  score: number;
}

/**
 * Judges what the core found, the best 20 first.
 *
 * @param query what the model searches for; several queries are on a line each
 * @returns the names of those that fit, the best first, and an empty list if none does: they are loaded as if the model had
 * named them. Or scores, which change the order and load nothing by themselves.
 */
export type Rerank = (
  query: string,
  tools: readonly RerankedTool[],
  context: RankContext,
) => readonly string[] | Scores | PromiseLike<readonly string[] | Scores>;

/** A ranker that works with the core's: scores for every search, a judgement where the core is not sure, or both. */
export interface FusedRanker {
  /**
   * Scores the tools that a session may find, for every search. It reads the session before it first waits, since the
   * session may be closed afterwards.
   */
  scores?: ((query: string, session: Searchable, context: RankContext) => PromiseLike<Scores>) | undefined;
  rerank?: Rerank | undefined;
  /** When `rerank` is asked: where the core's confidence is not high, or for every search. Default `"unsure"`. */
  rerankWhen?: "unsure" | "always" | undefined;
}

/** A session, as far as a ranker reads it. Tools whose `state` is `hidden` are outside of its scope: no search finds them. */
export interface Searchable {
  tools(): ToolInfo[];
}

/** Options of everything that answers searches of the model. */
export interface RankOptions {
  /**
   * Ranks the tools of the model's searches under the profile `sift` with the core. A query that begins with `select:` names tools
   * itself and is not ranked. If a ranker throws, takes too long, or returns something else, the core ranks, and the event
   * of the search says why (`rankError`); without `onEvent`, `console.warn` does.
   */
  rank?: FusedRanker | undefined;
  /** Milliseconds that `rank` has, and `rerank` again. Default 10,000. */
  rankTimeoutMs?: number | undefined;
}

/** Options of a call that waits for a ranker of the host's. */
export interface AsyncCallOptions extends CallOptions, RankOptions {
  /** Ends the waiting: the call rejects then. */
  signal?: Signal | undefined;
  /** Receives why a ranker was not heard; without it, `console.warn` says so. */
  onProblem?: ((message: string) => void) | undefined;
}
