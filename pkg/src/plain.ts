/**
 * Copies options to plain data for the core. The core must not run code of the host's: what a getter or a proxy throws would
 * pass through wasm, and leave the core locked for good.
 */

import { ToolSiftError } from "./errors.js";
import { isList, kind, read } from "./values.js";

/** The core reads options no deeper; a cyclic value nests without end. */
const DEPTH = 8;
/** Entries of one list or object, as in the core's limits. */
const ENTRIES = 20_000;
/** Values in all. Lists that are shared many times over would be copied as often. */
const VALUES = 500_000;

/** A copy of options as plain data. What is not plain data is refused, never left out. */
export function plain(what: string, value: unknown): unknown {
  return read("option_invalid", what, () => new Copier(what).copy(what, value, DEPTH));
}

/**
 * The own properties of an options object. An object whose values are inherited, or come from getters of a class, would look
 * empty, and an empty object may mean everything.
 */
export function own(what: string, value: unknown): Record<string, unknown> {
  return read("option_invalid", what, () => {
    if (typeof value !== "object" || value === null || isList(value)) throw refused(`${what} must be an object, got ${kind(value)}`);
    if (!isPlain(value)) throw inherits(what);
    return Object.fromEntries(Object.getOwnPropertyNames(value).map((key) => [key, (value as Record<string, unknown>)[key]]));
  });
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
    if (Symbol.iterator in value) throw refused(`${path} is not plain data: pass a list`);
    const entries = Object.entries(own(path, value));
    this.#count(path, entries.length);
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.copy(`${path}.${key.slice(0, 80)}`, inner, depth - 1)]));
  }

  #list(path: string, list: readonly unknown[], depth: number): unknown[] {
    const { length } = list;
    // Before the walk: a list may be empty and as long as an array can be.
    this.#count(path, length);
    return Array.from({ length }, (_, at) => this.copy(`${path}.${at}`, list[at], depth - 1));
  }

  #count(path: string, entries: number): void {
    if (entries > ENTRIES) throw refused(`${path} has ${entries} entries; at most ${ENTRIES}`);
  }
}

/** Whether an object's prototype is `null` or that of `{}`, in whichever realm it was made. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

function inherits(what: string): ToolSiftError {
  const why = "inherited properties and getters of a class would be left out";
  return refused(`${what} must be a plain object, not one of a class or with a prototype of its own: ${why}; pass { key: value }`);
}

function refused(message: string): ToolSiftError {
  return new ToolSiftError("option_invalid", message);
}
