/**
 * The event stream of AWS: binary frames with headers and a checksum each. The joiners know events as texts, so a frame is read as
 * the server-sent event that says the same, and what a joiner writes becomes frames again.
 */

import { parsed } from "../values.js";
import { fieldsOf, textIn } from "../wire/fields.js";
import { noReply } from "../wire/reply.js";
import { ToolSiftError } from "../errors.js";
import type { Frames, Parser } from "./frames.js";
import { type SseEvent, SseParser, sseText, typedText } from "./sse.js";

/** The lengths of a frame and of its headers, and their checksum. */
const PRELUDE = 12;
/** The checksum at the end. */
const CHECKSUM = 4;
/** The type of a header whose value is a text, and the lengths of other values by their type. */
const TEXT = 7;
const BYTES = 6;
const LENGTHS = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

/** A frame as far as it is read. */
interface Frame {
  /** Its headers that are texts, without the colon before their names. */
  headers: Readonly<Record<string, string>>;
  payload: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The stream of `converse-stream`: the name of an event stands in the headers. */
export const CONVERSE: Frames = framesOf(
  ({ headers, payload }) => sseText(line(payload), headers["event-type"] ?? exceptionOf(headers)),
  ({ event, data }) => (isException(event) ? exception(event, data!) : { headers: eventHeaders(event), payload: data! }),
);

/** The stream of `invoke-with-response-stream`: each frame holds an event of the model's own vendor, here of the Messages API. */
export const INVOKE: Frames = framesOf(
  ({ headers, payload }) => {
    const { bytes } = fieldsOf(parsed(payload));
    if (headers["message-type"] === "event" && typeof bytes === "string") return sseText(line(fromBase64(bytes)));
    const message = messageOf(payload) ?? headers["error-message"] ?? "";
    return typedText({ type: "error", error: { type: exceptionOf(headers), message } });
  },
  ({ event, data }) => {
    if (event !== "error") return { headers: eventHeaders("chunk"), payload: JSON.stringify({ bytes: toBase64(data!) }) };
    const type = textIn(fieldsOf(fieldsOf(parsed(data!))["error"])["type"]) ?? "";
    return exception(isException(type) ? type : "internalServerException", data!);
  },
);

function framesOf(read: (frame: Frame) => string, write: (event: SseEvent) => Frame): Frames {
  const bytes = (text: string) => {
    const parser = new SseParser(Number.POSITIVE_INFINITY);
    const events = [...parser.push(encoder.encode(text)), ...parser.end()];
    return joined(events.filter(({ data }) => data !== undefined).map((event) => written(write(event))));
  };
  return { parser: (most) => new FrameParser(most, read), bytes };
}

const isException = (name: string): boolean => name.endsWith("Exception");

/** The error in a frame that is not an event. */
function exceptionOf(headers: Frame["headers"]): string {
  const name = headers["exception-type"] ?? headers["error-code"] ?? "";
  return isException(name) ? name : "internalServerException";
}

function eventHeaders(event: string): Frame["headers"] {
  return { "event-type": event, "content-type": "application/json", "message-type": "event" };
}

function exception(name: string, data: string): Frame {
  const headers = { "exception-type": name, "content-type": "application/json", "message-type": "exception" };
  return { headers, payload: JSON.stringify({ message: messageOf(data) ?? data }) };
}

/** The message of an error, in the form of AWS or of the model's vendor. */
function messageOf(text: string): string | undefined {
  const { message, error } = fieldsOf(parsed(text));
  return textIn(message) ?? textIn(fieldsOf(error)["message"]);
}

/** JSON on one line: outside of its texts a line break is white space. */
function line(json: string): string {
  return json.replace(/[\r\n]+/g, " ");
}

/** Cuts bytes into frames. */
class FrameParser implements Parser {
  readonly #most: number;
  readonly #read: (frame: Frame) => string;
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** The length of the next frame, once it is known. */
  #wanted: number | undefined;

  constructor(most: number, read: (frame: Frame) => string) {
    this.#most = most;
    this.#read = read;
  }

