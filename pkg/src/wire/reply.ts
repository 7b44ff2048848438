/** Checks what a vendor answered. What the client throws stays as it is. */

import { kind } from "../boundary.js";
import { ToolSiftError } from "../errors.js";
import { isList } from "../values.js";

/** The error for a reply that is none. */
export function noReply(message: string): ToolSiftError {
  return new ToolSiftError("reply_invalid", message);
}

/** A reply, or a part of one, that must be an object. */
export function objectIn<T extends object>(what: string, value: T): T {
  if (typeof value === "object" && value !== null) return value;
  throw noReply(`the vendor answered no ${what}, but ${kind(value)}`);
}

/** A list in a vendor's reply, whose entries are objects; nothing is an empty list. */
export function objectsIn<T extends object>(what: string, list: readonly T[] | null | undefined): readonly T[] {
  if (list === undefined || list === null) return [];
  if (isList(list) && list.every((one) => typeof one === "object" && one !== null)) return list;
  throw noReply(`${what} of the vendor's reply must be a list of objects: ${excerpt(list)}`);
}

/** The beginning of an unexpected reply, for a message. */
export function excerpt(reply: unknown): string {
  try {
    return (JSON.stringify(reply) ?? "nothing").slice(0, 300);
  } catch {
    // Nested deeper than the stack.
    return kind(reply);
  }
}

/** Takes a stream piece by piece. A list is read as a stream: some clients answer with one. */
export async function eachPiece<T extends object>(stream: AsyncIterable<T>, take: (piece: T) => void): Promise<void> {
  const given = Object(stream) as Partial<AsyncIterable<T> & Iterable<T>>;
  if (!given[Symbol.asyncIterator] && !given[Symbol.iterator]) {
    throw noReply(`the vendor answered no stream, but ${kind(stream)}`);
  }
  for await (const piece of stream) take(objectIn("piece of a stream", piece));
}
