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

/** Punctuation between definitions belongs to no part of the core's: on the page it is part of the first of these. */
const PUNCTUATED: readonly PartName[] = ["revealed", "stubs", "eager", "discovery"];

/** Tokens of each part; together they are those of the request. */
export function partTokens({ parts, request }: Size): Record<PartName, number> {
  const names = Object.keys(PARTS) as PartName[];
  const tokens = Object.fromEntries(names.map((part) => [part, parts[part].tokens])) as Record<PartName, number>;
  const rest = request.tokens - names.reduce((sum, part) => sum + tokens[part], 0);
  const last = PUNCTUATED.find((part) => parts[part].tools > 0);
  return last === undefined ? tokens : { ...tokens, [last]: tokens[last] + rest };
}

/** The parts that hold something in any of these sizes. */
export function partsInUse(sizes: readonly Size[]): PartName[] {
  return (Object.keys(PARTS) as PartName[]).filter((part) => sizes.some((size) => size.parts[part].tokens > 0));
}
