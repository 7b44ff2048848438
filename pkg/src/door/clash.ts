/** Refuses tools of one call with the name of another tool: the model would see one of them, and the other would run. */

import { ToolSiftError } from "../base/errors.js";
import type { ToolSift } from "../core/sift.js";

/**
 * Refuses a tool of the settings that has the name of another tool of the catalog.
 *
 * @param given the tools of the settings, by name
 * @param known the tools that your program has already registered; the same tool again is no clash
 * @throws ToolSiftError `option_conflict`
 */
export function refuseClash(
  sift: Pick<ToolSift, "tools">,
  given: readonly (readonly [name: string, tool: unknown])[],
  known: readonly unknown[],
): void {
  const others = given.filter(([, tool]) => !known.includes(tool));
  if (others.length === 0) return;
  const servers = new Map(sift.tools().map(({ name, server }) => [name, server]));
  const [name] = others.find(([name]) => servers.has(name)) ?? [];
  if (name === undefined) return;
  const server = servers.get(name);
  const owner = server === null ? "one without a server" : `one of the server ${server}`;
  const way = "pass it to toolsift({ tools }) instead, which keeps its name, or rename it";
  const named = `settings.tools.${name.slice(0, 80)} has the name of another tool, ${owner}`;
  throw new ToolSiftError("option_conflict", `${named}; ${way}`);
}
