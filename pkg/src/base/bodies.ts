/** Reads request and response bodies up to a size limit. */

import { whenAborted } from "./wait.js";

/** Makes the error for a body with more bytes than the limit. */
export type TooLarge = (most: number) => Error;

/** Cancels the read of a body when the signal is aborted. Returns a function that stops this. */
function letGo(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined): () => void {
  // Not awaited: one half of a cloned body is cancelled only after the other half was cancelled too.
  return whenAborted(signal, () => void reader.cancel(signal!.reason).catch(() => {}));
}

/**
 * Reads a body.
 *
 * @param signal ends the read
 * @throws the error of `tooLarge`, as soon as more than `most` bytes have arrived; the signal's reason if it is aborted
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
        // Not awaited, as in `letGo`.
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

/** Reads a body of at most `most` bytes as text. */
export async function textOfBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLarge: TooLarge,
  signal?: AbortSignal,
): Promise<string> {
  return new TextDecoder().decode(await bytesOf(body, most, tooLarge, signal));
}
