/** Makes the key of a session: no other id has the same key, and every driver accepts it. */

import { text } from "../base/texts.js";
import { ToolSiftError } from "../base/errors.js";

/** A longer name is replaced by its hash: file systems take 255 bytes, Cloudflare KV 512 for the whole key. */
const NAME_CHARS = 120;

/**
 * The key of a session's record. Lower-case letters, digits, `-` and `_` stay; any other byte becomes `.` and two digits, so that
 * neither a separator, a pattern nor two spellings that some file system holds for one get through.
 */
export async function keyOf(prefix: string, id: string): Promise<string> {
  const bytes = new TextEncoder().encode(text("session id", id));
  const name = Array.from(bytes, (byte) => (isPlain(byte) ? String.fromCharCode(byte) : `.${hex([byte])}`)).join("");
  // The prefix keeps hashes apart from names, and avoids words that file systems reserve.
  return `${prefix}:${name.length <= NAME_CHARS ? `id-${name}` : `hash-${await sha256(bytes)}`}`;
}

function isPlain(byte: number): boolean {
  return /[0-9a-z_-]/.test(String.fromCharCode(byte));
}

function hex(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle !== undefined) return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  const why = "is kept under its SHA-256, which a page has only over https: use a shorter one";
  throw new ToolSiftError("session_id_invalid", `a session id of ${bytes.length} bytes ${why}`);
}
