/** Adds up what several model calls used. */

import type { Usage } from "./types.js";

/** The sum, number by number; what is no number is that of the newer one. */
export function added(before: Usage | undefined, usage: Usage): Usage {
  return before === undefined ? usage : (sum(before, usage) as Usage);
}

function sum(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined) return one;
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, sum(one[key], other[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
