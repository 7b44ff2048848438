/** Writes your program's values as JSON, or reports the first value that JSON cannot represent. */

import { ToolSiftError } from "./errors.js";
import { kind, reasonOf } from "./values.js";

/** The maximum nesting. Vendors' JSON readers stop at 128 levels; a cyclic value has no end. */
export const DEPTH = 128;
/** The maximum number of entries of one list: more do not fit into the core's limit on a call's arguments. */
const ENTRIES = 2_097_152;

/** Returns the JSON text of a value. */
export function json(what: string, value: unknown): string {
  const problem = isJson(value, DEPTH) ? undefined : notJson(value, what, DEPTH);
  if (problem !== undefined) throw new ToolSiftError("not_json", problem);
  return JSON.stringify(value) ?? "null";
}

/**
 * The keys of a message that are read, in all formats. Programs also store other values in messages, such as tool results.
 */
const OF_MESSAGES =
  "role type name content parts tool_calls tool_call_id function_call call_id arguments output tools result status kwargs data";

/**
 * Returns the JSON text of a conversation's messages, without the bytes of files.
 *
 * @throws ToolSiftError `messages_invalid` for a value that is no list, or that JSON cannot represent
 */
export function messagesText(messages: unknown): string {
  const invalid = (problem: string) => new ToolSiftError("messages_invalid", `messages ${problem}`);
  if (!Array.isArray(messages)) throw invalid(`must be a list, got ${kind(messages)}`);
  const keys = OF_MESSAGES.split(" ");
  const read = messages.map((message: unknown) => {
    if (typeof message !== "object" || message === null) return message;
    return Object.fromEntries(
      keys.flatMap((key) => (key in message ? [[key, (message as Record<string, unknown>)[key]]] : [])),
    );
  });
  try {
    const text = JSON.stringify(read, (_, value: unknown) => (ArrayBuffer.isView(value) ? undefined : value));
    // UTF-8 cannot represent half a surrogate pair, which JSON writes as an escape.
    return text.replace(/(\\\\)|\\ud[89a-f]../g, (_, backslash?: string) => backslash ?? "\ufffd");
  } catch (cause) {
    throw invalid(`cannot be written as JSON: ${reasonOf(cause)}`);
  }
}

/** Checks if JSON can represent a value. It is faster than `notJson`, because it builds no paths, and most values pass. */
export function isJson(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object")
    return typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
  if (value === null || hasToJson(value)) return true;
  if (depth === 0 || (Array.isArray(value) && value.length > ENTRIES)) return false;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < inner.length; at++) {
    if (!isJson(inner[at], depth - 1)) return false;
  }
  return true;
}

/** Returns the reason why JSON cannot represent a value; undefined if it can. */
function notJson(value: unknown, path: string, depth: number): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : `${path} is ${value}, which JSON cannot hold`;
    case "function":
    case "symbol":
    case "bigint":
      return `${path} is a ${typeof value}, which JSON cannot hold`;
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null || hasToJson(value)) return undefined;
  if (Array.isArray(value) && value.length > ENTRIES) return `${path} has ${value.length} entries; at most ${ENTRIES}`;
  if (depth === 0) return `${path} nests deeper than ${DEPTH} levels, or is cyclic`;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) {
    // Paths are cut in deep values. Otherwise the path would be longer than the rest of the message.
    const problem = notJson(inner, path.length > 100 ? path : `${path}.${key}`, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}
