/** Reads and checks texts and bytes that your program passes. */

import { ToolSiftError } from "./errors.js";
import { isList, kind } from "./values.js";

/** The maximum number of texts of one query: the same as for entries of a list in the options. */
const QUERIES = 20_000;

/** Returns a string. Other values are refused, and so is half a surrogate pair, which UTF-8 cannot represent. */
export function text(what: string, value: unknown): string {
  if (typeof value !== "string") throw new ToolSiftError("option_invalid", `${what} must be a string, got ${kind(value)}`);
  if (!isWellFormed(value)) throw new ToolSiftError("text_invalid", `${what} holds half a surrogate pair`);
  return value;
}

/** Returns a query, or several with a line each. Empty texts of a list are left out; a list without words is refused. */
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

/** Returns bytes after checking their type. The check uses the tag, which bytes of another window or context have too. */
export function bytes(what: string, value: unknown): Uint8Array {
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object Uint8Array]") return value as Uint8Array;
  if (tag === "[object ArrayBuffer]") return new Uint8Array(value as ArrayBuffer);
  throw new ToolSiftError("option_invalid", `${what} must be a Uint8Array or an ArrayBuffer, got ${kind(value)}`);
}

function isWellFormed(value: string): boolean {
  const native = (value as { isWellFormed?: () => boolean }).isWellFormed;
  return native === undefined ? !/\p{Surrogate}/u.test(value) : native.call(value);
}
