/** Reads calls from the assistant's messages of Chat Completions. Each answer is a message of its own. */

import { type Calls, type Fields, fields } from "./calls.js";

export function openai(message: Fields, calls: Calls): void {
  const { role, content, tool_calls, tool_call_id, function_call, name } = message;
  if (role === "assistant") {
    for (const call of calls.items(tool_calls)) {
      const { name: tool, arguments: args } = fields(call["function"]) ?? {};
      calls.call(tool, args, call["id"]);
    }
    // As it was before there were several calls at once.
    const { name: tool, arguments: args } = fields(function_call) ?? {};
    calls.call(tool, args);
  } else if (role === "tool" || role === "function") {
    calls.answer(content, { id: tool_call_id, name });
  } else {
    calls.forget();
  }
}
