/**
 * A player by rules that plays as a small model does, for `--player "node lab/trial/players/weak.mjs"`. It searches for
 * a few words of what the user said and repeats a search as it was. It writes names another way, calls what it reads in an answer
 * without loading it, fills in no arguments, and is done, in a word, at the first call that runs. It gives up at nothing else: a
 * conversation that goes in circles lasts as long as it may.
 */

import { createInterface } from "node:readline";
import { stdin, stdout } from "node:process";

const SEARCHES = ["search_tools", "ToolSearch", "tool_search", "toolSearch"];
const DISCOVERY = [...SEARCHES, "add_tool", "show_all_tools", "tool_describe", "tool_call"];
/** Words of a search, and how many it moves on when it has read the same answer twice. */
const WORDS = 4;

createInterface({ input: stdin }).on("line", (line) => {
  const { id, request } = JSON.parse(line);
  stdout.write(`${JSON.stringify({ id, reply: { choices: [{ message: messageFor(request) }] } })}\n`);
});

function messageFor({ messages, tools = [] }) {
  const answers = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  if (answers.at(-1)?.startsWith('{"ok":true')) return { role: "assistant", content: "ok" };
  const names = tools.map((tool) => tool.function.name);
  const called = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function);
  const tried = (name) => called.filter((call) => plain(call.name) === plain(name)).length;
  // Twice: first as it remembers the name, then as it stands.
  const there = names.filter((name) => !DISCOVERY.includes(name) && tried(name) < 2).at(-1);
  if (there !== undefined) return calling(tried(there) === 0 ? loosely(there) : there, {});
  const read = answers.flatMap(namesIn).find((name) => tried(name) === 0);
  const bridge = names.find((name) => name === "tool_call");
  if (read !== undefined) return bridge ? calling(bridge, { name: read, arguments: {} }) : calling(read, {});
  const search = names.find((name) => SEARCHES.includes(name));
  if (search === undefined) return { role: "assistant", content: "no tools" };
  const words = messages.find(({ role }) => role === "user").content.split(/\s+/);
  const searches = called.filter(({ name }) => name === search).length;
  const from = (Math.floor(searches / 2) * WORDS) % words.length;
  return calling(search, { query: words.slice(from, from + WORDS).join(" ") });
}

/** The names at the beginning of the lines of a list, or in entries of JSON. */
const namesIn = (answer) =>
  [...answer.matchAll(/^- ([\w.-]+)|"name": ?"([^"]+)"/gm)].map(([, line, entry]) => line ?? entry);
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const loosely = (name) => name.replaceAll(/[-_.]+(\w)/g, (_, letter) => letter.toUpperCase());

const calling = (name, args) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
