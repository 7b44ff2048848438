/** Reads from the messages what a conversation has revealed: the middleware's own mark, and the calls made since. */

import type { Message } from "./types.js";

/** The middleware's place in the metadata of a reply. */
export const KEY = "toolsift";

/** The names, in the order of their reveal. */
export function revealedIn(prompt: readonly Message[]): string[] {
  let names = new Set<string>();
  for (const message of prompt) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "tool-call" && part.providerExecuted !== true) names.add(part.toolName);
      const mark = part.providerOptions?.[KEY]?.["revealed"];
      if (Array.isArray(mark)) names = new Set(mark.filter((name) => typeof name === "string"));
    }
  }
  return [...names];
}
