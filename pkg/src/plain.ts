/**
 * Copies options to plain data for the core. The core must not run code of the host's: what a getter throws would pass
 * through wasm, and leave the core locked for good.
 */

import { ToolSiftError } from "./errors.js";
import { isList, isPromise, kind } from "./values.js";

/** The core reads options no deeper; a cyclic value nests without end. */
const DEPTH = 8;
/** Entries of one list or object, as in the core's limits. */
const ENTRIES = 20_000;
/** Values in all. Lists that are shared many times over would be copied as often. */
const VALUES = 500_000;

/** A copy of options as plain data. What is not plain data is refused, never left out. */
export function plain(what: string, value: unknown): unknown {
  return new Copier(what).copy(what, value, DEPTH);
}

/** The entries of an options object. Those of a class's instance are its fields and its getters, not its methods. */
export function ownFields(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || isList(value))
    throw refused(`${what} must be an object, got ${kind(value)}`);
  // They look like objects without entries, and an empty object may mean everything.
  if (isPromise(value)) throw refused(`${what} is a promise; await it`);
  if (Symbol.iterator in value) throw refused(`${what} is not plain data: pass a list`);
  if (!isInstance(value)) return { ...value };
  const keys = Object.keys(value);
  for (let at = parent(value); at !== null && parent(at) !== null; at = parent(at)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(at));
    for (const [key, { value: method }] of members) if (typeof method !== "function") keys.push(key);
  }
  // Such as a date: it looks like an object without entries.
  if (keys.length === 0) throw refused(`${what} is an object of a class without fields and getters; pass { key: value }`);
  return Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
}

/** Whether an object is of a class, or has a prototype of its own. */
export function isInstance(value: unknown): boolean {
  const prototype = parent(Object(value) as object);
  return prototype !== null && parent(prototype) !== null;
}

function parent(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

class Copier {
  #values = 0;

  constructor(readonly what: string) {}

  copy(path: string, value: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > VALUES) throw refused(`${this.what} hold more than ${VALUES} values`);
    switch (typeof value) {
      case "function":
        throw refused(`${path} is ${kind(value)}; of all options only countTokens is a function`);
      case "symbol":
        throw refused(`${path} is ${kind(value)}, which is not plain data`);
      case "bigint":
        return Number(value);
      case "object":
        break;
      default:
        return value;
    }
    if (value === null) return value;
    if (depth < 0) throw refused(`${this.what} are not plain data: nested deeper than ${DEPTH} levels`);
    if (isList(value)) return this.#list(path, value, depth);
    const entries = Object.entries(ownFields(path, value));
    this.#count(path, entries.length);
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, this.copy(`${path}.${key.slice(0, 80)}`, inner, depth - 1)]),
    );
  }

  #list(path: string, list: readonly unknown[], depth: number): unknown[] {
    this.#count(path, list.length);
    return list.map((one, at) => this.copy(`${path}.${at}`, one, depth - 1));
  }

  #count(path: string, entries: number): void {
    if (entries > ENTRIES) throw refused(`${path} has ${entries} entries; at most ${ENTRIES}`);
  }
}

function refused(message: string): ToolSiftError {
  return new ToolSiftError("option_invalid", message);
}
