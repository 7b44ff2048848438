/** The parts of a request in the order in which they are drawn, wherever they are. */
import type { Size } from "toolsift";

export type PartName = keyof Size["parts"];

export const PARTS: Record<PartName, { label: string; short: string; meaning: string }> = {
  discovery: { label: "Discovery tools", short: "Discovery", meaning: "with which the model searches and reveals" },
  prompt: { label: "Prompt section", short: "Prompt", meaning: "how the model is told to use them" },
  eager: { label: "Eager tools", short: "Eager", meaning: "never deferred, or pinned" },
  revealed: { label: "Revealed tools", short: "Revealed", meaning: "revealed in this session" },
  stubs: { label: "Stubs", short: "Stubs", meaning: "deferred tools, as the tool list names them" },
  listing: { label: "Listing", short: "Listing", meaning: "deferred tools, as the prompt names them" },
};

export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** The parts that hold something in any of these sizes. */
export function partsInUse(sizes: readonly Size[]): PartName[] {
  return PART_NAMES.filter((part) => sizes.some((size) => size.parts[part].tokens > 0));
}
