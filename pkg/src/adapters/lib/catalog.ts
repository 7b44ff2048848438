/** Reads a catalog, its sessions and its discovery tools for adapters. */

import { requireMethods } from "../../base/checks.js";
import type { RankOptions, Session, ToolInfo, ToolSift } from "../../index.js";
import { rankOf } from "../../loop/rank.js";
import { type Shape, shaped } from "../../base/shape.js";
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

const read = new WeakMap<ToolSift, { revision: number; tools: ReadonlyMap<string, ToolInfo> }>();

/** The shared tools, by the names that a model sees. Adapters ask often, and the catalog changes rarely. */
export function toolsByName(sift: ToolSift): ReadonlyMap<string, ToolInfo> {
  const { revision } = sift;
  const before = read.get(sift);
  if (before?.revision === revision) return before.tools;
  const tools = new Map(sift.tools().map((tool) => [tool.name, tool]));
  read.set(sift, { revision, tools });
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
