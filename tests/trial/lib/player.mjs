/** A player by rules: it searches once for what the user said, calls what it then has, all at once, and is done. */

import { createInterface } from "node:readline";
import { stdin, stdout } from "node:process";

const SEARCHES = ["search_tools", "ToolSearch", "tool_search", "toolSearch"];
const DISCOVERY = [...SEARCHES, "add_tool", "show_all_tools", "tool_describe", "tool_call"];

createInterface({ input: stdin }).on("line", (line) => {
  const { id, request } = JSON.parse(line);
  stdout.write(`${JSON.stringify({ id, reply: { choices: [{ message: messageFor(request) }] } })}\n`);
});

function messageFor({ messages, tools = [] }) {
  const names = tools.map((tool) => tool.function.name);
  const calls = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name);
  const search = names.find((name) => SEARCHES.includes(name));
  const user = messages.find(({ role }) => role === "user").content;
  if (search && !calls.includes(search)) return calling([[search, { query: user }]]);
  const real = names.filter((name) => !DISCOVERY.includes(name)).slice(0, 3);
  if (real.length > 0 && !calls.includes(real[0])) return calling([...real.map((name) => [name, {}]), ["made_up_name", {}]]);
  return { role: "assistant", content: "Done." };
}

const calling = (calls) => ({
  role: "assistant",
  content: null,
  tool_calls: calls.map(([name, args], at) => ({
    id: `c${at}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  })),
});
