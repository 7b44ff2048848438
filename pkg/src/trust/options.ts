/** The options of a guard, and their checks. */

import { ToolSiftError } from "../base/errors.js";
import { anything, oneNameOf, type Shape, shaped } from "../base/shape.js";
import type { ToolPin } from "../types/index.js";
import { isList, kind } from "../base/values.js";

/** Options of `guard()`. */
export interface GuardOptions {
  /**
   * Pins definitions: the first definition of a tool is used, and another one is quarantined until you accept it. Pass
   * `pins()` of an earlier process to keep its pinned and accepted definitions, or `false` to use every definition. Default
   * `true`: nothing is pinned at the start.
   */
  pins?: boolean | readonly ToolPin[] | undefined;
  /** The effect of a suspicious text on its tool: it is only reported, or also quarantined. Default `"report"`. */
  suspicious?: "report" | "quarantine" | undefined;
}

const OPTIONS: Shape<GuardOptions> = { pins: anything, suspicious: oneNameOf("report", "quarantine") };

/** The checked options of `guard`. */
export interface GuardSettings {
  pinning: boolean;
  pins: ToolPin[];
  quarantinesSuspicious: boolean;
}

/** The maximum number of pinned definitions of one server: as many as a catalog may have tools. */
export const MAX_PINS = 200_000;

/**
 * Checks the options.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function guardSettings(options: GuardOptions): GuardSettings {
  // A missing file of saved pins must not lead to a guard that accepts everything.
  if ((Object(options) as { pins?: unknown }).pins === null) pinsOf("options.pins", null);
  const { pins = true, suspicious = "report" } = shaped(options, OPTIONS);
  const saved = typeof pins === "boolean" ? [] : pinsOf("options.pins", pins);
  return { pinning: pins !== false, pins: saved, quarantinesSuspicious: suspicious === "quarantine" };
}

/**
 * Checks a list of pins.
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
    // The saved `definition` and `seen` are used together or not at all.
    const isWhole = typeof definition === "object" && definition !== null && typeof seen === "string";
    return { server, name, hash, ...(isWhole && { definition, seen }) };
  }
  const wanted = "{ server, name, hash }, with 64 hexadecimal digits of SHA-256";
  throw new ToolSiftError("option_invalid", `${what} is ${kind(given)} that is no pin; a pin is ${wanted}`);
}
