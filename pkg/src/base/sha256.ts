/** SHA-256 in every runtime, without a promise. */

import { sha256 as portable } from "@noble/hashes/sha2.js";
import { builtin } from "./node.js";

/** The hash of `node:crypto`: Node from 20.12 on, Bun and Deno have it. Null in other runtimes. */
let native: typeof import("node:crypto").hash | null | undefined;

/** The SHA-256 of bytes, or of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  if (native === undefined) native = builtin("node:crypto")?.hash ?? null;
  if (native !== null) return native("sha256", content);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return Array.from(portable(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
