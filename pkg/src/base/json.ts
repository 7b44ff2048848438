/** Writes values of the host's as JSON, or says where one holds what JSON cannot. */

import { ToolSiftError } from "./errors.js";
import { kind, reasonOf } from "./values.js";

/** Vendors' readers stop at 128 levels; a cyclic value nests without end. */
export const DEPTH = 128;
/** Entries of one list in JSON: more do not fit in what the core takes of a call's arguments. */
const ENTRIES = 2_097_152;

/** JSON text of a value. */
export function json(what: string, value: unknown): string {
  const problem = isJson(value, DEPTH) ? undefined : notJson(value, what, DEPTH);
  if (problem !== undefined) throw new ToolSiftError("not_json", problem);
  return JSON.stringify(value) ?? "null";
}

/** What is read of a message, in all formats. Hosts keep more in it, such as what a tool returned. */
const OF_MESSAGES =
  "role type name content parts tool_calls tool_call_id function_call call_id arguments output tools result status kwargs data";

/**
 * JSON text of a conversation's messages, without the bytes of files.
 *
 * @throws ToolSiftError `messages_invalid` for what is no list, and for what JSON cannot hold
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
    // UTF-8 cannot hold half a surrogate pair, which JSON writes as an escape.
    return text.replace(/(\\\\)|\\ud[89a-f]../g, (_, backslash?: string) => backslash ?? "\ufffd");
  } catch (cause) {
    throw invalid(`cannot be written as JSON: ${reasonOf(cause)}`);
  }
}

/** Whether JSON can hold a value. Most values are fine; for them no paths are written, which takes longer than to look. */
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

/** Why a value is no JSON, if it is none. */
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
    // Paths are cut in the middle of deep values, where they would be longer than the message.
    const problem = notJson(inner, path.length > 100 ? path : `${path}.${key}`, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}
