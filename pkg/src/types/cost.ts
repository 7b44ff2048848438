/** Bytes and tokens, of one request by part, and of the whole catalog by server. */

/** Bytes (UTF-8) and tokens of some text, and how many tools it describes. */
export interface Cost {
  tools: number;
  bytes: number;
  tokens: number;
}

/** Bytes (UTF-8) and tokens of some text. */
export interface TextCost {
  bytes: number;
  tokens: number;
}

/** What a request costs, by part. */
export interface Size {
  /** Every tool of the session's scope, sent in full, without discovery tools. */
  full: Cost;
  /** This request: the `tools` array as it is serialized, and the prompt section. */
  request: Cost;
  /** Parts of `request`. The array's own brackets and commas belong to no part. */
  parts: {
    discovery: Cost;
    /** Tools that are never deferred, and tools that every session starts with. */
    eager: Cost;
    revealed: Cost;
    /** Deferred tools as far as the tool list shows them. */
    stubs: Cost;
    /** Deferred tools as far as the prompt lists them. */
    listing: Cost;
    /** The rest of the prompt section. */
    prompt: Cost;
  };
  /** `full` minus `request`; `share` is of tokens, 0 to 1, negative where tool search costs more. */
  saved: { bytes: number; tokens: number; share: number };
  /**
   * How much of the previous request's serialized tools this request repeats unchanged from its first byte on: what a
   * vendor's prompt cache can keep. `share` is of the previous request; both are 0 on the first request.
   */
  prefix: { bytes: number; share: number };
}

/** What everything in the catalog costs, and where it comes from. */
export interface CatalogSize extends Cost {
  /**
   * What all tools cost as their servers have them: with the parts of schemas (`$defs`) that no parameter reaches, which other
   * clients send. Tools of a prebuilt index have lost theirs. What the host's counter never saw counts as characters / 4.
   */
  sent: TextCost;
  /** In order of first registration; tools without a server stand under null. */
  servers: (Cost & { server: string | null; sent: TextCost })[];
}
