/** Reads and compares values. */

import { createHash, timingSafeEqual } from "node:crypto";

/** Returns true for an object that is not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns JSON with sorted keys, to compare values regardless of the order of their keys. */
export function sortedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

/** A string or an array. */
type Sequence = Pick<readonly unknown[], "length" | "at"> | string;

/** Returns the length of the common prefix of two sequences, and the length of the common suffix of what remains. */
export function commonEnds(one: Sequence, other: Sequence): [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one.at(start) === other.at(start)) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [start, end];
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
