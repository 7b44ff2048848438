/** Reads and writes JSON values of unknown form. */

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value of a JSON text; undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