  push(bytes: Uint8Array): SseEvent[] {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    // Joined only where a frame may be whole: a large one comes in many chunks.
    if (this.#length < (this.#wanted ?? PRELUDE)) return [];
    let rest = joined(this.#chunks);
    const texts: string[] = [];
    for (;;) {
      this.#wanted = rest.length < PRELUDE ? undefined : this.#lengthOf(rest);
      if (this.#wanted === undefined || rest.length < this.#wanted) break;
      texts.push(this.#read(frameOf(rest.subarray(0, this.#wanted))));
      rest = rest.subarray(this.#wanted);
    }
    this.#chunks = [rest];
    this.#length = rest.length;
    return new SseParser(Number.POSITIVE_INFINITY).push(encoder.encode(texts.join("")));
  }

  end(): SseEvent[] {
    if (this.#length > 0) throw noReply("the upstream's event stream ended within a frame");
    return [];
  }

  #lengthOf(bytes: Uint8Array): number {
    const length = viewOf(bytes).getUint32(0);
    if (length > this.#most) {
      const message = `a frame of the upstream has more than ${this.#most} bytes, the limit`;
      throw new ToolSiftError("limit_out_of_range", message);
    }
    if (length < PRELUDE + CHECKSUM) throw unread(`${length} bytes`);
    return length;
  }
}

const unread = (what: string) => noReply(`a frame of the upstream cannot be read: ${what}`);

function frameOf(bytes: Uint8Array): Frame {
  const view = viewOf(bytes);
  const end = bytes.length - CHECKSUM;
  const isIntact =
    view.getUint32(8) === checksum(bytes.subarray(0, 8)) && view.getUint32(end) === checksum(bytes.subarray(0, end));
  if (!isIntact) throw unread("checksum");
  const payload = PRELUDE + view.getUint32(4);
  if (payload > end) throw unread("headers");
  return { headers: headersIn(bytes.subarray(PRELUDE, payload)), payload: decoder.decode(bytes.subarray(payload, end)) };
}

function headersIn(bytes: Uint8Array): Record<string, string> {
  const view = viewOf(bytes);
  const found: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const value = at + 1 + bytes[at]!;
    const type = bytes[value];
    if (type === undefined) throw unread("headers");
    const hasLength = type === TEXT || type === BYTES;
    if (hasLength && value + 3 > bytes.length) throw unread("headers");
    const begin = value + (hasLength ? 3 : 1);
    const end = begin + (hasLength ? view.getUint16(value + 1) : (LENGTHS[type] ?? Number.NaN));
    if (!(end <= bytes.length)) throw unread("headers");
    const name = decoder.decode(bytes.subarray(at + 1, value)).replace(/^:/, "");
    if (type === TEXT) found[name] = decoder.decode(bytes.subarray(begin, end));
    at = end;
  }
  return found;
}

function written({ headers, payload }: Frame): Uint8Array {
  const head = joined(
    Object.entries(headers).map(([name, value]) => header(encoder.encode(`:${name}`), encoder.encode(value))),
  );
  const body = encoder.encode(payload);
  const bytes = new Uint8Array(PRELUDE + head.length + body.length + CHECKSUM);
  const view = viewOf(bytes);
  view.setUint32(0, bytes.length);
  view.setUint32(4, head.length);
  view.setUint32(8, checksum(bytes.subarray(0, 8)));
  bytes.set(head, PRELUDE);
  bytes.set(body, PRELUDE + head.length);
  const end = bytes.length - CHECKSUM;
  view.setUint32(end, checksum(bytes.subarray(0, end)));
  return bytes;
}

function header(name: Uint8Array, value: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(name.length), name, Uint8Array.of(TEXT, value.length >> 8, value.length & 255), value]);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function fromBase64(text: string): string {
  try {
    return decoder.decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)));
  } catch {
    throw unread("base64");
  }
}

function toBase64(text: string): string {
  return btoa(Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** The remainders of CRC-32 for each byte. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32, which platforms have no function for. */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = REMAINDERS[(rest ^ byte) & 255]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
