/** Reads a catalog, its sessions and its discovery tools for adapters. */

import { requireMethods } from "../../checks.js";
import type { RankOptions, Session, ToolInfo, ToolSift } from "../../index.js";
import { rankOf } from "../../loop/rank.js";
import { type Shape, shaped } from "../../shape.js";
import type { Defined } from "../../types/defined.js";

/**
 * The options of an adapter that works on a catalog of the host's.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function optionsFor<O extends RankOptions>(sift: ToolSift, options: O, shape: Shape<O>): Defined<O> {
  requireMethods("sift", sift, ["session", "register", "tools"], "a ToolSift");
  const valid = shaped(options, shape);
  rankOf(valid, () => sift.settings);
  return valid;
}

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
