/** The storage that a store of sessions needs, and how long what is in it is kept. */

/**
 * What keeps the records: four methods, as every `unstorage` storage has them. They may answer at once or with a promise.
 */
export interface KeyValueStore {
  /** The keys that begin with this text. More than these may be answered. */
  getKeys(base: string): unknown;
  /** What is kept under a key, as the text that was given or as what it says as JSON; null or undefined for nothing. */
  getItem(key: string): unknown;
  /** Keeps a text under a key. `ttl` is in seconds; a store that knows none may ignore it. */
  setItem(key: string, value: string, options?: { ttl?: number }): unknown;
  /** Forgets a key, also one that is not there. */
  removeItem(key: string): unknown;
}

/** Options of `new SessionStore(sift, store, options)`. A key that is not listed here is refused. */
export interface SessionStoreOptions {
  /**
   * Seconds after which a session that was not used is forgotten; 0 to keep it for good. Default 2,592,000, thirty days.
   */
  ttl?: number;
  /** What the keys begin with: letters, digits, `-` and `_`, in parts with `:` between. Default `"toolsift"`. */
  prefix?: string;
  /**
   * Milliseconds that a record stays after a newer one has taken its place. Default 0. Where what one process wrote may
   * reach others late, as in Cloudflare KV, as long as that may take: 60,000.
   */
  settleMs?: number;
  /** Milliseconds that one call of the store may take. Default 5,000. */
  timeoutMs?: number;
  /**
   * Is called once for each torn record: its process was killed while it wrote, so that only a beginning is there. The
   * session is read from its other records. An error of this function is ignored.
   */
  onTorn?: (record: TornRecord) => void;
}

/** A record of which only the beginning was written. */
export interface TornRecord {
  /** The id of the session. */
  session: string;
  /** The record's key in the storage. */
  key: string;
}
