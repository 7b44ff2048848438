/** Adds up what several model calls used. */

import { isObject } from "./fields.js";

/** The sum, number by number; what is no number is that of the newer one. */
export function summed(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined || (other === null && one !== undefined)) return one;
  if (!isObject(one) || !isObject(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, summed(one[key], other[key])]));
}
