/** Decodes MCP's hints on the effects of tools, for programs that ask a person before a call runs. */

import type { ToolAnnotations } from "../types/index.js";

/** The hints in the order in which the core stores them. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** A tool or a call of the core, which stores all hints of a tool in one number. */
type Numbered<T> = T & { hints?: number };

/**
 * Returns a tool or a call with its hints by name. Each hint is a base-3 digit of the number: 0 missing, 1 false, 2 true.
 */
export function annotated<T>(numbered: Numbered<T>): T {
  if (numbered.hints === undefined) return numbered;
  const { hints, ...tool } = numbered;
  const digits = HINTS.map((hint, at) => [hint, Math.floor(hints / 3 ** at) % 3] as const);
  const given = digits.filter(([, digit]) => digit > 0).map(([hint, digit]) => [hint, digit === 2]);
  return { ...tool, annotations: Object.fromEntries(given) as ToolAnnotations } as T;
}
