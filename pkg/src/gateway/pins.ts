/** Pins definitions by their content, and tells new, equal and changed ones apart. Keeps nothing itself. */

import { listOf } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { compared, firstPin } from "../suspicious/compared.js";
import { type Pinned, pinnedHash, pinnedParts } from "../suspicious/pinned.js";
import { MAX_DEPTH } from "../suspicious/walk.js";
import { likePinned, Spellings } from "../suspicious/spellings.js";
import { kind } from "../base/values.js";
import type { Review, ServerTool } from "./types.js";

/** What is pinned, by the name of the tool. */
export type Pins = ReadonlyMap<string, Pinned>;

/** The result of a comparison with pins. */
export interface PinReview extends Review {
  /** The pins as they are from now on, with those of the tools that were seen for the first time. */
  pins: Map<string, Pinned>;
  /** By name, the tools that are as they were pinned, with their pins as they are from now on. */
  known: Map<string, Known>;
  /** By name, the pins of the tools that were seen for the first time. */
  fresh: Map<string, Pinned>;
  /** By name, what would be the pins of the tools whose definition is not the pinned one. */
  changed: Map<string, Pinned>;
}

/** A tool that is as it was pinned. */
export interface Known {
  pin: Pinned;
  /** The places of what was added and is not shown, and what would be the pin with it. */
  added: string[];
  whole: Pinned;
}

/** At most so many tools of a server are pinned; further ones are held. */
const MAX_PINS = 5000;

/** Whether a tool is what a server may list: an object with a name. */
const isTool = (tool: unknown): tool is ServerTool =>
  typeof tool === "object" && tool !== null && typeof (tool as ServerTool).name === "string";

/**
 * Compares a server's tools with the pins. A tool without a pin is pinned and admitted; an equal one is admitted, without what
 * was added to it; a changed one is held, and so is whatever cannot be pinned, or has a name that clients could take for a pinned
 * one. Of a name that is listed twice, the definition that equals the pin is admitted. Changes nothing that it was given.
 *
 * @param server whose name may stand before those of its tools
 */
export async function reviewAgainst(pins: Pins, tools: readonly ServerTool[], server = ""): Promise<PinReview> {
  if (!(pins instanceof Map))
    throw new ToolSiftError("option_invalid", `pins is ${kind(pins)}; it must be a Map of names and pins`);
  return review(new Map(pins), listOf("tools", tools), server);
}

function review(pins: Map<string, Pinned>, tools: readonly ServerTool[], server: string): PinReview {
  const made: PinReview = { admitted: [], held: [], pins, known: new Map(), fresh: new Map(), changed: new Map() };
  const admitted = new Set<string>();
  const spellings = new Spellings(server, pins.keys());
  const hold = (name: string, reason: string): void => void made.held.push({ name, reason });
  for (const tool of tools) {
    if (!isTool(tool)) {
      hold("(no name)", "the server listed a tool without a name");
      continue;
    }
    const { name } = tool;
    const parts = pinnedParts(tool);
    const hash = pinnedHash(parts);
    const pinned = pins.get(name);
    if (hash === undefined) {
      hold(name, `its definition is nested deeper than ${MAX_DEPTH} levels, or too large`);
      continue;
    }
    const whole = firstPin(parts, hash);
    const alike = pinned === undefined ? spellings.like(name) : undefined;
    const same = pinned && compared(pinned, parts, hash);
    if (pinned === undefined && pins.size >= MAX_PINS) {
      hold(name, `${MAX_PINS} tools of this server are pinned already, which is the limit`);
    } else if (alike !== undefined) {
      made.changed.set(name, whole);
      hold(name, likePinned(alike));
    } else if (pinned !== undefined && same === undefined) {
      const twice = made.fresh.has(name);
      if (!twice) made.changed.set(name, whole);
      hold(name, twice ? "the server lists this name twice, with different definitions" : "its definition changed");
    } else {
      pins.set(name, same?.pin ?? whole);
      if (same === undefined) made.fresh.set(name, whole);
      else if (!made.fresh.has(name)) made.known.set(name, { pin: same.pin, added: same.added, whole });
      const isWhole = same === undefined || same.added.length === 0;
      if (!admitted.has(name)) made.admitted.push(isWhole ? tool : { ...tool, ...same.tool });
      admitted.add(name);
    }
  }
  return made;
}
