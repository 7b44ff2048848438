/** The parts that both vendors share. */

import type { Fields } from "../../wire/fields.js";

/** A request for the vendor's own tool search, as one of ordinary tools. */
export interface Translated {
  /** The body. */
  text: string;
  /** The tools that toolsift's search does not hold back; undefined where the client searches by itself, and all are there. */
  always: string[] | undefined;
  /** A whole reply in the client's words; without it, replies need no change. */
  reply?: (reply: Fields) => Fields;
  /** Rewrites a stream in the same way, of which an event has so many characters at most. */
  stream?: (most: number) => TransformStream<Uint8Array, Uint8Array>;
}

/** What a client's own search has found, as the backend's model reads it. */
export function foundText(names: readonly string[]): string {
  if (names.length === 0) return "No tool matches.";
  return `Loaded. Call them from your next step on:\n${names.map((name) => `- ${name}`).join("\n")}`;
}

/** A tool without what belongs to tool search. */
export function backendTool({ defer_loading: _, allowed_callers, ...tool }: Fields): Fields {
  const callers = Array.isArray(allowed_callers) ? allowed_callers.filter((caller) => caller !== "direct") : [];
  return callers.length > 0 ? { ...tool, allowed_callers } : tool;
}
