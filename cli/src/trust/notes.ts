/** Writes what a review found into the pins of a server, within their bounds. */

import type { Review, ServerTool } from "toolsift/gateway";
import { compared, type PinReview } from "toolsift/internal";
import { differenceOf } from "./difference.js";
import { MAX_PINNED_BYTES, type Pinned, type PinFile } from "./store.js";

/** What is pinned. A tool that waits without a pin keeps one that no definition has, so that it is not pinned as new. */
export function pinsIn({ tools }: PinFile): Map<string, Pinned> {
  return new Map([...tools.values()].map(({ name, pinned }) => [name, pinned ?? { hash: "", seen: "" }]));
}

/** A review of a server's tools, and whether it changed the pins. */
export interface Noted {
  review: Review;
  changed: boolean;
  /** What a person is told of tools that are used. */
  told: Told[];
}

/** A tool that is new, has counts that shift, or has more than is pinned, at some places, and is used with less. */
export interface Told {
  name: string;
  what: "new" | "shifting" | "grown";
  places?: string[];
}

/**
 * Writes a review into the pins: new tools are pinned unless they wait, changed ones wait, and one that is as it was no longer
 * waits. What was added to a tool waits, while the tool is used without it.
 */
export function note(
  pins: PinFile,
  { admitted, held, known, fresh, changed }: PinReview,
  waits: (name: string) => boolean = () => false,
): Noted {
  const kept = room(pins);
  const told: Noted["told"] = [];
  const full = new Set<string>();
  // Whether a list of this server was ever read.
  const isKnown = pins.tools.size > 0;
  let writes = 0;
  const wait = (name: string, next: Pinned): void => {
    const entry = pins.tools.get(name) ?? { name };
    const { waiting } = entry;
    const same = waiting && compared(waiting, next.definition!, next.hash);
    // Who looks at it now approves it in a moment: counts and times that shift meanwhile make no other definition of it.
    const now = same && same.added.length === 0 ? { ...same.pin, hash: waiting.hash, seen: waiting.seen } : next;
    if (waiting !== undefined && isSame(waiting, now as Pinned)) return;
    delete entry.waiting;
    entry.waiting = kept(now as Pinned);
    pins.tools.set(name, entry);
    writes += 1;
  };
  for (const { name } of admitted) {
    const entry = pins.tools.get(name);
    if (entry?.waiting === undefined || (known.get(name)?.added.length ?? 0) > 0) continue;
    delete entry.waiting;
    writes += 1;
  }
  for (const [name, { pin, added, whole }] of known) {
    const entry = pins.tools.get(name);
    if (entry?.pinned === undefined) continue;
    const { shifting = [] } = entry.pinned;
    const isNew = pin.shifting?.some((place) => !shifting.includes(place)) === true;
    if (isNew) told.push({ name, what: "shifting" });
    if (!isSame(entry.pinned, pin as Pinned)) {
      entry.pinned = kept(pin as Pinned);
      writes += 1;
    }
    if (added.length === 0) continue;
    told.push({ name, what: "grown", places: added });
    wait(name, whole as Pinned);
  }
  for (const [name, first] of fresh) {
    const pinned = kept(first as Pinned);
    if (pinned.definition === undefined) full.add(name);
    else if (waits(name)) pins.tools.set(name, { name, waiting: pinned });
    else pins.tools.set(name, { name, pinned });
    if (isKnown && !full.has(name) && !waits(name)) told.push({ name, what: "new" });
  }
  for (const [name, next] of changed) wait(name, next as Pinned);
  const reason = `the pinned definitions of this server take ${MAX_PINNED_BYTES} bytes, which is the limit`;
  const quarantined = [...fresh.keys()].filter((name) => waits(name) && !full.has(name));
  const review = {
    admitted: admitted.filter(({ name }) => !full.has(name) && !quarantined.includes(name)),
    held: [
      ...withReasons(pins, [...held, ...quarantined.map((name) => ({ name, reason: "" }))]),
      ...[...full].map((name) => ({ name, reason })),
    ],
  };
  return { review, changed: writes > 0 || fresh.size > full.size, told };
}

/** Whether nothing has to be written. */
function isSame(one: Pinned, other: Pinned): boolean {
  const { hash, seen, readings, shifting = [] } = one;
  const isLike = hash === other.hash && seen === other.seen && readings === other.readings;
  if (!isLike || shifting.join("\n") !== (other.shifting ?? []).join("\n")) return false;
  const { definition: before } = one;
  return before === undefined || other.definition === undefined || differenceOf(before, other.definition).length === 0;
}

/** Makes all tools wait for approval, for a server whose pins are lost. */
export function allWaiting(pins: PinFile, { fresh }: PinReview): void {
  const kept = room(pins);
  for (const [name, first] of fresh) pins.tools.set(name, { name, waiting: kept(first as Pinned) });
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
function room(pins: PinFile): (one: Pinned) => Pinned {
  const sizeOf = (definition: ServerTool | undefined): number =>
    definition ? Buffer.byteLength(JSON.stringify(definition)) : 0;
  let taken: number | undefined;
  return ({ definition, ...rest }) => {
    taken ??= [...pins.tools.values()]
      .flatMap(({ pinned, waiting }) => [pinned, waiting])
      .reduce((sum, one) => sum + sizeOf(one?.definition), 0);
    const size = sizeOf(definition);
    if (definition === undefined || taken + size > MAX_PINNED_BYTES) return rest;
    taken += size;
    return { ...rest, definition };
  };
}

/** The approved hashes, as one text to compare. */
export const approvedIn = ({ tools }: PinFile): string =>
  [...tools.values()].map(({ name, pinned }) => `${JSON.stringify(name)} ${pinned?.hash ?? ""}`).join("\n");
