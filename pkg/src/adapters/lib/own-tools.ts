/** Finds the host's own tools that stand beside the session's and run without asking it: those that the catalog lacks. */

import { ToolSiftError } from "../../base/errors.js";
import type { ModelCall, ModelRequest, ToolInfo } from "../../index.js";
import { definitionsIn, isSame, twoTools } from "./same.js";

/**
 * The host's own tools that are sent beside the session's. A tool that the catalog has too is the catalog's, also where
 * the session may not see it, and comes when it is revealed. A different tool of the same name stays where the session may
 * not see the catalog's. What has no name of its own (a vendor's hosted tools) always stays.
 *
 * @param nameOf the name by which the model calls a tool, if it has one
 * @throws ToolSiftError `option_conflict` for a tool that is called as a discovery tool is, or as a different tool that the
 * session may see
 */
export function beside<T extends object>(
  own: readonly T[],
  { tools, session }: { tools: readonly T[] } & Pick<ModelRequest, "session">,
  nameOf: (tool: T) => string | undefined,
): T[] {
  const names = own.map(nameOf).filter((name) => name !== undefined);
  if (names.length === 0) return [...own];
  const all = [...session.named(names).values()];
  const namesOf = ({ name, googleName }: ToolInfo) => [googleName ?? name, name];
  const catalog = new Map(all.flatMap((info) => namesOf(info).map((name) => [name, info] as const)));
  // A tool of the host's own would run as this one, whatever the model calls it.
  for (const info of all) if (info.server === null) catalog.set(info.originalName, info);
  const lookUp = definitionsIn(session, tools);
  const sent = new Set(tools.map(nameOf));
  return own.filter((tool) => {
    const name = nameOf(tool);
    if (name === undefined) return true;
    const info = catalog.get(name);
    if (info !== undefined) {
      if (isSame(tool, info, lookUp)) return false;
      if (info.state !== "hidden") throw twoTools(`your own tool ${name}`, info);
      return true;
    }
    if (!sent.has(name)) return true;
    throw new ToolSiftError("option_conflict", `your own tool ${name} has the name of a discovery tool`);
  });
}

/**
 * The calls, those of the host's own tools marked as such: they are run without asking the session.
 *
 * @param own what `beside` left of the host's tools in the request that the calls reply to
 */
export function markOwn<T>(
  calls: readonly ModelCall[],
  own: readonly T[],
  nameOf: (tool: T) => string | undefined,
): ModelCall[] {
  const names = new Set(own.map(nameOf).filter((name) => name !== undefined));
  return calls.map((call) => (names.has(call.name) ? { ...call, own: { server: null } } : call));
}
