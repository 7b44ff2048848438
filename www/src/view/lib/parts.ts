/** The parts of a request in the order in which they are drawn, wherever they are. */
import type { Size } from "toolsift";

export type PartName = keyof Size["parts"];

export const PARTS: Record<PartName, { label: string; short: string; meaning: string }> = {
  discovery: { label: "Discovery tools", short: "Discovery", meaning: "what the model searches and loads with" },
  prompt: { label: "Prompt section", short: "Prompt", meaning: "how the model is told to use them" },
  eager: { label: "Always sent", short: "Always", meaning: "never held back, or pinned" },
  revealed: { label: "Revealed", short: "Revealed", meaning: "found and loaded in this session" },
  stubs: { label: "Stubs", short: "Stubs", meaning: "held back, but named in the tool list" },
  listing: { label: "Listing", short: "Listing", meaning: "held back, but named in the prompt" },
};

export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** The parts that hold something in any of these sizes. */
export function partsInUse(sizes: readonly Size[]): PartName[] {
  return PART_NAMES.filter((part) => sizes.some((size) => size.parts[part].tokens > 0));
}
