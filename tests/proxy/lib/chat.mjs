/** Chat Completions as an upstream of these tests answers it. */

import { asChat, definitions } from "./tools.mjs";
import { json } from "./upstream.mjs";

export const tools = definitions().map(asChat);
/** What fits no tool. */
export const USER = { role: "user", content: "Please help me" };

export const call = (name, args, id = name) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
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
