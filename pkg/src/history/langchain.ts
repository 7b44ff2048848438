/** Reads calls from LangChain's messages. Each answer is a message of its own, as an instance or as JSON. */

import { type Calls, type Fields, fields } from "./calls.js";

const NOT_THE_MODEL = ["human", "user", "system", "developer"];

export function langchain(given: Fields, calls: Calls): void {
  // What is stored lies one level deeper, in either of two forms.
  const message = fields(given["kwargs"]) ?? fields(given["data"]) ?? given;
  const { tool_calls, tool_call_id: id, content, status } = message;
  if (NOT_THE_MODEL.includes(String(given["type"] ?? given["role"]))) return;
  if (id !== undefined) calls.answer(content, { id, failed: status === "error" });
  for (const call of calls.items(tool_calls)) {
    const { name, args, arguments: text } = fields(call["function"]) ?? call;
    calls.call(name, args ?? text, call["id"]);
  }
}
