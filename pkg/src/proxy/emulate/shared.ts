/** The parts that the emulations of both vendors share. */

import type { Fields } from "../../wire/fields.js";

/** A request for the vendor's own tool search, rewritten to ordinary tools. */
export interface Translated {
  /** The body, as JSON. */
  text: string;
  /** The tools that toolsift never defers; undefined if the client searches itself: then no tool is deferred. */
  always: string[] | undefined;
  /** Rewrites a whole reply for the client. If it is undefined, replies need no change. */
  reply?: (reply: Fields) => Fields;
  /** Resolves when the tools that the rewritten replies have loaded are saved. */
  saved?: () => Promise<void>;
  /** Rewrites a stream in the same way; `most` is the maximum length of an event in characters. */
  stream?: (most: number) => TransformStream<Uint8Array, Uint8Array>;
}

/** Returns the result of a client's own search as text for the backend's model. */
export function foundText(names: readonly string[]): string {
  if (names.length === 0) return "No tool matches.";
  return `Loaded. Call them from your next step on:\n${names.map((name) => `- ${name}`).join("\n")}`;
}

/** Removes the fields of tool search from a tool. */
export function backendTool({ defer_loading: _, allowed_callers, ...tool }: Fields): Fields {
  const callers = Array.isArray(allowed_callers) ? allowed_callers.filter((caller) => caller !== "direct") : [];
  return callers.length > 0 ? { ...tool, allowed_callers } : tool;
}
