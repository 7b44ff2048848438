/** Options and results of a search: hits with their reasons, and the confidence. */

import type { Scores } from "./ranking.js";

/** Options of `sift.search` and `sift.explain`. */
export interface SearchOptions {
  /** The maximum number of hits. Default: the profile's own limit. */
  limit?: number | undefined;
  /** The id of an open session, whose scope is searched. A search never opens a session. */
  session?: string;
  /** Adds the reasons (`parts`) to hits, which takes longer than the search itself. Default false. */
  reasons?: boolean | undefined;
  /** The fit of each tool in your program's judgement: see `Scores`. Only the ranker `sift` uses them. */
  scores?: Scores | undefined;
}

/** The field that matched. */
export type SearchedField =
  | "name"
  | "server"
  /** The tool's hint, tags or category. */
  | "hint"
  /** A keyword of the tool's enrichment. */
  | "keyword"
  /** A request of the tool's enrichment. */
  | "query"
  | "description"
  /** Names and descriptions of parameters. */
  | "parameter"
  /** Values that a parameter may have. */
  | "value"
  /** All searched fields as one text. */
  | "text";

/** The kind of a match. */
export type How =
  /** A regular expression matched. */
  | "pattern"
  /** The field is the whole query, or contains it. */
  | "whole-query"
  /** The text has the word of the query itself. */
  | "word"
  /** Part of the text. */
  | "inside"
  /** A similar word. */
  | "similar"
  /** A form of the word. */
  | "stem"
  /** A word with the same meaning. */
  | "synonym"
  /** A translation of the query's word, from the option `translations`. */
  | "translation"
  /** A word with the same beginning. */
  | "relative"
  /** A similar word of a tool, because no tool has the query's word. */
  | "repair"
  /** Words of the query cover the name, or a sentence. */
  | "covered"
  /** The query names the server. */
  | "server"
  /** The tool fits one part of a query with several parts. */
  | "intent"
  /** Your program's score. */
  | "host";

/**
 * The confidence in the hits, compared with chance hits in this catalog. `high`: at least as good, or named in the query.
 * `low`: not as good. `none`: nothing fits; the hits are only the nearest tools.
 */
export type Confidence = "high" | "low" | "none";

/** One match, and its contribution to the score. */
export interface HitPart {
  /** The field that matched. */
  field: SearchedField;
  /** The word or pattern of the query; empty if the whole query matched. */
  term: string;
  /** The text of the tool that matched; empty if it was no single text. */
  matched: string;
  /** The kind of the match. */
  how: How;
  /** The contribution to the score. */
  contribution: number;
}

/** One tool that was found. */
export interface Hit {
  /** The name that the model sees. */
  name: string;
  server: string | null;
  description: string;
  /**
   * The score on the ranker's own scale. The ranker `sift` scores from 0 to 1; 1 means that the tool has all that the query
   * asks for. Patterns do not rank: each match scores 1, in catalog order.
   */
  score: number;
  /**
   * The probability, from 0 to 1, that this is the wanted tool: its share among all matching tools and "none of these". Only
   * the ranker `sift` reports it. A tool that the query names has 1.
   */
  likelihood?: number;
  /**
   * The reasons of the hit, if `reasons` is true; otherwise empty. The ranker `sift` gives them for the first 50 hits, or
   * for `limit` hits.
   */
  parts: HitPart[];
}

/** The result of a search. */
export interface SearchResult {
  /** The query. Several queries have a line each. */
  query: string;
  /** The step of the ranker that answered. */
  stage: "select" | "pattern" | "fuzzy" | "parts" | "overlap" | "bm25" | "substring" | "sift" | "none";
  hits: Hit[];
  /** The number of tools that were searched. */
  searched: number;
  /** The confidence in the hits; only with the ranker `sift` and the grammar `full`. */
  confidence?: Confidence;
  /** With `confidence`: the best score as a multiple of a chance hit's score; null if the query names tools. */
  overChance?: number | null;
  /** With `confidence`: the words of the query that match nothing in the catalog. */
  unknownWords?: string[];
  /** With `confidence`: the servers of the best hits, closest first. */
  closestServers?: string[];
  /**
   * With `confidence`: servers with so many good hits that some were moved down to give tools of other servers a place. It
   * can be a server whose texts are written to win every search, or a large one that alone offers what the query asks for.
   */
  crowded?: string[];
}

/** The reason why one tool was found or not found. */
export interface Explanation {
  name: string;
  found: boolean;
  /** The place among the hits, counted from 1; null if the tool was not found. */
  rank: number | null;
  score: number;
  parts: HitPart[];
  /** The reason in a sentence. */
  reason: string;
}
