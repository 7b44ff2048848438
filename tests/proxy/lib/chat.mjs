/** An upstream that answers Chat Completions with the fewest fields that the API requires. */

import { chat } from "../../apis/chat.mjs";
import { definitions } from "./tools.mjs";
import { json } from "./upstream.mjs";

export const tools = definitions.map(chat.tool);
/** What fits no tool. */
export const USER = chat.asks("Please help me");

export const call = (name, args, id = name) => ({
  ...{ id, type: "function", function: { name, arguments: JSON.stringify(args) } },
});

function completion(message) {
  const finish_reason = message.tool_calls ? "tool_calls" : "stop";
  return json({
    id: "c",
    choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
  });
}

export const calls = (...made) => completion({ tool_calls: made });
export const says = (content) => completion({ content });
export const searching = () => calls(call("search_tools", { query: "create an issue" }));

/** A chunk of a stream, and what else it has. */
export const chunk = (delta, finish_reason = null, more = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
export const DONE = "data: [DONE]\n\n";

/** The delta of a chunk that has a piece of a call. */
export const piece = (index, name, args, id) => ({
  tool_calls: [{ index, ...(id ? { id, type: "function" } : {}), function: { ...(name ? { name } : {}), arguments: args } }],
});

/** A stream that searches. */
export const SEARCH = chunk(piece(0, "search_tools", '{"query":"create an issue"}', "s")) + chunk({}, "tool_calls") + DONE;
