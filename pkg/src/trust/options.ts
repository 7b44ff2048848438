/** The options of a guard, checked. */

import { ToolSiftError } from "../base/errors.js";
import { anything, oneNameOf, type Shape, shaped } from "../base/shape.js";
import type { ToolPin } from "../types/index.js";
import { isList, kind } from "../base/values.js";

/** Options of `guard()`. */
export interface GuardOptions {
  /**
   * Pins definitions: the first definition of a tool is taken, another one is quarantined until you accept it. `pins()` of an
   * earlier process, where a pinned definition counts as accepted; `false` to take every definition. Default `true`: nothing is
   * pinned yet.
   */
  pins?: boolean | readonly ToolPin[] | undefined;
  /** What happens to a tool with a suspicious text: it is told in the report, or also quarantined. Default `"report"`. */
  suspicious?: "report" | "quarantine" | undefined;
}

const OPTIONS: Shape<GuardOptions> = { pins: anything, suspicious: oneNameOf("report", "quarantine") };

/** The options of `guard`, checked. */
export interface GuardSettings {
  pinning: boolean;
  pins: ToolPin[];
  quarantinesSuspicious: boolean;
}

/** At most so many definitions of a server are pinned; a catalog holds as many tools. */
export const MAX_PINS = 200_000;

/**
 * Checks the options.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function guardSettings(options: GuardOptions): GuardSettings {
  // Nothing in place of what was saved must not open everything.
  if ((Object(options) as { pins?: unknown }).pins === null) pinsOf("options.pins", null);
  const { pins = true, suspicious = "report" } = shaped(options, OPTIONS);
  const saved = typeof pins === "boolean" ? [] : pinsOf("options.pins", pins);
  return { pinning: pins !== false, pins: saved, quarantinesSuspicious: suspicious === "quarantine" };
}

/**
 * Reads a list of pins.
 *
 * @throws ToolSiftError `option_invalid`, `limit_out_of_range`
 */
export function pinsOf(what: string, given: unknown): ToolPin[] {
  if (!isList(given)) throw new ToolSiftError("option_invalid", `${what} is ${kind(given)}; it must be a list of pins`);
  if (given.length > MAX_PINS)
    throw new ToolSiftError("limit_out_of_range", `${what} has ${given.length} pins; at most ${MAX_PINS}`);
  return given.map((one, at) => pinOf(`${what}.${at}`, one));
}

function pinOf(what: string, given: unknown): ToolPin {
  const { server, name, hash, definition, seen } = Object(given) as Partial<ToolPin>;
  if (typeof server === "string" && typeof name === "string" && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash)) {
    // What was saved with it is used whole, or not at all.
    const isWhole = typeof definition === "object" && definition !== null && typeof seen === "string";
    return { server, name, hash, ...(isWhole && { definition, seen }) };
  }
  const wanted = "{ server, name, hash }, with 64 hexadecimal digits of SHA-256";
  throw new ToolSiftError("option_invalid", `${what} is ${kind(given)} that is no pin; a pin is ${wanted}`);
}
