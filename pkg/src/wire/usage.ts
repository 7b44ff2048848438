/** Adds up the token usage of several model calls. */

import { isObject } from "./fields.js";

/** Returns the sum of all numbers; other values are taken from the newer usage. */
export function summed(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined || (other === null && one !== undefined)) return one;
  if (!isObject(one) || !isObject(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, summed(one[key], other[key])]));
}
