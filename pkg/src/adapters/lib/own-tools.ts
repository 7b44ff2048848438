/** Finds your program's tools that are not in the catalog: they are sent with the session's, and run without it. */

import { ToolSiftError } from "../../base/errors.js";
import type { ModelCall, ModelRequest, ToolInfo } from "../../index.js";
import { isSame, twoTools } from "./same.js";

/**
 * Returns your program's tools that are sent in addition to the session's. A tool that is also in the catalog is left out,
 * even if the session may not see it; it is sent when it is loaded. A different tool with the name of a catalog's tool is
 * sent only if the session may not see the catalog's tool. Tools without a name (a vendor's hosted tools) are always sent.
 *
 * @param nameOf returns the name by which the model calls a tool, if it has one
 * @throws ToolSiftError `option_conflict` for a tool that has the name of a discovery tool, or of a different tool that the
 *   session may see
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
  // Your program's own tool would run under its original name, even if the model knows it by another name.
  for (const info of all) if (info.server === null) catalog.set(info.originalName, info);
  const sent = new Set(tools.map(nameOf));
  return own.filter((tool) => {
    const name = nameOf(tool);
    if (name === undefined) return true;
    const info = catalog.get(name);
    if (info !== undefined) {
      if (isSame(tool, info, session.definition(info))) return false;
      if (info.state !== "hidden") throw twoTools(`your own tool ${name}`, info);
      return true;
    }
    if (!sent.has(name)) return true;
    throw new ToolSiftError("option_conflict", `your own tool ${name} has the name of a discovery tool`);
  });
}

/**
 * Returns the calls. Calls of your program's own tools are marked; they run without a decision of the session.
 *
 * @param own the result of `beside` for the request that the calls reply to
 */
export function markOwn<T>(
  calls: readonly ModelCall[],
  own: readonly T[],
  nameOf: (tool: T) => string | undefined,
): ModelCall[] {
  const names = new Set(own.map(nameOf).filter((name) => name !== undefined));
  return calls.map((call) => (names.has(call.name) ? { ...call, own: { server: null } } : call));
}
