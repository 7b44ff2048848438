/** Makes the key of a session: no other id has the same key, and every driver accepts it. */

import { text } from "../base/texts.js";
import { ToolSiftError } from "../base/errors.js";

/** A longer name is replaced by its hash: file systems take 255 bytes, Cloudflare KV 512 for the whole key. */
const NAME_CHARS = 120;
/** The name of a record: the time when it was written, so that its age is known without reading it, and a random part. */
const RECORD = /^([0-9a-z]{9})-[0-9a-f]{16}$/;

/**
 * The prefix of every key of a session. Lower-case letters, digits, `-` and `_` stay; any other byte becomes `.` and
 * two digits, so that neither a separator, a pattern nor two spellings that some file system holds for one get through.
 */
export async function baseOf(prefix: string, id: string): Promise<string> {
  const bytes = new TextEncoder().encode(text("session id", id));
  const name = Array.from(bytes, (byte) => (isPlain(byte) ? String.fromCharCode(byte) : `.${hex([byte])}`)).join("");
  // The prefix keeps hashes apart from names, and avoids words that file systems reserve.
  return `${prefix}:${name.length <= NAME_CHARS ? `id-${name}` : `hash-${await sha256(bytes)}`}:`;
}

/** Whether a value is the name of a record. */
export function isRecordName(value: unknown): value is string {
  return typeof value === "string" && RECORD.test(value);
}

/** A name for a new record. */
export function recordName(now: number): string {
  return `${now.toString(36).padStart(9, "0")}-${random(8)}`;
}

/** When a record was written, in milliseconds; undefined for a key that is not of a record of the session. */
export function writtenAt(key: string, base: string): number | undefined {
  const time = key.startsWith(base) ? RECORD.exec(key.slice(base.length))?.[1] : undefined;
  return time === undefined ? undefined : Number.parseInt(time, 36);
}

/** The session and the name in the key of a record; undefined for another key. */
export function partsOf(key: string): [session: string, record: string] | undefined {
  const end = key.lastIndexOf(":");
  const record = key.slice(end + 1);
  return end > 0 && isRecordName(record) ? [key.slice(0, end), record] : undefined;
}

/** So many random bytes, in hex. It is not called while the module loads: workers have no random numbers then. */
export function random(count: number): string {
  return hex(crypto.getRandomValues(new Uint8Array(count)));
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
