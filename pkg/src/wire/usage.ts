/** Adds up what several model calls used. */

/** The sum, number by number; what is no number is that of the newer one. */
export function summed(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined || (other === null && one !== undefined)) return one;
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, summed(one[key], other[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
