/** The content of a configuration file, as plain data. */

/** One value at the place where servers stand. */
export interface Item {
  name: string;
  /** Plain data; objects have no prototype, so that no name of a key means anything. */
  value: unknown;
  /** Where it stands in the text, for formats of which a broken file is read in part. */
  range?: readonly [start: number, end: number];
}

/** A name and its value. */
export type Named = readonly [name: string, value: unknown];

/** A fault in the text. */
export interface Fault {
  message: string;
  offset: number;
}

/** The content of a text. */
export interface Document {
  /** The value of the whole file; undefined where nothing could be read. */
  root: unknown;
  items: Item[];
  faults: Fault[];
}

/** How one file format is read and changed. */
export interface Syntax {
  /** Reads what can be read; a broken text gives faults and what could be read all the same. */
  read(text: string, at: readonly string[]): Document;
  /** The text without these servers. */
  without(text: string, at: readonly string[], names: readonly string[]): string;
  /** The text with more servers, in their order. */
  adding(text: string, at: readonly string[], servers: readonly Named[]): string;
}

/** An object without a prototype, so that a key such as `__proto__` is a key like any other. */
export function bareObject(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** A value with each text in it replaced, however deep it stands. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return bareObject(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)])) as T;
}

/** Where an offset is, both counted from 1. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

/** Everything in a file but its servers. Objects that hold nothing else are left out. */
export function restOf(root: unknown, at: readonly string[], skip: readonly string[] = []): unknown {
  if (typeof root !== "object" || root === null || Array.isArray(root)) return root;
  const [key, ...rest] = at;
  const entries = Object.entries(root).flatMap(([name, inner]): [string, unknown][] => {
    if (key === undefined ? skip.includes(name) : name !== key) return [[name, inner]];
    const left = key === undefined ? {} : restOf(inner, rest, skip);
    return isEmptyTree(left) ? [] : [[name, left]];
  });
  return bareObject(entries);
}

/** Whether a value is an object that holds nothing, whatever empty objects it has. */
export function isEmptyTree(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isEmptyTree);
}
