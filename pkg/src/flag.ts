/** Checks an option that is true or false. Apart from the other checks: what has no such option does not load it. */

import { ToolSiftError } from "./errors.js";
import { kind } from "./values.js";

/** True or false; nothing is one too. */
export function flag(key: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be true or false`);
}
