/** The types of a learner: its options, its snapshot and its export. */

import type { Enrichment, ToolInfo, ToolList } from "../../types.js";

/** Options of `learner()`. A key that is not listed here is refused. */
export interface LearnerOptions {
  /** Days after which what was seen once counts half. 1 to 3,650; default 90. */
  halfLifeDays?: number | undefined;
  /** Sessions in which a word must have led to a tool before it is exported. 1 to 8; default 2. */
  minSupport?: number | undefined;
  /** Tools of which words are kept. 1 to 20,000; default 1,000. */
  maxTools?: number | undefined;
  /** Words and phrases that are kept of one tool. 1 to 512; default 128. */
  maxTermsPerTool?: number | undefined;
  /** Sessions that are followed at the same time; the least recently used one is forgotten first. 1 to 100,000; default 1,024. */
  maxSessions?: number | undefined;
  /**
   * Whether capitalised words inside a sentence are kept: most of them are names of people and places, but in German every
   * noun is one. Default false.
   */
  capitalised?: boolean | undefined;
  /**
   * Is asked with every query before anything is read of it; what it returns is read in its place, and nothing where it
   * returns null or throws.
   */
  redact?: (query: string) => string | null | undefined;
  /** What a learner knew before: a snapshot, or several of several processes, which are added up. */
  previous?: LearnedSnapshot | readonly LearnedSnapshot[] | undefined;
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

/** Collects words. */
export interface Learner {
  /**
   * Pass it as `onEvent`, or call it from yours. It takes the events of the loop, of every adapter, of `toolsift()` and of the
   * gateway. It throws nothing, and keeps no query.
   */
  onEvent: (event: { readonly type: string }) => void;
  /**
   * The words that people use for tools and that their definitions lack, for a person to review. Nothing is applied.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `not_json`
   */
  export(options: LearnedExportOptions): LearnedEnrichment[];
  /** Everything that it knows, as plain JSON. It holds words and counts, and no query. */
  snapshot(): LearnedSnapshot;
  /**
   * Takes a snapshot in place of what it knows; several are added up.
   *
   * @throws ToolSiftError `snapshot_invalid`, after which it knows what it knew
   */
  restore(snapshot: LearnedSnapshot | readonly LearnedSnapshot[]): void;
  /**
   * Forgets the words of a tool, of a server's tools, or everything; or a session that is being followed. What a session has
   * taught already is in the words of the tools, and cannot be told from what others have.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`
   */
  forget(which?: { tool?: string; server?: string; session?: string }): void;
}

/** Options of `learned.export`. A key that is not listed here is refused. */
export interface LearnedExportOptions {
  /** The tools as they are now: their definitions in any form that `register` takes, or what `sift.tools()` returns. */
  tools: ToolList | readonly ToolInfo[];
  /** The server with which the definitions are registered. Default: what each of them says. */
  server?: string | undefined;
  /** Words and phrases of one tool, the best first. 1 to 128; default 24. */
  maxKeywords?: number | undefined;
}

/** An entry of an enrichment file, with what speaks for each of its keywords. */
export interface LearnedEnrichment extends Enrichment {
  name: string;
  hash: string;
  keywords: string[];
  /** For the person who reviews it; toolsift does not read this. In the order of the keywords. */
  evidence: LearnedEvidence[];
}

/** The evidence for a keyword. */
export interface LearnedEvidence {
  keyword: string;
  /** The sessions in which it led to the tool; 8 stands for 8 or more. */
  sessions: number;
  /** How many of them searched with it and did not find the tool, so that they had to search again; 8 as above. */
  missed: number;
  /** What is left of these after the half-life; a session in which the search missed counts twice. */
  weight: number;
  /** How many tools it has led to. */
  tools: number;
}

/** What `learned.snapshot()` returns. */
export interface LearnedSnapshot {
  toolsift: "learned";
  version: 1;
  tools: LearnedToolSnapshot[];
}

/** The evidence of one tool. */
export interface LearnedToolSnapshot {
  name: string;
  server: string | null;
  /** The hour since 1970 at which the weights of this tool were right; they halve from then on. */
  hour: number;
  /** The searches that led to it. */
  weight: number;
  /** `[text, weight, sessions, missed]`: the last two hold sixteen bits of a hash of each session's id. */
  terms: [string, number, number[], number[]][];
}
