/** Makes the key of a session: no other id has the same key, and every driver accepts it. */

import { sha256 } from "../base/sha256.js";
import { text } from "../base/texts.js";

/** A longer name is replaced by its hash: file systems take 255 bytes, Cloudflare KV 512 for the whole key. */
const NAME_CHARS = 120;

/**
 * The key of a session's record. Lower-case letters, digits, `-` and `_` stay; any other byte becomes `.` and two digits, so that
 * neither a separator, a pattern nor two spellings that some file system holds for one get through.
 */
export function keyOf(prefix: string, id: string): string {
  const escaped = (byte: number) => `.${byte.toString(16).padStart(2, "0")}`;
  const charOf = (byte: number) =>
    /[0-9a-z_-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : escaped(byte);
  const name = Array.from(new TextEncoder().encode(text("session id", id)), charOf).join("");
  // The prefix keeps hashes apart from names, and avoids words that file systems reserve.
  return `${prefix}:${name.length <= NAME_CHARS ? `id-${name}` : `hash-${sha256(id)}`}`;
}
