/**
 * Does the code of docs/adapters/your-own.md do what the page says? It is taken from the page and run, over the tools of
 * real MCP servers and with an imaginary client that follows a script.
 *
 * 1. The twenty lines: what the model is sent, step by step; early, parallel, failing, hostile calls; steps; sessions.
 * 2. The conversation that they leave is enough to rebuild the session.
 * 3. The model for `runTools` keeps the contract of all adapters.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, ISSUE, add, call, script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { host, pluck, siftOf } from "./lib/tools.mjs";

const PAGE = readFileSync(at("docs", "adapters", "your-own.md"), "utf8");
const [ADAPTER, REMEMBER, MODEL, RUN] = [...PAGE.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);

/** The page's functions, with the last snippet as one of them. */
async function page() {
  const { folder } = await appWith();
  const [imports, ...lines] = RUN.split("\n");
  const run = `export async function run({ session, client, instructions, messages, execute }) {${lines.join("\n")}
    return { finish, text: reply.text }; }`;
  // What the contract asks for beyond the page's own options.
  const given = run.replace("execute }", "execute, ...options }").replace("), execute }", "), execute, ...options }");
  writeFileSync(join(folder, "page.mjs"), [imports, ADAPTER, REMEMBER, MODEL, given].join("\n"));
  return import(pathToFileURL(join(folder, "page.mjs")).href);
}

/** The imaginary client. As vendors do, it refuses a conversation in which a call has no answer of its own. */
function imaginary(next) {
  const requests = [];
  const respond = async ({ instructions, functions, messages }) => {
    const ids = (entries) => entries?.map(({ id }) => id);
    for (const [at, { calls = [] }] of messages.entries()) {
      if (calls.length > 0) assert.deepEqual(ids(messages[at + 1]?.results), ids(calls), "every call is answered");
    }
    const last = messages.at(-1);
    requests.push({
      tools: functions.map(({ name }) => name),
      toolsText: JSON.stringify(functions),
      system: instructions,
      answers: (last.results ?? []).map(({ text }) => text),
      failed: (last.results ?? []).map(({ failed }) => failed),
      prompt: messages.findLast(({ role }) => role === "user").text,
    });
    const step = requests.length;
    const { text = "", calls = [] } = await next(requests.at(-1), step);
    return { text, calls: calls.map(({ name, args }, nth) => ({ id: `${step}.${nth}`, name, input: args })) };
  };
  return { respond, requests };
}

const user = (text) => [{ role: "user", text }];

/** One agent of the page's twenty lines. */
async function agent({ sift, id = "chat", scope, script: next, answer, ...options }) {
  const { converse } = await page();
  const client = imaginary(next);
  const { execute, ran } = host(answer);
  const session = (sift ?? (await siftOf(await appWith()))).session(id, scope === undefined ? {} : { scope });
  const messages = user("Go on.");
  const text = await converse(client, session, { instructions: "You are an agent.", messages, execute, ...options });
  return { requests: client.requests, ran, session, messages, text };
}

test("it is twenty lines", () => {
  const lines = ADAPTER.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("/**"));
  assert.ok(lines.length <= 20, `${lines.length} lines`);
});

