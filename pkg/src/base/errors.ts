/** The one error class of the package, with a stable code. */

import type { ErrorCode } from "../types/errors.js";

/** Shared by every copy of the package in one process, so that each knows the errors of the others. */
const BRAND = Symbol.for("toolsift.error");

/**
 * Every error that toolsift throws. `code` is stable and meant for programs; `message` names the offending value and
 * the limit that it broke, and is meant for people and models.
 *
 * ```ts
 * try {
 *   sift.register({ name: "no spaces allowed" });
 * } catch (error) {
 *   if (ToolSiftError.is(error) && error.code === "name_unsafe") console.error(error.message);
 *   else throw error;
 * }
 * ```
 */
export class ToolSiftError extends Error {
  override readonly name = "ToolSiftError";
  /** What kind of error it is. */
  readonly code: ErrorCode;
  /** For a tool's name that vendors would refuse: one that they accept. */
  declare readonly alias?: string;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { alias?: string }) {
    super(message, options);
    this.code = code;
    if (options?.alias !== undefined) this.alias = options.alias;
  }

  /**
   * Whether a caught value is an error of toolsift. Unlike `instanceof`, it also holds when the error comes from another
   * copy of the package, as when one dependency imports it and another requires it.
   */
  static is(value: unknown): value is ToolSiftError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }
}
