/** What a request holds, in the order in which it is drawn, and what everything that is drawn is called, wherever it is. */
import type { Size } from "toolsift";
import { STATES } from "./states.ts";

export type PartName = keyof Size["parts"];

const PARTS: Record<PartName, { label: string; meaning: string }> = {
  discovery: { label: "search tools", meaning: "what toolsift adds: the model searches with them, and loads what it found" },
  prompt: { label: "instructions", meaning: "lines of the system prompt that say how to search" },
  eager: STATES.eager,
  revealed: STATES.revealed,
  stubs: { label: "without parameters", meaning: "deferred tools, in the tool list without their parameters" },
  listing: {
    label: "list of deferred tools",
    meaning: "lines of the system prompt that name deferred tools, or their servers",
  },
};

/** Every look of a block. */
export const LOOKS = {
  deferred: STATES.deferred,
  found: { label: "found", meaning: "the last search names it" },
  ...PARTS,
  pinned: STATES.pinned,
  hidden: STATES.hidden,
  sent: { label: "sent", meaning: "in full in every request" },
  messages: { label: "messages", meaning: "all that was said, called and answered before" },
};

export type Look = keyof typeof LOOKS;

/** The parts that hold something in any of these sizes. */
export function partsInUse(sizes: readonly Size[]): PartName[] {
  return (Object.keys(PARTS) as PartName[]).filter((part) => sizes.some((size) => size.parts[part].tokens > 0));
}
