/**
 * Reads calls from the Responses API, which keeps them as items beside the messages. Its own tool search, and a host that adds
 * tools in between, give tools by value.
 */

import { type Calls, type Fields, fields } from "./calls.js";

export function responses(item: Fields, calls: Calls): void {
  const { type, call_id: id, name, arguments: args, output, tools } = item;
  if (type === "function_call") calls.call(name, args, id);
  else if (type === "function_call_output") calls.answer(output, { id });
  else if (type === "tool_search_call") calls.vendorSearch(id);
  else if (type === "tool_search_output") calls.vendorAnswer(references(tools, calls), id);
  else if (type === "additional_tools") calls.given(references(tools, calls));
}

/** References to tools that are given by value, also within namespaces. */
function references(tools: unknown, calls: Calls): Fields[] {
  return calls.items(tools).flatMap((tool) => {
    const inner = fields(tool["type"] === "namespace" ? tool : undefined)?.["tools"];
    const all = inner === undefined ? [tool] : calls.items(inner);
    return all.map(({ name }) => ({ type: "tool_reference", tool_name: name }));
  });
}
