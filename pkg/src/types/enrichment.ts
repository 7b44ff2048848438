/** Enrichments: words that people use for a tool and that its definition lacks. */

/**
 * What people say who need a tool: one line of an enrichment file. It is searched by the ranker `sift`; the model never sees
 * it, and it costs nothing in a request.
 */
export interface Enrichment {
  /** The tool's name, as its server has it. Required where there is no `hash`. */
  name?: string | undefined;
  /** The server as the host calls it: an entry without a `hash` counts only for this server's tool. */
  server?: string | undefined;
  /**
   * The hash of the name and description that this was written from, as `enrich` writes it: 16 hexadecimal digits. Where the
   * definition is another one now, the entry counts by its `name` if at least three and half of the tools of the list have
   * names of entries; else it is reported as stale and ignored. An entry without a hash is never stale.
   */
  hash?: string | undefined;
  /** Whole requests, such as `"is it raining in Lisbon?"`: at most 128, of 256 characters each. */
  queries?: readonly string[] | undefined;
  /** Words and short phrases, such as `"umbrella"`: at most 128, of 256 characters each. */
  keywords?: readonly string[] | undefined;
  /** The languages that it was written in, such as `"en"`. toolsift does not read this; `enrich` does. */
  languages?: readonly string[] | undefined;
}

/** What became of the enrichments that were given beside tools. */
export interface EnrichmentReport {
  /** How many tools got words. */
  enriched: number;
  /** The tools whose words were written from another definition and were ignored, by the names that the model sees. */
  stale: string[];
}
