/** How many tools vendors take in one request, and how a request is made to fit: what was used the longest ago goes first. */

import { ToolSiftError } from "../../errors.js";
import type { Session } from "../../index.js";

/** A vendor's bound. */
export interface ToolLimit {
  vendor: string;
  most: number;
  /** Where the host may say another bound. */
  option?: string;
}

/** What the vendors' documentation says, and their errors. */
export const LIMITS = {
  openai: { vendor: "OpenAI", most: 128, option: "options.maxTools" },
  google: { vendor: "the Gemini API", most: 512 },
  /** Anthropic bounds deferred tools only. */
  anthropicDeferred: { vendor: "the Messages API", most: 10_000 },
} as const satisfies Record<string, ToolLimit>;

/**
 * The session's tools of a request, at most so many that the vendor takes them beside the host's own. Where there are more, the
 * session evicts revealed tools, the least recently used first; the model can find them again.
 *
 * @param own how many tools of the host's own are sent beside
 * @throws ToolSiftError `limit_out_of_range` where the tools that are always there are too many; nothing is evicted then
 */
export function fitted<T>(
  tools: readonly T[],
  own: number,
  session: Session,
  { vendor, most, option }: ToolLimit,
  nameOf: (tool: T) => string | undefined,
): T[] {
  const all = own + tools.length;
  if (all <= most) return [...tools];
  const sent = new Set(tools.map(nameOf));
  // With stubs a tool is sent whether or not it is revealed.
  const isAppended = !["stubs", "short-stubs", "full"].includes(session.settings.disclosure);
  const revealed = isAppended ? session.tools().filter(({ state }) => state === "revealed") : [];
  const sentAs = new Map(revealed.map(({ name, googleName }) => [name, sent.has(name) ? name : googleName]));
  const evictable = [...sentAs.values()].filter((name) => sent.has(name)).length;
  if (all - evictable > most) {
    const parts = `${own} of your own, ${tools.length - evictable} that are always there and ${evictable} revealed`;
    const ways = "hold more of them back (activation, alwaysAvailable, preDiscovered), or narrow the session's scope";
    const other = option === undefined ? "" : `, or say in ${option} how many your vendor takes`;
    throw new ToolSiftError("limit_out_of_range", `${all} tools, ${parts}; ${vendor} takes ${most} at most: ${ways}${other}`);
  }
  const gone = new Set<string | undefined>();
  // Tools that have left the catalog are evicted first, and make no room.
  for (let over = all - most; over > 0; over = all - gone.size - most) {
    const evicted = session.evict({ tools: session.revealed.length - over });
    if (evicted.length === 0) break;
    for (const name of evicted) if (sentAs.has(name)) gone.add(sentAs.get(name));
  }
  return tools.filter((tool) => !gone.has(nameOf(tool)));
}
