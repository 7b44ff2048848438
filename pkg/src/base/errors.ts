/** The only error class of the package, with stable codes. */

import type { ErrorCode } from "../types/errors.js";

/** The mark of toolsift's errors, the same in every copy of the package in a process. */
const BRAND = Symbol.for("toolsift.error");

/**
 * Every error that toolsift throws. `code` is stable and meant for programs. `message` has the invalid value and the limit,
 * and is meant for people and models.
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
  /** The kind of the error. */
  readonly code: ErrorCode;
  /** For a tool name that vendors would refuse: a name that they accept. */
  declare readonly alias?: string;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { alias?: string }) {
    super(message, options);
    this.code = code;
    if (options?.alias !== undefined) this.alias = options.alias;
  }

  /**
   * Checks if a caught value is an error of toolsift. Unlike `instanceof`, it also recognizes errors of another copy of the
   * package, for example if one dependency imports the package and another requires it.
   */
  static is(value: unknown): value is ToolSiftError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }
}
