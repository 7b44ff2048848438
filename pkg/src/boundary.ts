/** Carries values into the core and back: tool lists as JSON bytes, answers as JSON text, errors as our own. */

import { definition, nameOf } from "./definition.js";
import { ToolSiftError } from "./errors.js";
import type { ErrorCode, Rejected } from "./types.js";
import { isList, kind, reasonOf } from "./values.js";

export { plain } from "./plain.js";
export { kind, reasonOf } from "./values.js";

/** Vendors' readers stop at 128 levels; a cyclic value nests without end. */
const DEPTH = 128;
/** Entries of one list in JSON: more do not fit in what the core takes of a call's arguments. */
const ENTRIES = 2_097_152;
/** Texts of one query, as many as entries of a list in the options. */
const QUERIES = 20_000;
/** Tools of one list: as many as a catalog may ever hold. */
const TOOLS = 200_000;

const encoder = new TextEncoder();

/** Runs a method of the core and reads its answer. */
export function ask<T>(method: () => string): T {
  return JSON.parse(run(method)) as T;
}

/** Runs a method of the core and throws its errors as `ToolSiftError`. */
export function run<T>(method: () => T): T {
  try {
    return method();
  } catch (cause) {
    throw asToolSiftError(cause);
  }
}

function asToolSiftError(cause: unknown): Error {
  if (ToolSiftError.is(cause)) return cause;
  if (typeof cause === "object" && cause !== null && "code" in cause && !(cause instanceof Error)) {
    const { code, message, alias } = cause as { code: ErrorCode; message: string; alias?: string };
    return new ToolSiftError(code, message, alias === undefined ? {} : { alias });
  }
  return new ToolSiftError("internal", `the core failed: ${reasonOf(cause)}`, { cause });
}

/** Refuses what is no string, and half a surrogate pair, which UTF-8 cannot hold. */
export function text(what: string, value: unknown): string {
  if (typeof value !== "string") throw new ToolSiftError("option_invalid", `${what} must be a string, got ${kind(value)}`);
  if (!isWellFormed(value)) throw new ToolSiftError("text_invalid", `${what} holds half a surrogate pair`);
  return value;
}

/** One query, or several on a line each. What holds nothing in a list is left out; a list of nothing asks for nothing. */
export function queryText(query: unknown): string {
  if (!isList(query)) return text("query", query);
  if (query.length > QUERIES) {
    throw new ToolSiftError("option_invalid", `query is a list of ${query.length} texts; at most ${QUERIES}`);
  }
  const texts = query.map((one, at) => text(`query.${at}`, one).trim());
  const joined = texts.filter((one) => one !== "").join("\n");
  if (joined === "") throw new ToolSiftError("query_empty", `query is a list of ${texts.length} without any words`);
  return joined;
}

/** Some bytes of the host's. By the tag, which those of another window or context have too. */
export function bytes(what: string, value: unknown): Uint8Array {
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object Uint8Array]") return value as Uint8Array;
  if (tag === "[object ArrayBuffer]") return new Uint8Array(value as ArrayBuffer);
  throw new ToolSiftError("option_invalid", `${what} must be a Uint8Array or an ArrayBuffer, got ${kind(value)}`);
}

/** JSON text of a value. */
export function json(what: string, value: unknown): string {
  const problem = isJson(value, DEPTH) ? undefined : notJson(value, what, DEPTH);
  if (problem !== undefined) throw new ToolSiftError("not_json", problem);
  return JSON.stringify(value) ?? "null";
}

/**
 * JSON text of what the core reads of a tool's definition.
 *
 * @param isGuarded whether the text goes to a guard first, which reads more of it
 */
export function toolJson(tool: unknown, isGuarded = false): string {
  return json("the tool", isGuarded ? withOutput(definition(tool), tool) : definition(tool));
}

/** A definition with the schema of the tool's results as well, if that is JSON: servers have no other. */
function withOutput(read: unknown, tool: unknown): unknown {
  const { outputSchema } = Object(tool) as { outputSchema?: unknown };
  const isSchema =
    typeof outputSchema === "object" && outputSchema !== null && !hasToJson(outputSchema) && isJson(outputSchema, DEPTH - 1);
  return isSchema ? { ...(read as object), outputSchema } : read;
}

/** A tool list as JSON, with the tools left out that are no JSON, and the place that each of the others had. */
export interface WrittenList {
  texts: string[];
  places: number[];
  rejected: Rejected[];
}

/** Tools are written one by one, so that one which is no JSON costs nothing but itself. */
export function list(tools: readonly unknown[], isGuarded = false): WrittenList {
  const texts: string[] = [];
  const places: number[] = [];
  const rejected: Rejected[] = [];
  if (tools.length > TOOLS)
    throw new ToolSiftError("catalog_full", `a list of ${tools.length} tools; a catalog holds at most ${TOOLS}`);
  for (const [index, tool] of tools.entries()) {
    try {
      texts.push(toolJson(tool, isGuarded));
      places.push(index);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
      rejected.push({ index, name: nameOf(tool), code: error.code, message: error.message });
    }
  }
  return { texts, places, rejected };
}

/** JavaScript has no longer strings on some engines; the core's own limit is lower. */
const LIST_CHARS = 2 ** 28;

/** One entry as bytes, or a list of entries. */
export function encoded(texts: string | readonly string[]): Uint8Array {
  if (typeof texts === "string") return encoder.encode(texts);
  const chars = texts.reduce((sum, one) => sum + one.length + 1, 1);
  if (chars <= LIST_CHARS) return encoder.encode(`[${texts.join(",")}]`);
  throw new ToolSiftError("list_too_large", `a list of tools takes ${chars} characters of JSON; pass it in smaller parts`);
}

/** Puts the places back that the tools had in the host's list, and adds those that were left out. */
export function allRejected(written: WrittenList, rejected: Rejected[]): Rejected[] {
  const placed = rejected.map((one) => ({ ...one, index: written.places[one.index] ?? one.index }));
  return [...placed, ...written.rejected].sort((a, b) => a.index - b.index);
}

/** Whether JSON can hold a value. Most values are fine; for them no paths are written, which takes longer than to look. */
function isJson(value: unknown, depth: number): boolean {
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

function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function isWellFormed(value: string): boolean {
  const native = (value as { isWellFormed?: () => boolean }).isWellFormed;
  return native === undefined ? !/\p{Surrogate}/u.test(value) : native.call(value);
}
