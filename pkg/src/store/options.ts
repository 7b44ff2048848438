/** Checks the options of a store by name, type and range when the store is made. */

import { kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { aFunction, type Shape, shaped, wholeOf } from "../base/shape.js";
import type { Defined } from "../types/defined.js";
import type { KeyValueStore, SessionStoreOptions } from "./types.js";

/** Ten years: a larger value was probably meant in milliseconds. */
const TTL_SECONDS = 315_360_000;
/** A day: superseded records are kept for this long. */
const SETTLE_MS = 86_400_000;
/** Ten minutes: an agent that waits longer for its store seems to hang. */
const TIMEOUT_MS = 600_000;
/** With the longest names of a session and of a record, a key stays below the 512 bytes that Cloudflare KV accepts. */
const PREFIX_CHARS = 128;

/** The options with all defaults filled in. */
export type StoreSettings = Required<Defined<Omit<SessionStoreOptions, Told>>> & Pick<SessionStoreOptions, Told>;
type Told = "onTorn" | "onUnsaved";

const OPTIONS: Shape<SessionStoreOptions> = {
  ttl: wholeOf(0, TTL_SECONDS),
  prefix,
  settleMs: wholeOf(0, SETTLE_MS),
  timeoutMs: wholeOf(1, TIMEOUT_MS),
  onTorn: aFunction,
  onUnsaved: aFunction,
};

const DEFAULT = { ttl: 2_592_000, prefix: "toolsift", settleMs: 0, timeoutMs: 5_000 };

/** Checks options and fills in what is missing. */
export function settings(given: unknown): StoreSettings {
  return { ...DEFAULT, ...shaped(given, OPTIONS) };
}

/** Refuses a value that is not a storage. */
export function keyValueStore(value: unknown, what = "store"): KeyValueStore {
  for (const method of ["getKeys", "getItem", "setItem", "removeItem"]) {
    if (typeof (value as Record<string, unknown> | null | undefined)?.[method] === "function") continue;
    const advice = "pass what `createStorage` of unstorage returns, or an object with the same four methods";
    throw new ToolSiftError("option_invalid", `${what} must have a method ${method}, got ${kind(value)}; ${advice}`);
  }
  return value as KeyValueStore;
}

function prefix(_: string, value: unknown): void {
  if (typeof value === "string" && value.length <= PREFIX_CHARS && /^[\w-]+(:[\w-]+)*$/.test(value)) return;
  const what = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kind(value);
  const rule = `1 to ${PREFIX_CHARS} letters, digits, "-" and "_", in parts with ":" between`;
  throw new ToolSiftError("option_invalid", `options.prefix is ${what}; it must be ${rule}`);
}
