/**
 * Reads what a vendor answered. Whatever it holds, what goes wrong is an error of ours; what the client throws stays as it
 * is.
 */

import { kind, read } from "../../boundary.js";
import { ToolSiftError } from "../../errors.js";

/** Reads a reply, or a part of one. */
export function inReply<T>(get: () => T): T {
  return read("reply_invalid", "the vendor's reply", get);
}

/** The error for a reply that is none. */
export function noReply(message: string): ToolSiftError {
  return new ToolSiftError("reply_invalid", message);
}

/** The beginning of an unexpected reply, for a message. */
export function excerpt(reply: unknown): string {
  return (JSON.stringify(reply) ?? "nothing").slice(0, 300);
}

/** Takes a stream piece by piece. What a stream of the client's throws is the client's; a list is a reply as others are. */
export async function eachPiece<T>(stream: AsyncIterable<T>, take: (piece: T) => void): Promise<void> {
  const { asyncIterator, iterator } = Symbol;
  const [streams, lists] = inReply(() => [Object(stream)[asyncIterator] ?? undefined, Object(stream)[iterator]]);
  const open: unknown = streams ?? lists;
  const begin = () => {
    return typeof open === "function" ? (Reflect.apply(open, stream, []) as Iterator<T> | undefined) : undefined;
  };
  const pieces = streams === undefined ? inReply(begin) : begin();
  const isBegun = inReply(() => typeof pieces?.next === "function");
  if (!isBegun) throw noReply(`the vendor answered no stream, but ${kind(stream)}`);
  const key = streams === undefined ? iterator : asyncIterator;
  for await (const piece of { [key]: () => pieces } as unknown as AsyncIterable<T>) take(piece);
}
