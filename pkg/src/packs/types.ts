/** What is said of packs. */

import type { Enrichment } from "../types/index.js";

/** A pack of which some tools were found. */
export interface MatchedPack {
  /** The server whose tools it is for. */
  name: string;
  /** How many of the tools that were passed got words of it. */
  matched: number;
  /** How many tools it has words for. */
  tools: number;
}

/** What `packsFor` found. */
export interface PacksFor {
  /** The enrichments of the tools that were passed, for the option `enrichment` of `register`, `sync` and `connectMcp`. */
  entries: Enrichment[];
  /** The packs that they are of, in the order of `packs()`. */
  packs: MatchedPack[];
  /** Which packs could not be loaded, and why: a sentence for each. Empty unless a file of the package is missing. */
  problems: string[];
}

/** A pack of the package. */
export interface PackInfo {
  /** The server whose tools it is for. */
  name: string;
  /** How many tools it has words for. Versions of a server in which a tool is described differently count each. */
  tools: number;
  /** What loading it costs. */
  bytes: number;
}
