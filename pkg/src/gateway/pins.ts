/** Pins definitions by their content, and tells new, equal and changed ones apart. Keeps nothing itself. */

import { listOf } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import { isPinned, pinnedHash, pinnedParts } from "../suspicious/pinned.js";
import { MAX_DEPTH } from "../suspicious/walk.js";
import { likePinned, Spellings } from "../suspicious/spellings.js";
import { kind } from "../values.js";
import type { Review, ServerTool } from "./types.js";

/** The hash of the definition that was seen first, by the name of the tool. */
export type Pins = ReadonlyMap<string, string>;

/** The parts of a definition that are pinned, and their hash. */
export interface PinnedTool {
  definition: ServerTool;
  hash: string;
}

/** The result of a comparison with pins. */
export interface PinReview extends Review {
  /** The pins with those of the tools that were seen for the first time. */
  pins: Map<string, string>;
  /** By name, the tools that are as they were pinned, but for values that change by themselves. */
  known: Map<string, PinnedTool>;
  /** By name, the tools that were seen for the first time. */
  fresh: Map<string, PinnedTool>;
  /** By name, the tools whose definition is not the pinned one. */
  changed: Map<string, PinnedTool>;
}

/** At most so many tools of a server are pinned; further ones are held. */
const MAX_PINS = 5000;

/** Whether a tool is what a server may list: an object with a name. */
const isTool = (tool: unknown): tool is ServerTool =>
  typeof tool === "object" && tool !== null && typeof (tool as ServerTool).name === "string";

/**
 * Compares a server's tools with the pins. A tool without a pin is pinned and admitted; an equal one is admitted; a
 * changed one is held, and so is whatever cannot be pinned, or has a name that clients could take for a pinned one. Of a name
 * that is listed twice, the definition that equals the pin is admitted. Changes nothing that it was given.
 *
 * @param server whose name may stand before those of its tools
 */
export async function reviewAgainst(pins: Pins, tools: readonly ServerTool[], server = ""): Promise<PinReview> {
  if (!(pins instanceof Map))
    throw new ToolSiftError("option_invalid", `pins is ${kind(pins)}; it must be a Map of names and hashes`);
  return review(new Map(pins), listOf("tools", tools), server);
}

function review(known: Map<string, string>, tools: readonly ServerTool[], server: string): PinReview {
  const made: PinReview = { admitted: [], held: [], pins: known, known: new Map(), fresh: new Map(), changed: new Map() };
  const admitted = new Set<string>();
  const spellings = new Spellings(server, known.keys());
  const hold = (name: string, reason: string): void => void made.held.push({ name, reason });
  for (const tool of tools) {
    if (!isTool(tool)) {
      hold("(no name)", "the server listed a tool without a name");
      continue;
    }
    const { name } = tool;
    const definition = pinnedParts(tool);
    const hash = pinnedHash(definition);
    const alike = known.has(name) ? undefined : spellings.like(name);
    if (hash === undefined) hold(name, `its definition is nested deeper than ${MAX_DEPTH} levels, or too large`);
    else if (!known.has(name) && known.size >= MAX_PINS) {
      hold(name, `${MAX_PINS} tools of this server are pinned already, which is the limit`);
    } else if (known.has(name) && !isPinned(known.get(name)!, definition, hash)) {
      const twice = made.fresh.has(name);
      if (!twice) made.changed.set(name, { definition, hash });
      hold(name, twice ? "the server lists this name twice, with different definitions" : "its definition changed");
    } else if (alike !== undefined) {
      made.changed.set(name, { definition, hash });
      hold(name, likePinned(alike));
    } else {
      if (!known.has(name)) made.fresh.set(name, { definition, hash });
      else if (!made.fresh.has(name)) made.known.set(name, { definition, hash });
      known.set(name, hash);
      if (!admitted.has(name)) made.admitted.push(tool);
      admitted.add(name);
    }
  }
  return made;
}
