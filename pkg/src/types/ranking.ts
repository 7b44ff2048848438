/** How a search is made: by one of the rankers, with or without its parts, in a grammar and within bounds. */

/** How tools are found. */
export type Ranker =
  /** A regular expression over names and descriptions; where nothing matches, the fuzzy stage. */
  | "pattern"
  /** Words in the parts of names, weighted against hints and descriptions. */
  | "parts"
  /** Words in names and descriptions, the name before the rest. */
  | "overlap"
  /** BM25 over names, descriptions and parameter names. */
  | "bm25"
  /**
   * Ours: names, servers, hints, descriptions and parameters, weighted; forms of words, synonyms and slips; what fits as
   * a whole; and how sure all of that is.
   */
  | "sift";

/** A part of the sift ranker that can be left out: to see what it is good for, or where a catalog is better off without. */
export type Ingredient =
  /** Forms of a word count as the word. */
  | "stems"
  /** Words that mean nothing are passed over. */
  | "stop-words"
  /** Words of the same meaning count in part, those of the host's `synonyms` too. */
  | "synonyms"
  /** Words that begin with a word of the query, or that it begins with, count in part. */
  | "relatives"
  /** Words that no tool has stand for similar ones. */
  | "repair"
  /** Names, descriptions and values of parameters are searched. */
  | "parameters"
  /** The query is compared with whole sentences of a tool. */
  | "sentences"
  /** Tools that cover more of the query come before others. */
  | "coverage"
  /** Tools whose names the query covers come before others. */
  | "names"
  /** Tools of servers that the query names come before others. */
  | "servers"
  /** Queries of several parts find something for each. */
  | "intents"
  /** Exact names come first. */
  | "identity"
  /** Tools that do something else than the verbs of the query ask for count less. */
  | "effects";

/** How a search is made. */
export interface SearchSettings {
  ranker?: Ranker | undefined;
  /**
   * `plain`: the query as it stands. `commands`: `select:a,b` names tools, `+word` must occur. `full`: both, in any
   * spelling of the names, and `-word`, `server:name` and `/pattern/`; what cannot be read as one of them is words.
   */
  grammar?: "plain" | "commands" | "full" | undefined;
  /** Which tools are searched: those deferred, also those that every session starts with, or all. */
  universe?: "deferred" | "deferrable" | "all" | undefined;
  /** Which hits are left out: none, or those with less than half of the best score. */
  cutoff?: "none" | "half-of-best" | undefined;
  /** Hits where nobody asks for a number. */
  hits?: number | undefined;
  /** Hits at the most. */
  maxHits?: number | undefined;
  /** What the ranker `sift` does without; other rankers do not look at it. */
  without?: Ingredient[] | undefined;
}
