/** Calls methods of the core: parses answers from JSON, and converts errors to `ToolSiftError`. */

import { ToolSiftError } from "../base/errors.js";
import type { ErrorCode } from "../types/index.js";
import { reasonOf } from "../base/values.js";

/** Runs a method of the core and parses its answer. */
export function ask<T>(method: () => string): T {
  return JSON.parse(run(method)) as T;
}

/** Runs a method of the core and throws its errors as `ToolSiftError`. */
export function run<T>(method: () => T): T {
  try {
    return method();
  } catch (cause) {
    throw asToolSiftError(cause);
  }
}

function asToolSiftError(cause: unknown): Error {
  if (ToolSiftError.is(cause)) return cause;
  if (typeof cause === "object" && cause !== null && "code" in cause && !(cause instanceof Error)) {
    const { code, message, alias } = cause as { code: ErrorCode; message: string; alias?: string };
    return new ToolSiftError(code, message, alias === undefined ? {} : { alias });
  }
  return new ToolSiftError("internal", `the core failed: ${reasonOf(cause)}`, { cause });
}
