/** Compares a definition with its pin: which changes pass, and what the model sees of one that has more than the pin. */

import { ALL_PARTS, canonical, type Form, formOf, type Pinned, pinnedParts } from "./pinned.js";
import { isTimeNear, settled, shiftedCounts } from "./shifting.js";

/** Readings in which a number of prose may be seen to shift: several starts, each with what was kept and what is listed. */
const FIRST_READINGS = 5;

/** The parts that hold parameters. */
const PARAMETERS = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];
/** Names that may be added: of parameters that need not be given, and of schemas that nothing pinned refers to. */
const GROWING_NAMES = ["properties", "$defs", "definitions"];
/** Sets that may grow. */
const GROWING_SETS = ["enum", "anyOf", "oneOf", "propertyOrdering"];

/** A definition that is the pinned one. */
export interface Same<T> {
  /** What the model may see: without what was added since the definition was pinned. */
  tool: T;
  /** The places of what was added, such as `inputSchema.properties.limit`. */
  added: string[];
  /** The pin as it is from now on; the given one where nothing in it changed. */
  pin: Pinned;
}

/** The pin of a definition that is seen for the first time. */
export function firstPin(tool: object, hash: string, now = Date.now()): Pinned {
  return { hash, seen: new Date(now).toISOString(), definition: pinnedParts(tool, ALL_PARTS), readings: 1 };
}

/**
 * Compares a definition with a pin. The same definition has the same texts and schemas, but for the order of keys and sets, times
 * near the reading, and counts in prose that were seen to shift while it was read first. Parameters that need not be
 * given, and values of an `enum`, may be added: these are not shown.
 *
 * @param hash that of the definition
 * @returns undefined for another definition
 */
export function compared<T extends object>(pin: Pinned, tool: T, hash: string, now = Date.now()): Same<T> | undefined {
  const { readings = FIRST_READINGS } = pin;
  const isFirst = readings < FIRST_READINGS;
  if (pin.hash === hash) return { tool, added: [], pin: isFirst ? { ...pin, readings: readings + 1 } : pin };
  const before = pin.definition;
  if (before === undefined) return undefined;
  const comparison = new Comparison(pin, now, isFirst);
  const definition = comparison.walk(before, pinnedParts(tool, ALL_PARTS), "tool", [], false) as object;
  const { isSame, added, shifting, isMoved } = comparison;
  if (!isSame) return undefined;
  const shown = added.length === 0 ? tool : { ...tool, ...definition };
  if (!isFirst && !isMoved) return { tool: shown, added, pin };
  // A time that stands still was near when it was read first.
  const seen = isMoved ? new Date(now).toISOString() : pin.seen;
  // The hash stays what a person has approved.
  const moved = { hash: pin.hash, seen, definition, ...(shifting.length > 0 && { shifting }) };
  return { tool: shown, added, pin: { ...moved, readings: Math.min(readings + 1, FIRST_READINGS) } };
}

/** The pin of a definition that a person has approved in place of another: counts that differ are known to shift from then on. */
export function approvedPin(before: Pinned | undefined, next: Pinned): Pinned {
  if (before?.definition === undefined || next.definition === undefined) return next;
  const comparison = new Comparison(before, Date.parse(next.seen), true);
  comparison.walk(before.definition, next.definition, "tool", [], false);
  const { isSame, added, shifting } = comparison;
  return isSame && added.length === 0 && shifting.length > 0 ? { ...next, shifting } : next;
}

class Comparison {
  isSame = true;
  /** Whether a text is another one than in the pin. */
  isMoved = false;
  readonly added: string[] = [];
  readonly shifting: string[];
  readonly #seen: number;
  readonly #now: number;
  readonly #isFirst: boolean;

  constructor({ seen, shifting = [] }: Pinned, now: number, isFirst: boolean) {
    this.shifting = [...shifting];
    this.#seen = Date.parse(seen);
    this.#now = now;
    this.#isFirst = isFirst;
  }

  /** Compares values, and returns what may be shown of the later one. `grows` says whether something may be added. */
  walk(before: unknown, now: unknown, form: Form | "tool", path: readonly string[], grows: boolean): unknown {
    if (Array.isArray(before) && Array.isArray(now)) return this.#list(before, now, form, path, grows);
    if (isObject(before) && isObject(now)) return this.#object(before, now, form, path, grows);
    if (before === now) return now;
    this.isMoved = true;
    if (form === "prose" && typeof before === "string" && typeof now === "string") this.#prose(before, now, path);
    else this.isSame &&= form === "values" && this.#isSameTime(before, now);
    return now;
  }

  #object(
    before: Record<string, unknown>,
    now: Record<string, unknown>,
    form: Form | "tool",
    path: readonly string[],
    grows: boolean,
  ): Record<string, unknown> {
    this.isSame &&= Object.keys(before).every((key) => before[key] === undefined || Object.hasOwn(now, key));
    const mayAdd = grows && form === "names" && GROWING_NAMES.includes(path.at(-1)!);
    const shown = Object.entries(now).flatMap(([key, value]) => {
      const place = [...path, key];
      if (value === undefined) return [];
      if (Object.hasOwn(before, key) && before[key] !== undefined) {
        const isGrowing = grows || ((form === "tool" || path.join() === "function") && PARAMETERS.includes(key));
        return [[key, this.walk(before[key], value, formOf(key, form), place, isGrowing)]];
      }
      if (mayAdd) this.added.push(place.join("."));
      this.isSame &&= mayAdd;
      return [];
    });
    return Object.fromEntries(shown) as Record<string, unknown>;
  }

  #list(
    before: readonly unknown[],
    now: readonly unknown[],
    form: Form | "tool",
    path: readonly string[],
    grows: boolean,
  ): unknown[] {
    const inner = formOf("", form);
    if (form === "set") {
      const texts = before.map((item) => canonical(item, inner, this.#seen));
      const left = new Set(texts);
      const known = now.filter((item) => left.delete(canonical(item, inner, this.#now)));
      const isWhole = left.size === 0 && new Set(texts).size === texts.length;
      if (isWhole && known.length === now.length) return known;
      if (isWhole && grows && GROWING_SETS.includes(path.at(-1)!)) {
        this.added.push(path.join("."));
        return known;
      }
    }
    this.isSame &&= before.length === now.length;
    return now.map((item, at) =>
      at < before.length ? this.walk(before[at], item, inner, [...path, String(at)], grows) : item,
    );
  }

  #prose(before: string, now: string, path: readonly string[]): void {
    const counts = shiftedCounts(settled(before, this.#seen), settled(now, this.#now));
    this.isSame &&= counts !== undefined;
    for (const count of counts ?? []) {
      const place = `${path.join(".")} ${count}`;
      if (this.shifting.includes(place)) continue;
      this.isSame &&= this.#isFirst;
      this.shifting.push(place);
    }
  }

  #isSameTime(before: unknown, now: unknown): boolean {
    if (typeof before === "number" && typeof now === "number") {
      return isTimeNear(before, this.#seen) && isTimeNear(now, this.#now);
    }
    const areTexts = typeof before === "string" && typeof now === "string";
    return areTexts && settled(before, this.#seen) === settled(now, this.#now);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
