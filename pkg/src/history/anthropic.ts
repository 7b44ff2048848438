/**
 * Reads calls from the Messages API, which keeps them as blocks: the assistant's calls, the user's answers, both of hosted
 * tools.
 */

import type { Calls, Fields } from "./calls.js";

export function anthropic(message: Fields, calls: Calls): void {
  const isModel = message["role"] === "assistant";
  for (const { type, id, name, input, tool_use_id, content, is_error } of calls.items(message["content"])) {
    if (type === "tool_result" && !isModel) calls.answer(content, { id: tool_use_id, failed: is_error === true });
    if (!isModel) continue;
    if (type === "tool_use") calls.call(name, input, id);
    else if (type === "server_tool_use" && String(name).startsWith("tool_search_tool_")) calls.vendorSearch(id);
    else if (type === "tool_search_tool_result") calls.vendorAnswer(content, tool_use_id);
  }
}
