/** What adapters ask of a catalog, and of the discovery tools beside it. */

import type { ToolInfo, ToolSift } from "../../index.js";

const read = new WeakMap<ToolSift, { revision: number; tools: ReadonlyMap<string, ToolInfo> }>();

/** The tools of a catalog by the names that models see. Adapters ask often, and the catalog changes rarely. */
export function toolsByName(sift: ToolSift): ReadonlyMap<string, ToolInfo> {
  const { revision } = sift;
  const before = read.get(sift);
  if (before?.revision === revision) return before.tools;
  const tools = new Map(sift.tools().map((tool) => [tool.name, tool]));
  read.set(sift, { revision, tools });
  return tools;
}

/** Whether a discovery tool calls others: then it takes their arguments. */
export function isBridge(schema: object | undefined): boolean {
  return "arguments" in (Object((schema as { properties?: object } | undefined)?.properties) as object);
}
