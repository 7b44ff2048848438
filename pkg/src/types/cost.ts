/** Bytes and tokens of a request by part, and of the whole catalog by server. */

/** Bytes (UTF-8) and tokens of a text. */
export interface TextCost {
  bytes: number;
  tokens: number;
}

/** Bytes and tokens of a text, and the number of tools that the text describes. */
export interface Cost extends TextCost {
  tools: number;
}

/** The cost of a request, by part. */
export interface Size {
  /** All tools of the session's scope, sent in full, without discovery tools. */
  full: Cost;
  /** This request: the serialized `tools` array, and the prompt section. */
  request: Cost;
  /** The parts of `request`. The array's own brackets and commas belong to no part. */
  parts: {
    discovery: Cost;
    /** Tools that are never deferred, and tools that every session starts with. */
    eager: Cost;
    revealed: Cost;
    /** Deferred tools that are in the tool list as stubs. */
    stubs: Cost;
    /** The list of deferred tools in the prompt. */
    listing: Cost;
    /** The rest of the prompt section. */
    prompt: Cost;
  };
  /** `full` minus `request`. `share` is a share of the tokens of `full`; it is negative if tool search costs more. */
  saved: { bytes: number; tokens: number; share: number };
  /**
   * The part of the previous request's serialized tools that this request repeats unchanged from the first byte: the part
   * that a vendor's prompt cache can reuse. `share` is a share of the previous request. Both are 0 on the first request.
   */
  prefix: { bytes: number; share: number };
}

/** The cost of all tools of the catalog, in total and by server. */
export interface CatalogSize extends Cost {
  /**
   * The cost of all tools as their servers send them, with the parts of schemas (`$defs`) that no parameter refers to. A
   * prebuilt index does not have these parts. Text that `countTokens` never counted is counted as characters / 4.
   */
  sent: TextCost;
  /** The cost of each server, in order of first registration. Tools without a server are under `server: null`. */
  servers: (Cost & { server: string | null; sent: TextCost })[];
}
