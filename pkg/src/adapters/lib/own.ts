/** Which tools of the host's own stand beside the session's? Those that the catalog does not have. */

import { ToolSiftError } from "../../errors.js";
import type { ModelRequest } from "../../index.js";

/**
 * The host's own tools that are sent beside the session's. A tool that the catalog has too is the catalog's, and comes
 * when it is revealed; what has no name of its own (a vendor's hosted tools) always stays.
 *
 * @param nameOf the name by which the model calls a tool, if it has one
 * @throws ToolSiftError `option_conflict` for a tool that is called as a discovery tool is
 */
export function beside<T>(
  own: readonly T[],
  { tools, session }: Pick<ModelRequest, "tools" | "session">,
  nameOf: (tool: T) => string | undefined,
): T[] {
  if (!own.some((tool) => nameOf(tool) !== undefined)) return [...own];
  const catalog = new Set(session.tools().map(({ name }) => name));
  const sent = new Set(tools.map((tool) => nameOf(tool as T)));
  return own.filter((tool) => {
    const name = nameOf(tool);
    if (name === undefined) return true;
    if (catalog.has(name)) return false;
    if (!sent.has(name)) return true;
    throw new ToolSiftError("option_conflict", `params.tools has ${name}, which is the name of a discovery tool`);
  });
}
