/** Adds up what several model calls used. */

import type { Usage } from "./types.js";

/** The sum, number by number; what is no number is that of the newer one. */
export function added(before: Usage | undefined, usage: Usage): Usage {
  return before === undefined ? usage : (sum(before, usage) as Usage);
}

function sum(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined) return one;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null || Array.isArray(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  return Object.fromEntries([...keys].map((key) => [key, sum(at(one, key), at(other, key))]));
}
