/** The storage that a session store needs, and the options of the session store. */

import type { ToolSiftError } from "../base/errors.js";

/**
 * The storage for records: three methods that every `unstorage` storage has, and an optional fourth one that compares. They
 * may return a value or a promise.
 */
export interface KeyValueStore {
  /** Returns the value of a key, as the stored text or as its parsed JSON; null or undefined if there is none. */
  getItem(key: string): unknown;
  /** Stores a text under a key. `ttl` is in seconds; a storage without expiry may ignore it. */
  setItem(key: string, value: string, options?: { ttl?: number }): unknown;
  /** Removes a key. A missing key is ignored. */
  removeItem(key: string): unknown;
  /**
   * Stores a text if the value is still `before` (empty for no value), and returns true if it was. Without this method, if
   * two processes save one session at the same moment, one may lose its newly loaded tools until it uses the session again.
   */
  swapItem?(key: string, value: string, before: string, options: { ttl: number }): unknown;
}

/** Options of `new SessionStore(sift, store, options)`. An unknown key is refused. */
export interface SessionStoreOptions {
  /** The time after which an unused session is deleted, in seconds; 0 for never. Default 2,592,000 (thirty days). */
  ttl?: number | undefined;
  /** The beginning of the keys: letters, digits, `-` and `_`, in parts with `:` between them. Default `"toolsift"`. */
  prefix?: string | undefined;
  /** The time limit of one call of the store, in ms. Default 5,000. */
  timeoutMs?: number | undefined;
  /** Called if `use` could not save its session; the result of `work` is returned nevertheless. Its errors are ignored. */
  onUnsaved?: ((session: UnsavedSession) => void) | undefined;
}

/** A session whose changes are only in memory. */
export interface UnsavedSession {
  /** The id of the session. */
  session: string;
  /** The error of `save`, such as `store_failed`. */
  error: ToolSiftError;
}
