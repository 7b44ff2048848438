/** What a search found: hits with their reasons, and how far they can be trusted. */

import type { Scores } from "./scores.js";

/** Options of `sift.search` and `sift.explain`. */
export interface SearchOptions {
  /** At most so many hits. Default: the profile's own bound. */
  limit?: number | undefined;
  /** The id of an open session: search what it may see. A search never opens a session. */
  session?: string;
  /** Whether hits come with their reasons (`parts`), which take longer than the search. Default: false. */
  reasons?: boolean | undefined;
  /** How well tools fit, in the host's own opinion: see `Scores`. Only the ranker `sift` takes them. */
  scores?: Scores | undefined;
}

/** Where something matched. */
export type SearchedField =
  | "name"
  | "server"
  /** What the host says: hint, tags, category. */
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
  /** All that is searched together. */
  | "text";

/** How something matched. */
export type How =
  /** As a regular expression. */
  | "pattern"
  /** The whole query stands there, or is it. */
  | "whole-query"
  /** The word itself. */
  | "word"
  /** Inside the text. */
  | "inside"
  /** A similar word. */
  | "similar"
  /** A form of the word. */
  | "stem"
  /** A word of the same meaning. */
  | "synonym"
  /** A word that the word of the query is said for, after `translations`. */
  | "translation"
  /** A word that begins alike. */
  | "relative"
  /** A word that was probably meant by one that no tool has. */
  | "repair"
  /** Words of the query cover the name, or a sentence. */
  | "covered"
  /** The query names the server. */
  | "server"
  /** The tool fits a part of the query by itself. */
  | "intent"
  /** The host scored it. */
  | "host";

/**
 * How far hits can be trusted, beside what chance would find in the same catalog. `high`: at least as good, or named in
 * the query; `low`: not as good; `none`: nothing fits, the hits are what came nearest.
 */
export type Confidence = "high" | "low" | "none";

/** What matched, and what it added to the score. */
export interface HitPart {
  /** Where it matched. */
  field: SearchedField;
  /** The word or pattern of the query; empty where the whole of it is meant. */
  term: string;
  /** The text of the tool that it matched; empty where no one text did. */
  matched: string;
  /** How it matched. */
  how: How;
  /** What it added to the score. */
  contribution: number;
}

/** One tool found. */
export interface Hit {
  /** The name that the model sees. */
  name: string;
  server: string | null;
  description: string;
  /**
   * How well it fits, on the ranker's own scale. That of `sift` goes from 0 to 1, where 1 is all that the query asks for.
   * Patterns do not rank: each match scores 1, in catalog order.
   */
  score: number;
  /**
   * How likely this is the tool that is meant, from 0 to 1: its share among all tools that match, and "none of these". Only
   * the ranker `sift` can tell. A tool that the query names has 1.
   */
  likelihood?: number;
  /**
   * Why it was found, where `reasons` asked for it: of `sift` for the first 50 hits, or as many as `limit` says. Empty
   * otherwise.
   */
  parts: HitPart[];
}

/** What a search found. */
export interface SearchResult {
  /** Several queries are here on a line each. */
  query: string;
  /** Which step of the ranker answered. */
  stage: "select" | "pattern" | "fuzzy" | "parts" | "overlap" | "bm25" | "substring" | "sift" | "none";
  hits: Hit[];
  /** How many tools were searched. */
  searched: number;
  /** How far the hits can be trusted; only the ranker `sift` and the grammar `full` can tell. */
  confidence?: Confidence;
  /** With it: the best score as a multiple of what chance would find; null where the query names tools. */
  overChance?: number | null;
  /** With it: the words of the query that nothing in the catalog stands for. */
  unknownWords?: string[];
  /** With it: the servers of the best hits, closest first. */
  closestServers?: string[];
  /**
   * With it: the servers whose tools would have taken more of the first places than one server may where others fit too. A
   * server whose texts are written to win every search is among them; so is a large one that is asked for what only it does.
   */
  crowded?: string[];
}

/** Why one tool was found, or was not. */
export interface Explanation {
  name: string;
  found: boolean;
  /** Place among the hits, from 1, or null. */
  rank: number | null;
  score: number;
  parts: HitPart[];
  /** The answer in a sentence. */
  reason: string;
}
