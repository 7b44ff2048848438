/** The hash of a definition: two definitions with one hash say the same to a model and to a client. */

import { sha256 } from "@noble/hashes/sha2.js";
import type { ServerTool } from "./server-tool.js";
import { read } from "../values.js";
import { counter, MAX_DEPTH } from "./walk.js";

/** The parts of a definition that are pinned: everything that a model reads or a client decides by. */
const PINNED = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;
/** The same in the forms of other vendors, and what a definition says of its own deferral. */
const OTHER_FORMS = ["input_schema", "parameters", "parametersJsonSchema", "function", "deferral", "defer_loading"];

const encoder = new TextEncoder();

/**
 * The SHA-256 of a definition, in hexadecimal. The order of keys does not matter, nor does `_meta`. Undefined for a
 * definition that is nested deeper than 256 levels, or holds more than a million values.
 */
export function pinnedHash(tool: object): string | undefined {
  const fits = counter();
  const parts: string[] = [];
  for (const field of [...PINNED, ...OTHER_FORMS]) {
    const value = (tool as Record<string, unknown>)[field];
    if (value === undefined) continue;
    const text = canonical(value, 0, fits);
    if (text === undefined) return undefined;
    parts.push(`${JSON.stringify(field)}:${text}`);
  }
  const digest = sha256(encoder.encode(`{${parts.join(",")}}`));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A definition with only the parts that are pinned. */
export function pinnedParts(tool: ServerTool): ServerTool {
  return read("option_invalid", "the definition", () => {
    const parts = PINNED.map((field) => [field, tool[field]]).filter(([, value]) => value !== undefined);
    return Object.fromEntries(parts) as ServerTool;
  });
}

/** A JSON value as text, with sorted keys. Undefined where it is nested too deep, or too large. */
function canonical(value: unknown, depth: number, fits: ReturnType<typeof counter>): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth >= MAX_DEPTH) return undefined;
  const parts: string[] = [];
  const isList = Array.isArray(value);
  if (isList && !fits(value.length)) return undefined;
  const entries: [string, unknown][] = isList ? value.map((item) => ["", item]) : Object.entries(value);
  if (!isList && !fits(entries.length)) return undefined;
  if (!isList) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, item] of entries) {
    if (item === undefined && !isList) continue;
    const text = canonical(item, depth + 1, fits);
    if (text === undefined) return undefined;
    parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}
