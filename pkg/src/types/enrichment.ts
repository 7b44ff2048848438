/** Enrichments: search words that people use for a tool and that its definition lacks. */

/**
 * The search words of one tool: one line of an enrichment file. The ranker `sift` searches them. The model never sees them,
 * and they cost nothing in a request.
 */
export interface Enrichment {
  /** The tool's name on its server. Required if there is no `hash`. */
  name?: string | undefined;
  /** The name that your program gives the server. An entry without a `hash` counts only for this server's tool. */
  server?: string | undefined;
  /**
   * The hash of the name and description for which the words were written, as `enrich` writes it: 16 hexadecimal digits. If
   * the definition has changed, the entry counts by its `name` if at least three, and half, of the listed tools have names
   * of entries. Otherwise it is ignored and reported as stale. An entry without a hash is never stale.
   */
  hash?: string | undefined;
  /** Whole requests, such as `"is it raining in Lisbon?"`: at most 128, of 256 characters each. */
  queries?: readonly string[] | undefined;
  /** Words and short phrases, such as `"umbrella"`: at most 128, of 256 characters each. */
  keywords?: readonly string[] | undefined;
  /** The languages of the words, such as `"en"`. Only `enrich` reads this key. */
  languages?: readonly string[] | undefined;
}

/** The report on the enrichments that were passed with tools. */
export interface EnrichmentReport {
  /** The number of tools that got search words. */
  enriched: number;
  /** The tools whose words were written for another definition and are ignored, by the names that the model sees. */
  stale: string[];
}
