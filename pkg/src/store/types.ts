/** The storage that a session store needs, and its options. */

import type { ToolSiftError } from "../base/errors.js";

/**
 * What keeps the records: three methods, as every `unstorage` storage has them, and a fourth for one that can compare. They may
 * answer at once or with a promise.
 */
export interface KeyValueStore {
  /** The value of a key, as the text that was stored or as its parsed JSON; null or undefined if there is none. */
  getItem(key: string): unknown;
  /** Stores a text under a key. `ttl` is in seconds; a storage without expiry may ignore it. */
  setItem(key: string, value: string, options?: { ttl?: number }): unknown;
  /** Removes a key; a missing key is no error. */
  removeItem(key: string): unknown;
  /**
   * Stores a text if the key still has the text `before`, which is empty for none, and answers whether it has. Without this method, of
   * two processes that save one session at the same moment, one may lose what it revealed, until it uses the session again.
   */
  swapItem?(key: string, value: string, before: string, options?: { ttl?: number }): unknown;
}

/** Options of `new SessionStore(sift, store, options)`. A key that is not listed here is refused. */
export interface SessionStoreOptions {
  /**
   * Seconds after which a session that was not used is forgotten; 0 to keep it for good. Default 2,592,000, thirty days.
   */
  ttl?: number | undefined;
  /** What the keys begin with: letters, digits, `-` and `_`, in parts with `:` between. Default `"toolsift"`. */
  prefix?: string | undefined;
  /** Milliseconds that one call of the store may take. Default 5,000. */
  timeoutMs?: number | undefined;
  /**
   * Is called where a `use` could not save its session: what its work returned is given all the same. An error of this
   * function is ignored.
   */
  onUnsaved?: ((session: UnsavedSession) => void) | undefined;
}

/** A session whose changes are in memory alone. */
export interface UnsavedSession {
  /** The id of the session. */
  session: string;
  /** What `save` has thrown, such as `store_failed`. */
  error: ToolSiftError;
}
