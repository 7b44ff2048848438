/** Describes and reads values of the host's, whatever they are. Nothing in here throws what the host's code throws. */

import { ToolSiftError } from "./errors.js";
import type { ErrorCode } from "./types.js";

/** Whether a value is a list. `Array.isArray` throws for a revoked proxy; this does not. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** What a value is, for a message. */
export function kind(value: unknown): string {
  try {
    if (value === null || value === undefined) return String(value);
    if (Array.isArray(value)) return "a list";
    if (typeof value === "object") return "an object";
    // A function may have a `toString` of its own.
    const text = typeof value === "function" ? Function.prototype.toString.call(value) : String(value);
    return `${typeof value} ${text.slice(0, 80)}`;
  } catch {
    return "a revoked proxy";
  }
}

/** What something that was thrown says, whichever realm or server it comes from. */
export function reasonOf(cause: unknown): string {
  if (typeof cause === "string" && cause !== "") return cause;
  try {
    const { message, name } = Object(cause) as { message?: unknown; name?: unknown };
    const said = [message, name].find((text) => typeof text === "string" && text !== "");
    return typeof cause === "object" && said !== undefined ? (said as string) : kind(cause);
  } catch {
    return "something that cannot be read";
  }
}

/** Does work that nobody waits for. What it throws, at once or later, is ignored: an unhandled rejection ends a process. */
export function aside(work: () => unknown): void {
  // Awaited inside: what `catch` hands on would be asked for its `then` once more, and could throw only then.
  void (async () => {
    try {
      await work();
    } catch {}
  })();
}

/** What a function of the host's returned that has to answer at once. If it is a promise, its failure is ignored. */
export function atOnce<T>(returned: T): T {
  aside(() => returned);
  return returned;
}

/** Reads something of the host's, whose getters and proxies may throw whatever they like. */
export function read<T>(code: ErrorCode, what: string, get: () => T): T {
  try {
    return get();
  } catch (cause) {
    if (ToolSiftError.is(cause)) throw cause;
    throw new ToolSiftError(code, `${what} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
