/** The storage that a session store needs, and how long its records are kept. */

import type { ToolSiftError } from "../base/errors.js";

/**
 * What keeps the records: four methods, as every `unstorage` storage has them. They may answer at once or with a promise.
 */
export interface KeyValueStore {
  /** The keys that begin with this text. The storage may return other keys too. */
  getKeys(base: string): unknown;
  /** The value of a key, as the text that was stored or as its parsed JSON; null or undefined if there is none. */
  getItem(key: string): unknown;
  /** Stores a text under a key. `ttl` is in seconds; a storage without expiry may ignore it. */
  setItem(key: string, value: string, options?: { ttl?: number }): unknown;
  /** Removes a key; a missing key is no error. */
  removeItem(key: string): unknown;
}

/** Options of `new SessionStore(sift, store, options)`. A key that is not listed here is refused. */
export interface SessionStoreOptions {
  /**
   * Seconds after which a session that was not used is forgotten; 0 to keep it for good. Default 2,592,000, thirty days.
   */
  ttl?: number | undefined;
  /** What the keys begin with: letters, digits, `-` and `_`, in parts with `:` between. Default `"toolsift"`. */
  prefix?: string | undefined;
  /**
   * Milliseconds that a record stays after a newer one has replaced it. Default 0. If other processes may see a write late,
   * set the longest delay: 60,000 for Cloudflare KV.
   */
  settleMs?: number | undefined;
  /** Milliseconds that one call of the store may take. Default 5,000. */
  timeoutMs?: number | undefined;
  /**
   * Is called with a torn record that was removed: its process was killed while it wrote, so that only the beginning of the
   * record existed. The session is read from its other records. An error of this function is ignored.
   */
  onTorn?: ((record: TornRecord) => void) | undefined;
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

/** A record of which only the beginning was written. */
export interface TornRecord {
  /** The id of the session. */
  session: string;
  /** The record's key in the storage. */
  key: string;
}
