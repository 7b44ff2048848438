/** Reads a catalog, its sessions and its discovery tools for adapters. */

import type { Session, ToolInfo, ToolSift } from "../../index.js";

const read = new WeakMap<ToolSift | Session, { revision: number; tools: ReadonlyMap<string, ToolInfo> }>();

/**
 * The tools that there are for a session, by the names that its model sees; some may be outside its scope. Without a
 * session, the shared tools. A tool whose `own` is true is not the one that the host has under this name. Adapters ask
 * often, and the catalog changes rarely.
 */
export function toolsByName(sift: ToolSift, session?: Session): ReadonlyMap<string, ToolInfo> {
  const source = session?.hasOwn ? session : sift;
  const { revision } = sift;
  const before = read.get(source);
  if (before?.revision === revision) return before.tools;
  const tools = new Map(source.tools().map((tool) => [tool.name, tool]));
  read.set(source, { revision, tools });
  return tools;
}

/** Whether a session is unused: it has made no request and revealed nothing. */
export function isNew(session: Session): boolean {
  const { turn, revealed } = session.snapshot();
  return turn === 0 && revealed.length === 0;
}

/** Whether a discovery tool calls others: then it takes their arguments. */
export function isBridge(schema: object | undefined): boolean {
  return "arguments" in (Object((schema as { properties?: object } | undefined)?.properties) as object);
}
