/** Frames of AWS's event stream, written and read by another way than the package does. */

import assert from "node:assert/strict";
import { crc32 } from "node:zlib";

const number = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** One frame: headers are texts, and with `more` a header of each other type stands among them. */
export function frame(headers, payload, { more = Buffer.alloc(0) } = {}) {
  const head = Object.entries(headers).map(([name, value]) => {
    const text = Buffer.from(value);
    return Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, text.length >> 8, text.length & 255]),
      text,
    ]);
  });
  const all = Buffer.concat([...head, more]);
  const body = Buffer.from(payload);
  const prelude = Buffer.concat([number(16 + all.length + body.length), number(all.length)]);
  const begun = Buffer.concat([prelude, number(crc32(prelude)), all, body]);
  return Buffer.concat([begun, number(crc32(begun))]);
}

/** The frame of an event. */
export const eventFrame = (type, data) =>
  frame({ ":event-type": type, ":content-type": "application/json", ":message-type": "event" }, JSON.stringify(data));

/** What the frames of a stream hold, each as headers and parsed payload. A frame that a client would refuse fails. */
export function framesIn(bytes) {
  const found = [];
  for (let rest = Buffer.from(bytes); rest.length > 0; ) {
    const [length, head] = [rest.readUInt32BE(0), rest.readUInt32BE(4)];
    assert.equal(rest.readUInt32BE(8), crc32(rest.subarray(0, 8)), "the checksum of the prelude");
    assert.equal(rest.readUInt32BE(length - 4), crc32(rest.subarray(0, length - 4)), "the checksum of the frame");
    const headers = {};
    for (let at = 12; at < 12 + head; ) {
      const name = rest.subarray(at + 1, at + 1 + rest[at]).toString();
      at += 1 + rest[at];
      assert.equal(rest[at], 7, "a text");
      const size = rest.readUInt16BE(at + 1);
      headers[name] = rest.subarray(at + 3, at + 3 + size).toString();
      at += 3 + size;
    }
    found.push({ headers, payload: JSON.parse(rest.subarray(12 + head, length - 4).toString()) });
    rest = rest.subarray(length);
  }
  return found;
}

/** A stream of frames, as one chunk or as many as it is cut into. */
export function frames(bytes, { size = Infinity } = {}) {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const end = Math.min(bytes.length, at + size);
      controller.enqueue(new Uint8Array(bytes.subarray(at, end)));
      at = end;
    },
  });
  return new Response(body, { headers: { "content-type": "application/vnd.amazon.eventstream" } });
}
