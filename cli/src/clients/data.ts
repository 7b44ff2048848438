/** The content of a configuration file as plain data, and helper functions for such data. */

/** One entry at the place of the servers. */
export interface Item {
  name: string;
  /** Plain data. Objects have no prototype, so a key such as `__proto__` has no special meaning. */
  value: unknown;
  /** The offsets of the entry in the text, if the format allows reading a part of a broken file (JSON). */
  range?: readonly [start: number, end: number];
}

/** A name and its value. */
export type Named = readonly [name: string, value: unknown];

/** A syntax error in the text. */
export interface Fault {
  message: string;
  offset: number;
}

/** The content of a text. */
export interface Document {
  /** The value of the whole file; undefined if nothing could be read. */
  root: unknown;
  items: Item[];
  faults: Fault[];
}

/** The functions that read and change one file format. */
export interface Syntax {
  /** Reads a text. For a broken text, returns the readable part and the faults. */
  read(text: string, at: readonly string[]): Document;
  /** Returns the text without these servers. */
  without(text: string, at: readonly string[], names: readonly string[]): string;
  /** Returns the text with these servers added, in their order. */
  adding(text: string, at: readonly string[], servers: readonly Named[]): string;
}

/** Makes an object without a prototype, so that a key such as `__proto__` has no special meaning. */
export function bareObject(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** Returns a value with every string in it replaced, at any depth. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return bareObject(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)])) as T;
}

/** Returns the line and the column of an offset, both counted from 1. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

/** Returns everything in a file except its servers. Objects that have no other content are left out. */
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

/** Returns true if a value is an object that is empty or holds only empty objects. */
export function isEmptyTree(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isEmptyTree);
}
