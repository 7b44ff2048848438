/** What of a definition costs tokens: all of it, what it says, or its parameters. */
import type { ToolInfo } from "toolsift";
import { tokensOf } from "./numbers.ts";

export type CostPart = "total" | "description" | "schema";

export const COST_PARTS: Record<CostPart, string> = {
  total: "whole definition",
  description: "description",
  schema: "schema",
};

/** Characters of a definition that are neither a text nor the schema: keys, quotes and braces. */
const FRAME = 44;

export function costOf(tool: ToolInfo, part: CostPart): number {
  if (part === "total") return tool.tokens;
  const description = tokensOf(tool.description);
  if (part === "description") return description;
  return Math.max(0, tool.tokens - description - Math.ceil((tool.originalName.length + FRAME) / 4));
}
