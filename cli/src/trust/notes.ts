/** Writes what a review found into the pins of a server, within their bounds. */

import type { Review, ServerTool } from "toolsift/gateway";
import type { PinReview, PinnedTool } from "toolsift/internal";
import { differenceOf } from "./difference.js";
import { MAX_PINNED_BYTES, type Pinned, type PinFile } from "./store.js";

/** The pinned hashes. A tool that waits without a pin keeps an impossible hash, so that it is not pinned as new. */
export function hashesOf({ tools }: PinFile): Map<string, string> {
  return new Map([...tools.values()].map(({ name, pinned }) => [name, pinned?.hash ?? ""]));
}

/** A review of a server's tools, and whether it changed the pins. */
export interface Noted {
  review: Review;
  changed: boolean;
  /** What changes by itself, and where: it is not held. */
  shifting: { name: string; where: string[] }[];
}

/**
 * Writes a review into the pins: new tools are pinned unless they wait, changed ones wait, and one that is as it was no longer
 * waits.
 */
export function note(
  pins: PinFile,
  { admitted, held, known, fresh, changed }: PinReview,
  waits: (name: string) => boolean = () => false,
): Noted {
  const kept = room(pins);
  const shifting: Noted["shifting"] = [];
  const full = new Set<string>();
  let writes = 0;
  for (const { name } of admitted) {
    const entry = pins.tools.get(name);
    if (entry?.waiting === undefined) continue;
    delete entry.waiting;
    writes += 1;
  }
  for (const [name, tool] of known) {
    const entry = pins.tools.get(name);
    if (entry?.pinned?.definition === undefined) continue;
    const { definition, hash, seen } = entry.pinned;
    const where = differenceOf(definition, tool.definition).map((change) => change.where);
    if (where.length > 0) shifting.push({ name, where });
    else if (hash === tool.hash) continue;
    entry.pinned = { ...kept(tool), seen };
    writes += 1;
  }
  for (const [name, tool] of fresh) {
    const first = kept(tool);
    if (first.definition === undefined) full.add(name);
    else if (waits(name)) pins.tools.set(name, { name, waiting: first });
    else pins.tools.set(name, { name, pinned: first });
  }
  for (const [name, tool] of changed) {
    const entry = pins.tools.get(name) ?? { name };
    const { waiting } = entry;
    // It is shown as it is now, also where only values changed that change by themselves.
    const isSame = waiting?.definition === undefined || differenceOf(waiting.definition, tool.definition).length === 0;
    if (waiting?.hash === tool.hash && isSame) continue;
    delete entry.waiting;
    entry.waiting = kept(tool);
    if (waiting?.hash === tool.hash) entry.waiting.seen = waiting.seen;
    pins.tools.set(name, entry);
    writes += 1;
  }
  const reason = `the pinned definitions of this server take ${MAX_PINNED_BYTES} bytes, which is the limit`;
  const quarantined = [...fresh.keys()].filter((name) => waits(name) && !full.has(name));
  const review = {
    admitted: admitted.filter(({ name }) => !full.has(name) && !quarantined.includes(name)),
    held: [
      ...withReasons(pins, [...held, ...quarantined.map((name) => ({ name, reason: "" }))]),
      ...[...full].map((name) => ({ name, reason })),
    ],
  };
  return { review, changed: writes > 0 || fresh.size > full.size, shifting };
}

/** Makes all tools wait for approval, for a server whose pins are lost. */
export function allWaiting(pins: PinFile, { fresh }: PinReview): void {
  const kept = room(pins);
  for (const [name, tool] of fresh) pins.tools.set(name, { name, waiting: kept(tool) });
}

/** Names the reason of tools that were never approved. */
function withReasons({ tools }: PinFile, held: Review["held"]): Review["held"] {
  const lost = "it is not approved yet";
  return held.map((one) => {
    const entry = tools.get(one.name);
    return entry && !entry.pinned ? { ...one, reason: lost } : one;
  });
}

/** Keeps definitions as long as there is room in the file for them; further ones are kept as their hash. */
function room(pins: PinFile): (tool: PinnedTool) => Pinned {
  const sizeOf = (definition: ServerTool | undefined): number =>
    definition ? Buffer.byteLength(JSON.stringify(definition)) : 0;
  let taken: number | undefined;
  return ({ definition, hash }) => {
    taken ??= [...pins.tools.values()]
      .flatMap(({ pinned, waiting }) => [pinned, waiting])
      .reduce((sum, one) => sum + sizeOf(one?.definition), 0);
    const seen = new Date().toISOString();
    const size = sizeOf(definition);
    if (taken + size > MAX_PINNED_BYTES) return { hash, seen };
    taken += size;
    return { hash, seen, definition };
  };
}

/** The approved hashes, as one text to compare. */
export const approvedIn = ({ tools }: PinFile): string =>
  [...tools.values()].map(({ name, pinned }) => `${JSON.stringify(name)} ${pinned?.hash ?? ""}`).join("\n");
