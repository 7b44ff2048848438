/** How a stream is cut into events, and how the events that its joiner writes become bytes again. */

import { type SseEvent, SseParser } from "./sse.js";

/** Cuts a stream of bytes, which may be cut anywhere, into events. */
export interface Parser {
  /** The events that are whole now. @throws ToolSiftError `limit_out_of_range`, `reply_invalid` */
  push(bytes: Uint8Array): SseEvent[];
  /** The rest of the stream at its end. */
  end(): SseEvent[];
}

/** The form of a stream. */
export interface Frames {
  /** @param most bytes, or characters, of one event at most */
  parser(most: number): Parser;
  /** The bytes of a text that a joiner has written: whole events. */
  bytes(text: string): Uint8Array;
}

const encoder = new TextEncoder();

/** Server-sent events. */
export const SSE: Frames = {
  parser: (most) => new SseParser(most),
  bytes: (text) => encoder.encode(text),
};

/** One JSON value a line. */
export const LINES: Frames = {
  parser: (most) =>
    new SseParser(most, /\n/, (raw) => ({ raw, event: "", data: raw.trim() === "" ? undefined : raw.trim() })),
  bytes: (text) => encoder.encode(text),
};
