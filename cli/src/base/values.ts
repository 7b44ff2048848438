/** Reads and compares values. */

import { createHash, timingSafeEqual } from "node:crypto";

/** An object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON with sorted keys, for values whose keys have no order. */
export function sortedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

/** A text, or a list. */
type Sequence = Pick<readonly unknown[], "length" | "at"> | string;

/** How much of two sequences is the same: from the start on, and behind that up to the end. */
export function commonEnds(one: Sequence, other: Sequence): [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one.at(start) === other.at(start)) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [start, end];
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
