/** Registers a host's own tools that the catalog lacks: all of them, or none. */

import { ToolSiftError } from "../../errors.js";
import type { ToolSift } from "../../index.js";

/** A tool of the host's own as it would be registered. */
export interface OwnDefinition {
  name: string;
  description?: string;
  inputSchema: object;
}

/**
 * Registers the tools whose names the catalog lacks, without a server.
 *
 * @param place where the host passed a tool, for the error
 * @throws ToolSiftError what is wrong with the first tool that is refused; nothing is registered then
 */
export function registerMissing(
  sift: ToolSift,
  tools: readonly OwnDefinition[],
  place: (name: string) => string,
): void {
  const known = new Set(sift.tools().map(({ name }) => name));
  const missing = tools.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  const { registered, rejected } = sift.register(missing);
  const [broken] = rejected;
  if (broken === undefined) return;
  if (registered.length > 0) sift.unregister({ names: registered });
  throw new ToolSiftError(broken.code, `${place(broken.name.slice(0, 80))}: ${broken.message}`);
}
