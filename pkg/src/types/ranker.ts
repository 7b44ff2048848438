/** Types of your program's rankers, which rank tools together with the core. */

import type { CallOptions } from "./call.js";
import type { ToolInfo } from "./catalog.js";
import type { Scores } from "./ranking.js";
import type { Hit } from "./search.js";
import type { Signal } from "./signal.js";

/** The context of a search, which a ranker receives. */
export interface RankContext {
  /** The session's id. */
  session: string;
  /** Aborted when the run ends, and after `rankTimeoutMs`. */
  signal: Signal;
}

/** A tool that the core found. */
export type RerankedTool = Pick<Hit, "name" | "server" | "description" | "score">;

/**
 * Judges the tools that the core found: at most 20, the best first.
 *
 * @param query the model's search text; several queries have a line each
 * @returns the names of the tools that fit, the best first; an empty list if no tool fits. These tools are loaded as if the
 * model had named them. The function may return scores instead: they change the order and load nothing.
 */
export type Rerank = (
  query: string,
  tools: readonly RerankedTool[],
  context: RankContext,
) => readonly string[] | Scores | PromiseLike<readonly string[] | Scores>;

/** A ranker that works together with the core: scores for every search, a judgement when the core is not sure, or both. */
export interface FusedRanker {
  /**
   * Scores the tools that a session may find, for every search. It must read the session before it first awaits, because the
   * session may be closed afterwards.
   */
  scores?: ((query: string, session: Searchable, context: RankContext) => Scores | PromiseLike<Scores>) | undefined;
  rerank?: Rerank | undefined;
  /** The searches that `rerank` judges: those without a high confidence of the core, or all. Default `"unsure"`. */
  rerankWhen?: "unsure" | "always" | undefined;
}

/** The part of a session that a ranker reads. No search finds tools with the `state` `hidden`: they are out of scope. */
export interface Searchable {
  tools(): ToolInfo[];
}

/** Options of all functions that answer searches of the model. */
export interface RankOptions {
  /**
   * Ranks the tools of the model's searches together with the core, under the profile `sift`. A query that begins with
   * `select:` names tools and is not ranked. If a ranker throws, takes too long, or returns something else, the core ranks
   * alone, and the search's event has the reason (`rankError`); without `onEvent`, `console.warn` shows it.
   */
  rank?: FusedRanker | undefined;
  /** The time limit of `rank`, and again of `rerank`, in ms. Default 10,000. */
  rankTimeoutMs?: number | undefined;
}

/** Options of a call that waits for a ranker of your program. */
export interface AsyncCallOptions extends CallOptions, RankOptions {
  /** Ends the wait: the call then rejects. */
  signal?: Signal | undefined;
  /** Receives the reason why a ranker's answer was not used. Default: `console.warn` shows it. */
  onProblem?: ((message: string) => void) | undefined;
}
