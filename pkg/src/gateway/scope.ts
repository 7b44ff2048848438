/** Tells which servers a client's scope covers. */

import type { View } from "./catalog.js";

/** Whether a client knows of a server: of some of its tools at least. */
export function sees({ scope }: View, server: string): boolean {
  if (seesWhole({ scope }, server)) return true;
  return scope !== "all" && (scope.tools ?? []).some((tool) => tool.startsWith(`${server}:`));
}

/** Whether everything of a server is in a client's scope: prompts, resources and logs are not told apart by tools. */
export function seesWhole({ scope }: Pick<View, "scope">, server: string): boolean {
  if (scope === "all") return true;
  return (scope.servers ?? []).includes(server) || (scope.tools ?? []).includes(`${server}:*`);
}
