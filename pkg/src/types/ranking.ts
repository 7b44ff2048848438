/** Settings of a search: the ranker, its parts, the grammar of queries, and limits. */

/** The ranker of a search. */
export type Ranker =
  /** A regular expression over names and descriptions; if nothing matches, a fuzzy search. */
  | "pattern"
  /** Words in the parts of names, weighted against hints and descriptions. */
  | "parts"
  /** Words in names and descriptions; names count more. */
  | "overlap"
  /** BM25 over names, descriptions and parameter names. */
  | "bm25"
  /**
   * toolsift's own ranker: weighted names, servers, hints, descriptions and parameters; word forms, synonyms and spelling
   * mistakes; the fit of the whole query; and a confidence.
   */
  | "sift";

/** A part of the ranker `sift` that can be switched off, to measure its use or because a catalog does better without it. */
export type Ingredient =
  /** Forms of a word count as the word. */
  | "stems"
  /** Words without meaning are ignored. */
  | "stop-words"
  /** Words with the same meaning count in part, including those of the option `synonyms`. */
  | "synonyms"
  /** A word counts in part if it begins with a word of the query, or a word of the query begins with it. */
  | "relatives"
  /** A query word that no tool has is replaced by similar words. */
  | "repair"
  /** Names, descriptions and values of parameters are searched. */
  | "parameters"
  /** The query is compared with whole sentences of a tool. */
  | "sentences"
  /** Tools that cover more of the query rank higher. */
  | "coverage"
  /** Tools whose names the query covers rank higher. */
  | "names"
  /** Tools of servers that the query names rank higher. */
  | "servers"
  /** A query with several parts finds tools for each part. */
  | "intents"
  /** Exact names come first. */
  | "identity"
  /** Tools count less if they do something other than the verbs of the query. */
  | "effects";

/** The settings of a search. */
export interface SearchSettings {
  ranker?: Ranker | undefined;
  /**
   * The grammar of queries. `plain`: the text as it is. `commands`: `select:a,b` names tools, `+word` must occur. `full`:
   * both, in any spelling of names, with `-word`, `server:name` and `/pattern/`; text in no such form is read as words.
   */
  grammar?: "plain" | "commands" | "full" | undefined;
  /** The tools that are searched: deferred ones; these and the tools that every session starts with; or all. */
  universe?: "deferred" | "deferrable" | "all" | undefined;
  /** The hits that are left out: none, or those with less than half of the best score. */
  cutoff?: "none" | "half-of-best" | undefined;
  /** The number of hits if a search states none. */
  hits?: number | undefined;
  /** The maximum number of hits. */
  maxHits?: number | undefined;
  /** The parts of the ranker `sift` that are switched off. Other rankers ignore this setting. */
  without?: Ingredient[] | undefined;
}

/**
 * The fit of tools to a search, by the names that the model sees: from 0 (no fit) to 1 (best fit). The core adds a share of
 * it to its own score, so that a tool can be found without a common word. The core's confidence depends on words alone.
 */
export type Scores = Readonly<Record<string, number>>;
