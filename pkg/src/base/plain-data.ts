/**
 * Copies options to plain data for the core. The core must not run your program's code: an error that a getter throws would
 * pass through wasm and leave the core locked forever.
 */

import { ToolSiftError } from "./errors.js";
import { isList, isPromise, kind } from "./values.js";

/** The maximum nesting of options that the core reads. A cyclic value has no end. */
const DEPTH = 8;
/** Returns a copy of options as plain data. A value that is not plain data is refused, never left out. */
export function plain(what: string, value: unknown): unknown {
  const copy = (path: string, one: unknown, depth: number): unknown => {
    switch (typeof one) {
      case "function":
        throw refused(`${path} is ${kind(one)}; of all options only countTokens is a function`);
      case "symbol":
        throw refused(`${path} is ${kind(one)}, which is not plain data`);
      case "bigint":
        return Number(one);
      case "object":
        break;
      default:
        return one;
    }
    if (one === null) return one;
    if (depth < 0) throw refused(`${what} are not plain data: nested deeper than ${DEPTH} levels`);
    if (isList(one)) return one.map((inner, at) => copy(`${path}.${at}`, inner, depth - 1));
    const entries = Object.entries(ownFields(path, one));
    return Object.fromEntries(entries.map(([key, inner]) => [key, copy(`${path}.${key.slice(0, 80)}`, inner, depth - 1)]));
  };
  return copy(what, value, DEPTH);
}

/**
 * Returns the entries of an options object. For an instance of a class these are its fields and getters, not its methods.
 */
export function ownFields(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || isList(value))
    throw refused(`${what} must be an object, got ${kind(value)}`);
  // Promises and iterables look like objects without entries, and an empty object may mean everything.
  if (isPromise(value)) throw refused(`${what} is a promise; await it`);
  if (Symbol.iterator in value) throw refused(`${what} is not plain data: pass a list`);
  if (!isInstance(value)) return { ...value };
  const keys = Object.keys(value);
  for (let at = parent(value); at !== null && parent(at) !== null; at = parent(at)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(at));
    for (const [key, { value: method }] of members) if (typeof method !== "function") keys.push(key);
  }
  // For example a date, which looks like an object without entries.
  if (keys.length === 0) throw refused(`${what} is an object of a class without fields and getters; pass { key: value }`);
  return Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
}

/** Checks if an object is an instance of a class, or has a prototype of its own. */
export function isInstance(value: unknown): boolean {
  const prototype = parent(Object(value) as object);
  return prototype !== null && parent(prototype) !== null;
}

function parent(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

function refused(message: string): ToolSiftError {
  return new ToolSiftError("option_invalid", message);
}
