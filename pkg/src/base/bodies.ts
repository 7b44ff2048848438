/** Reads bodies up to a bound. */

import { whenAborted } from "./signals.js";

/** The error of a body that has more bytes than the bound. */
export type TooLarge = (most: number) => Error;

/** Lets a body go when the signal ends, whoever else listens to it. Returns what ends this. */
function letGo(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined): () => void {
  // Not awaited: one half of a cloned body is not cancelled before the other half is.
  return whenAborted(signal, () => void reader.cancel(signal!.reason).catch(() => {}));
}

/**
 * The bytes of a body.
 *
 * @param signal ends the reading
 * @throws the error for what is too large, as soon as more has come than the bound allows; what the signal ended with
 */
export async function bytesOf(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLarge: TooLarge,
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
        throw tooLarge(most);
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
  tooLarge: TooLarge,
  signal?: AbortSignal,
): Promise<string> {
  return new TextDecoder().decode(await bytesOf(body, most, tooLarge, signal));
}
