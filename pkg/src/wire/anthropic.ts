/** Reads a reply: the model's calls, and what Anthropic's own search found in the middle of it. */

import type Anthropic from "@anthropic-ai/sdk";
import type { ModelCall, VendorSearch } from "../index.js";
import { cutOff } from "./cut.js";
import { objectIn, objectsIn } from "./reply.js";

/** The version that the names of Anthropic's searches carry. */
export const SEARCH_VERSION = "20251119";

type Found = Anthropic.ToolSearchToolSearchResultBlock;

/** The reasons for which a reply ends too early, each with the advice for the model. */
const CUT_OFF = new Map<string | null, string>([
  ["max_tokens", " Make it shorter."],
  ["model_context_window_exceeded", " Make it shorter."],
  ["refusal", ""],
  ["stop_sequence", ""],
]);

/**
 * The calls of a reply that the host is to answer. Where the reply was cut off in the middle of a call, its arguments
 * may be half of what was meant, and look whole: it is refused.
 */
export function messagesCalls(message: Pick<Anthropic.Message, "content" | "stop_reason">): ModelCall[] {
  const { stop_reason } = objectIn("message", message);
  const content = objectsIn("content", message.content);
  return content.flatMap((block, at): ModelCall[] => {
    if (block.type !== "tool_use") return [];
    const { id, name, input: args } = block;
    const isCut = at === content.length - 1 && CUT_OFF.has(stop_reason);
    return [isCut ? { id, name, args, broken: cutOff(stop_reason, CUT_OFF.get(stop_reason)) } : { id, name, args }];
  });
}

/**
 * What Anthropic's own search found in a reply. A search that was not over when the calls were made is answered at the
 * beginning of the next reply; `asked` are the messages in which its question stands then.
 */
export function messagesSearches(
  message: Pick<Anthropic.Message, "content">,
  asked: readonly Anthropic.MessageParam[] = [],
): VendorSearch[] {
  const content = objectsIn("content", objectIn("message", message).content);
  return content.flatMap((block) => {
    if (block.type !== "tool_search_tool_result") return [];
    if (objectIn("search result", block.content).type !== "tool_search_tool_search_result") return [];
    const id = block.tool_use_id;
    const { name, input } = questionOf(id, [{ content }, ...[...asked].reverse()]);
    const found = objectsIn("tool_references", (block.content as Found).tool_references).map(({ tool_name }) => tool_name);
    const names = found.filter((one) => typeof one === "string");
    return [{ id, tool: name, version: SEARCH_VERSION, query: queryIn(input), names }];
  });
}

function questionOf(id: string, messages: readonly { content: unknown }[]): { name: string; input: unknown } {
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    const blocks: Anthropic.ContentBlock[] = content;
    const question = blocks.find((one) => one.type === "server_tool_use" && one.id === id);
    if (question?.type === "server_tool_use") return question;
  }
  return { name: "tool_search_tool", input: undefined };
}

function queryIn(input: unknown): string | null {
  const { query, pattern } = Object(input) as { query?: unknown; pattern?: unknown };
  const asked = query ?? pattern;
  return typeof asked === "string" ? asked : null;
}
