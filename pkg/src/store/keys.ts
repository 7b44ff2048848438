/** Makes the key of a session: two ids never have the same key, and every driver accepts it. */

import { sha256 } from "../base/sha256.js";
import { text } from "../base/texts.js";

/** The maximum length of a name; longer ones are replaced by a hash. File systems allow 255 bytes, Cloudflare KV 512. */
const NAME_CHARS = 120;

/**
 * Returns the key of a session's record. Lower-case letters, digits, `-` and `_` stay. Any other byte becomes `.` and two
 * hex digits, so that separators, patterns, and spellings that a file system takes for the same name cannot occur.
 */
export function keyOf(prefix: string, id: string): string {
  const escaped = (byte: number) => `.${byte.toString(16).padStart(2, "0")}`;
  const charOf = (byte: number) =>
    /[0-9a-z_-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : escaped(byte);
  const name = Array.from(new TextEncoder().encode(text("session id", id)), charOf).join("");
  // The prefix separates hashes from names, and avoids words that file systems reserve.
  return `${prefix}:${name.length <= NAME_CHARS ? `id-${name}` : `hash-${sha256(id)}`}`;
}
