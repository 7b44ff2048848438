/** Reads bodies up to a bound. */

import { whenAborted } from "../signals.js";
import { failing } from "./failures.js";

/** What a body is of, and the status that tells that it is too large. */
export interface Bounded {
  what: string;
  status: number;
}

/** The body of a client's request. */
export const REQUEST: Bounded = { what: "the request's body", status: 413 };
/** The body of the upstream's answer. */
export const REPLY: Bounded = { what: "the upstream's reply", status: 502 };

/** Lets a body go when the signal ends, whoever else listens to it. Returns what ends this. */
export function letGo(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined): () => void {
  // Not awaited: one half of a cloned body is not cancelled before the other half is.
  return whenAborted(signal, () => void reader.cancel(signal!.reason).catch(() => {}));
}

/**
 * The bytes of a body.
 *
 * @param signal ends the reading
 * @throws ToolSiftError `limit_out_of_range`, as soon as more have come than the bound allows; what the signal ended with
 */
export async function bytesOf(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  { what, status }: Bounded,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  const end = reader && letGo(reader, signal);
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      length += value.length;
      if (length > most) {
        // Not awaited, as above.
        reader.cancel().catch(() => {});
        throw failing(status, "limit_out_of_range", `${what} has more than ${most} bytes, the limit`);
      }
      chunks.push(value);
    }
  } finally {
    end?.();
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A body as text, of so many bytes at most. */
export async function textOfBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  of: Bounded,
  signal?: AbortSignal,
): Promise<string> {
  return new TextDecoder().decode(await bytesOf(body, most, of, signal));
}
