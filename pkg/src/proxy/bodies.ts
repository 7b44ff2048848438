/** Reads bodies up to a bound. */

import { ToolSiftError } from "../errors.js";

/**
 * The bytes of a body.
 *
 * @throws ToolSiftError `limit_out_of_range`, as soon as more have come than the bound allows
 */
export async function bytesOf(body: ReadableStream<Uint8Array> | null, most: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new ToolSiftError("limit_out_of_range", `${what} has more than ${most} bytes, the limit`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The same as text. */
export async function textOfBody(body: ReadableStream<Uint8Array> | null, most: number, what: string): Promise<string> {
  return new TextDecoder().decode(await bytesOf(body, most, what));
}
