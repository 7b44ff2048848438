/** Checks options by name, type and range, with the same error messages as the core. */

import { ToolSiftError } from "./errors.js";
import { isInstance, ownFields } from "./plain-data.js";
import type { Scope, SessionOptions } from "../types/index.js";
import { isList, kind } from "./values.js";

/**
 * Returns the options that have a value. A key that is not in `keys` is refused, with the nearest valid key. An instance of
 * a class may have other keys.
 */
export function known(options: unknown, keys: readonly string[], what = "options"): Record<string, unknown> {
  const defined: Record<string, unknown> = {};
  const given = ownFields(what, options);
  const instance = isInstance(options);
  for (const key of instance ? keys : Object.keys(given)) {
    if (!keys.includes(key)) throw unknown(what, key, keys);
    let value = (options as Record<string, unknown>)[key];
    if (instance && typeof value === "function") value = value.bind(options) as unknown;
    if (value !== undefined && (value !== null || CHECKED_NULLS.includes(key))) defined[key] = value;
    else if (NARROWING.includes(key) && key in (options as object)) throw missing(`${what}.${key}`, value);
  }
  return defined;
}

/** Options whose null is passed to their check, which refuses it. Elsewhere null means that an option is left out. */
const CHECKED_NULLS = ["rank"];

/** Options that narrow what may be seen. A value that is missing by mistake must not open everything. */
const NARROWING = ["scope"];

/** Makes the error for a scope whose value is null or undefined. */
export function missing(what: string, value: unknown): ToolSiftError {
  const help = `leave the key out or say "all" where everything may be seen`;
  return new ToolSiftError("option_invalid", `${what} is ${kind(value)}; ${help}`);
}

/** Returns the scope of one run from an adapter's option: a fixed scope, or a function of the run. */
export function scopeOf<Run>(scope: Scope | "all" | ((run: Run) => Scope | "all") | undefined, run: Run): SessionOptions {
  // A `scope` key with the value undefined was already refused with the other options.
  if (scope === undefined) return {};
  const inForce = typeof scope === "function" ? scope(run) : scope;
  if (inForce === undefined || inForce === null) throw missing("what options.scope returned", inForce);
  return { scope: inForce };
}

/** Checks an optional boolean. */
export function flag(key: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be true or false`);
}

/** Returns a whole number after checking its range. */
export function whole(key: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || (Number.isFinite(value) && !Number.isInteger(value))) {
    throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a whole number`);
  }
  if (value >= least && value <= most) return value;
  throw new ToolSiftError("limit_out_of_range", `options.${key} is ${value}; ${least} to ${most}`);
}

/** Checks a function. If `optional` is true, undefined is allowed. */
export function callable(key: string, value: unknown, optional = false): void {
  if (typeof value === "function" || (optional && value === undefined)) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a function`);
}

/** Checks that a value is one of some names. Undefined is allowed. */
export function oneOf(key: string, value: unknown, values: readonly string[]): void {
  if (value === undefined || values.includes(value as string)) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be one of ${values.join(", ")}`);
}

/** Returns a list after checking that it is one. */
export function listOf<T>(what: string, value: readonly T[]): readonly T[] {
  if (isList(value)) return value;
  throw new ToolSiftError("option_invalid", `${what} must be a list, got ${kind(value)}`);
}

/** Checks an AbortSignal. Undefined is allowed. */
export function signalIn(what: string, value: unknown): void {
  if (value === undefined) return;
  requireMethods(what, value, ["throwIfAborted", "addEventListener", "removeEventListener"], "an AbortSignal");
}

/** Checks that a value has some methods. The value may come from another copy of the package, or from another realm. */
export function requireMethods(what: string, value: unknown, methods: readonly string[], advice: string): void {
  const has = (name: string) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === "function";
  const lacking = methods.find((name) => !has(name));
  if (lacking === undefined) return;
  const without = typeof value === "object" && value !== null ? ` without ${lacking}` : "";
  throw new ToolSiftError("option_invalid", `${what} must be ${advice}, got ${kind(value)}${without}`);
}

/** Makes the error for an unknown key, with the key that was probably meant, or else with all valid keys. */
export function unknown(what: string, key: string, keys: readonly string[]): ToolSiftError {
  const meant = keys.filter((one) => isNear(key, one)).sort((a, b) => distance(key, a) - distance(key, b));
  const help = meant.length > 0 ? `did you mean ${meant[0]}?` : `there are ${keys.join(", ")}`;
  return new ToolSiftError("option_unknown", `${what} has no ${JSON.stringify(key.slice(0, 80))}; ${help}`);
}

/**
 * Checks if `key` is probably a misspelling of `name`: at most two letters, or two of five, differ, or one begins with the
 * other. Upper and lower case count as equal.
 */
export function isNear(key: string, name: string): boolean {
  const [one, other] = [key.slice(0, 80).toLowerCase(), name.toLowerCase()];
  const most = Math.max(2, Math.floor(Math.max(one.length, other.length) * 0.4));
  return distance(one, other) <= most || (one.length > 2 && (one.startsWith(other) || other.startsWith(one)));
}

/** Returns the edit distance of two words: how many letters must be inserted, deleted or replaced. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...from.slice(0, 80)].entries()) {
    const next = [above + 1];
    for (let at = 0; at < to.length; at++) {
      const change = row[at]! + (to[at] === letter ? 0 : 1);
      next.push(Math.min(change, row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
