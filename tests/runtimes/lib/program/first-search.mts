/** The program that measures a start: a catalog and a search. */

import type { ToolDefinition, ToolSift as Sift } from "toolsift";

/** Answers how many tools were found; `tools` holds the tools of each server. */
export function firstSearch(ToolSift: typeof Sift, tools: Record<string, ToolDefinition[]>): number {
  const sift = new ToolSift();
  for (const [server, list] of Object.entries(tools)) sift.register(list, { server });
  return sift.search("read the contents of a file").hits.length;
}