test("what the model is sent, step by step", async () => {
  const answer = ({ name }) => {
    if (name === "read_graph") throw new Error("the graph is gone");
    return `${name} did it`;
  };
  const replies = [
    [call("search_tools", { query: "create an issue in a repository" })],
    [call("create_issue", ISSUE), call("read_graph"), add("read_text_file"), call("read_text_file", '{"path":"a.txt"}')],
    [call("read_graph")],
  ];
  const { requests, ran, session, text } = await agent({ script: script(...replies), answer });
  const sent = requests.map(({ tools }) => tools);
  assert.deepEqual([sent[0], sent[1].slice(0, 4)], [DISCOVERY, [...DISCOVERY, "create_issue"]]);
  for (const [at, names] of sent.slice(1).entries()) assert.deepEqual(names.slice(0, sent[at].length), sent[at]);
  assert.deepEqual(sent[2].slice(sent[1].length), ["read_graph", "read_text_file"], "in the order of their reveal");
  assert.deepEqual([...DISCOVERY, ...session.revealed], sent[3]);
  assert.match(requests[0].system, /^You are an agent\.\n\n## Finding tools/);
  const { parameters } = JSON.parse(requests[2].toolsText).find(({ name }) => name === "create_issue");
  assert.ok("owner" in parameters.properties);

  const [issue, early, added, read] = requests[2].answers;
  assert.match([issue, read].join(), /^create_issue did it,read_text_file did it$/);
  assert.match(early, /read_graph was not loaded, so this call did not run/);
  assert.match(added, /read_text_file/);
  assert.deepEqual(requests[2].failed, [false, true, false, false]);
  assert.deepEqual([requests[3].answers, requests[3].failed], [["Error: the graph is gone"], [true]]);
  assert.deepEqual(pluck(ran, "name"), ["create_issue", "read_text_file", "read_graph"]);
  assert.deepEqual(ran[1].args, { path: "a.txt" });
  assert.equal(text, "All done.");
});

test("a model whose calls cannot run gets the way out, then a stop, and one that never ends is stopped", async () => {
  const broken = [call(undefined), call("search_tools", "{"), call("search_tools"), call("add_tool", { tool_names: 7 })];
  const hostile = { calls: [call("no_such_tool"), call("create_issue", ISSUE), ...broken] };
  const { requests, ran, text, messages } = await agent({ script: () => hostile, scope: { servers: ["memory"] } });
  assert.deepEqual([requests.length, ran, text], [5, [], null]);
  assert.match(requests[1].answers[0], /no_such_tool.*search_tools/);
  assert.match(requests[1].answers[1], /create_issue/);
  assert.deepEqual(requests[4].failed, Array(6).fill(true));
  assert.equal(messages.at(-1).role, "results", "also the last calls are answered");

  const endless = await agent({ script: () => ({ calls: [call("read_graph")] }), maxSteps: 3 });
  assert.deepEqual([endless.requests.length, endless.ran.length, endless.text], [3, 2, null]);
  const wrongAtTimes = (_, step) => ({ calls: [call(step % 2 === 0 ? "show_all_tools" : "no_such_tool")] });
  const patient = await agent({ script: wrongAtTimes, patience: 2, maxSteps: 9 });
  assert.equal(patient.requests.length, 9, "an answer starts the count anew");
});

test("two sessions at once never mix, and the next run goes on", async () => {
  const sift = await siftOf(await appWith());
  const lead = (id, name) => agent({ sift, id, script: script([add(name)], [call(name)], [call(name)]) });
  const tools = ["create_issue", "read_graph"];
  const both = await Promise.all(tools.map((name, at) => lead(`${at}`, name)));
  for (const [at, { requests, ran }] of both.entries()) {
    assert.deepEqual(
      requests.map((request) => request.tools.slice(3)),
      [[], [tools[at]], [tools[at]], [tools[at]]],
    );
    assert.deepEqual(pluck(ran, "name"), [tools[at], tools[at]]);
  }
  const again = await agent({ sift, id: "0", script: script() });
  assert.deepEqual(again.requests[0].tools, [...DISCOVERY, "create_issue"]);
});

test("the conversation is enough to rebuild the session", async () => {
  const { remember } = await page();
  const replies = [[add("create_issue"), call("read_graph")], [call("create_issue", ISSUE)], [call("no_such_tool")]];
  const { session, messages } = await agent({ script: script(...replies) });
  const kept = JSON.parse(JSON.stringify(messages));
  const elsewhere = (await siftOf(await appWith())).session("chat");
  assert.deepEqual(remember(elsewhere, kept).revealed, ["create_issue", "read_graph"]);
  assert.deepEqual(elsewhere.revealed, session.revealed);
  remember(elsewhere, kept.slice(0, 2));
  assert.deepEqual(elsewhere.revealed, [], "calls that nobody answered load nothing");
});

contract({
  adapter: "docs/adapters/your-own.md",
  versions: [{}],
  async converse({ sift, id, scope, prompt, script: next, app: _, ...options }) {
    const { run } = await page();
    const client = imaginary(next);
    const session = sift.session(id, { scope: scope ?? "all" });
    const about = { session, client, instructions: "You are an agent.", messages: user(prompt), ...options };
    return { requests: client.requests, ...(await run(about)) };
  },
});
