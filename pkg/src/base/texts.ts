/** Reads texts and bytes of the host's. */

import { ToolSiftError } from "./errors.js";
import { isList, kind } from "./values.js";

/** Texts of one query, as many as entries of a list in the options. */
const QUERIES = 20_000;

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

function isWellFormed(value: string): boolean {
  const native = (value as { isWellFormed?: () => boolean }).isWellFormed;
  return native === undefined ? !/\p{Surrogate}/u.test(value) : native.call(value);
}
