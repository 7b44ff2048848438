/** Checks a vendor's reply, also for an early end. Errors of the client are passed on unchanged. */

import { ToolSiftError } from "../base/errors.js";
import { isList, kind } from "../base/values.js";
import type { ModelCall } from "../types/index.js";
import type { Pieces } from "./api.js";
import type { Fields } from "./fields.js";

/** Makes the error for a reply that cannot be read. */
export function noReply(message: string): ToolSiftError {
  return new ToolSiftError("reply_invalid", message);
}

/** Returns a reply, or a part of it, after checking that it is an object. */
export function objectIn(what: string, value: unknown): Fields {
  if (typeof value === "object" && value !== null) return value as Fields;
  throw noReply(`the vendor answered no ${what}, but ${kind(value)}`);
}

/** Returns a list of objects in a vendor's reply; an empty list for undefined and null. */
export function entriesIn(what: string, list: unknown): readonly Fields[] {
  if (list === undefined || list === null) return [];
  if (isList(list) && list.every((one) => typeof one === "object" && one !== null)) return list as readonly Fields[];
  throw noReply(`${what} of the vendor's reply must be a list of objects: ${excerpt(list)}`);
}

/** Makes the refusal of a call at which the reply was cut off: it may look complete. `advice` is for the model. */
export function cutOff(reason: unknown, advice = ""): NonNullable<ModelCall["broken"]> {
  const message = `The reply ended in the middle of this call (${reason}), so this call did not run.${advice}`;
  return { code: "arguments_not_json", message };
}

/** Returns the beginning of an unexpected reply, for a message. */
export function excerpt(reply: unknown): string {
  try {
    return (JSON.stringify(reply) ?? "nothing").slice(0, 300);
  } catch {
    // The value nests too deep for the stack.
    return kind(reply);
  }
}

/** Passes each piece of a stream to a function. A list is read as a stream too, because some clients return lists. */
export async function eachPiece<T extends object>(stream: AsyncIterable<T>, take: (piece: T) => void): Promise<void> {
  const given = Object(stream) as Partial<AsyncIterable<T> & Iterable<T>>;
  if (!given[Symbol.asyncIterator] && !given[Symbol.iterator]) {
    throw noReply(`the vendor answered no stream, but ${kind(stream)}`);
  }
  for await (const piece of stream) take(objectIn("piece of a stream", piece) as T);
}

/**
 * Joins the pieces of a stream to a reply.
 *
 * @param onPiece receives every piece as it arrives
 */
export async function joined<T extends object>(
  stream: AsyncIterable<T>,
  pieces: Pieces,
  onPiece?: (piece: T) => void,
  signal?: AbortSignal,
): Promise<object> {
  await eachPiece(stream, (piece) => {
    onPiece?.(piece);
    pieces.add(piece);
  });
  signal?.throwIfAborted();
  if (pieces.reply === undefined) throw noReply("the stream ended before the reply did");
  return pieces.reply;
}
