/** Are a host's options what they must be? Each is checked by name, type and range, in the words of the core's errors. */

import { kind } from "./boundary.js";
import { ToolSiftError } from "./errors.js";

/** The options that say something; a key that is not among `keys` is refused with the nearest one that is. */
export function known(options: unknown, keys: readonly string[], what = "options"): Record<string, unknown> {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ToolSiftError("option_invalid", `${what} must be an object, got ${kind(options)}`);
  }
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (!keys.includes(key)) throw unknown(what, key, keys);
    if (value !== undefined && value !== null) read[key] = value;
  }
  return read;
}

/** A whole number of a range. */
export function whole(key: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || (Number.isFinite(value) && !Number.isInteger(value))) {
    throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a whole number`);
  }
  if (value >= least && value <= most) return value;
  throw new ToolSiftError("limit_out_of_range", `options.${key} is ${value}; ${least} to ${most}`);
}

/** A function; where `optional`, nothing is one too. */
export function callable(key: string, value: unknown, optional = false): void {
  if (typeof value === "function" || (optional && value === undefined)) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a function`);
}

/** One of some names; nothing is one too. */
export function oneOf(key: string, value: unknown, values: readonly string[]): void {
  if (value === undefined || values.includes(value as string)) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be one of ${values.join(", ")}`);
}

/** What must have some methods, whichever copy of the package or realm it comes from. */
export function able(what: string, value: unknown, methods: readonly string[], advice: string): void {
  const missing = methods.find((name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] !== "function");
  if (missing === undefined) return;
  throw new ToolSiftError("option_invalid", `${what} must be ${advice}, got ${kind(value)} without ${missing}`);
}

function unknown(what: string, key: string, keys: readonly string[]): ToolSiftError {
  const [nearest] = [...keys].sort((a, b) => distance(key, a) - distance(key, b));
  const name = JSON.stringify(key.slice(0, 80));
  return new ToolSiftError("option_unknown", `${what} has no ${name}; did you mean ${nearest}?`);
}

/** How many letters must be put in, taken out or changed to make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...from.slice(0, 80)].entries()) {
    const next = [above + 1];
    for (let at = 0; at < to.length; at++) {
      const change = row[at]! + (to[at] === letter ? 0 : 1);
      next.push(Math.min(change, row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
