/** Writes what MCP servers say of the effects of their tools, for the hosts that ask before a call runs. */

import type { ToolAnnotations } from "../types/index.js";

/** The hints in the order in which the core keeps them. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** A tool or a call of the core: the core keeps all hints of a tool in one number. */
type Numbered<T> = T & { hints?: number };

/** A tool or a call with its hints by name. In the number, a digit of base 3 stands for each: 0 missing, 1 false, 2 true. */
export function annotated<T>(numbered: Numbered<T>): T {
  if (numbered.hints === undefined) return numbered;
  const { hints, ...tool } = numbered;
  const digits = HINTS.map((hint, at) => [hint, Math.floor(hints / 3 ** at) % 3] as const);
  const given = digits.filter(([, digit]) => digit > 0).map(([hint, digit]) => [hint, digit === 2]);
  return { ...tool, annotations: Object.fromEntries(given) as ToolAnnotations } as T;
}
