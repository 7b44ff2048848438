/** SHA-256 in every runtime, without a promise. */

import { sha256 as portable } from "@noble/hashes/sha2.js";

/** `node:crypto`, as far as it is used: Node from 20.12 on, Bun and Deno have it. */
interface Native {
  hash?(algorithm: string, content: string | Uint8Array): string;
}

let native: Native | undefined;

/** The SHA-256 of bytes, or of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  // Found at the first call: an import would be one that bundlers for browsers refuse.
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Native | undefined } };
  native ??= process?.getBuiltinModule?.("node:crypto") ?? {};
  if (native.hash !== undefined) return native.hash("sha256", content);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return Array.from(portable(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
