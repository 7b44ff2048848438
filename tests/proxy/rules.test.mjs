/** Tests that each special part of a request keeps its meaning. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted } from "../apis/index.mjs";
import { siftFetch } from "./lib/asking.mjs";
import { call, calls, says, searching, tools, USER } from "./lib/chat.mjs";
import { definitions } from "./lib/tools.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const { nameOf, tool } = APIS.chat;
const names = ({ body }) => body.tools.map(nameOf);

/** A client of an upstream with these replies: `ask(more)` sends a request with these fields. */
function client(replies, options = {}) {
  const { fetch, sent } = scripted(...replies);
  const problems = [];
  const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
  const sift = siftFetch({ fetch, onEvent, ...options });
  const ask = async (more = {}, headers) => {
    const response = await sift(...posted(APIS.chat, { model: "m", messages: [USER], tools, ...more }, false, headers));
    return { response, reply: (await response.json()).choices[0] };
  };
  return { ask, sent, problems };
}
const always = (count) => Array.from({ length: count }, () => () => says("Done."));

test("what tool search is not for passes through as it came", async () => {
  const { ask, sent, problems } = client(always(5));
  const few = { tools: tools.slice(0, 5) };
  for (const more of [few, { messages: "none" }, { n: 2 }, { tools: undefined, functions: [] }]) {
    await ask(more);
    assert.deepEqual(sent.at(-1).body, JSON.parse(JSON.stringify({ model: "m", messages: [USER], tools, ...more })));
  }
  assert.deepEqual(problems, [
    "a request passes through in full: several choices (n) are several conversations",
    'a request passes through in full: "functions" is the old form of "tools"',
  ]);
  const { response } = await ask(few);
  const header = (name) => response.headers.get(`x-toolsift-${name}`);
  assert.deepEqual(["active", "tools-full", "tools-sent", "requests"].map(header), ["false", "5", "5", "1"]);
  assert.equal(header("tokens-full"), header("tokens-sent"));
  assert.match(header("ms"), /^\d+(\.\d+)?$/);
});

test("a backend without tool search counts what it will be sent", async () => {
  const { fetch, sent } = scripted(json({ content: [], stop_reason: "end_turn" }), json({ input_tokens: 7 }));
  const deferred = definitions.map((one) => ({ ...one, defer_loading: true }));
  const search = { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" };
  const body = APIS.messages.request({ messages: [USER], tools: [search, ...deferred] });
  const sift = siftFetch({ fetch });
  for (const url of [APIS.messages.url(), APIS.messages.counts]) {
    const beta = { "anthropic-beta": "advanced-tool-use-2025-11-20" };
    assert.equal((await sift(...posted({ url: () => url }, body, false, beta))).status, 200);
  }
  assert.deepEqual(sent[1].body, sent[0].body);
  assert.deepEqual([sent[1].body.tools.length, sent[1].headers.get("anthropic-beta")], [3, null]);
});

test("tools are sent as the client wrote them", async () => {
  const [first, ...others] = tools;
  const parameters = { ...first.function.parameters, additionalProperties: false };
  const strict = { ...first, function: { ...first.function, strict: true, parameters } };
  const custom = { type: "custom", custom: { name: "run_sql", description: "SQL" } };
  const odd = tool({ name: "odd.name", description: "The core takes no dots.", inputSchema: { type: "object" } });
  const { ask, sent } = client([searching(), calls(call("create_issue", {}), call("odd.name", {}))]);
  const { reply } = await ask({ tools: [custom, odd, strict, ...others] });
  assert.deepEqual(sent[0].body.tools.slice(0, 2), [custom, odd]);
  assert.deepEqual(
    sent[1].body.tools.find((one) => nameOf(one) === "create_issue"),
    strict,
  );
  assert.deepEqual(reply.message.tool_calls.map(nameOf), ["create_issue", "odd.name"]);
});

const plain = (name) =>
  tool({ name, description: "Ends the run with its result.", inputSchema: { type: "object", properties: {} } });

test("tools that end a run or hand it over are always sent", async () => {
  const ends =
    "final_result final_result_Invoice final_answer transfer_to_billing_agent transfer_back_to_supervisor handoff " +
    "handoff_to_agent delegate_work_to_coworker exit_loop submit";
  const others = ["transfer_money", "final_results", "submit_order", "list_handoffs"];
  const { ask, sent } = client(always(1));
  await ask({ tools: [...ends.split(" "), ...others].map(plain).concat(tools) });
  const there = names(sent[0]);
  assert.deepEqual(
    [ends.split(" ").filter((name) => !there.includes(name)), others.filter((name) => there.includes(name))],
    [[], []],
  );
});

test("a client and a host name tools that are always sent", async () => {
  const { ask, sent } = client(always(3), { sift: { alwaysAvailable: ["share_photo"] } });
  for (const named of ["create_issue, list_recipe,, no_such_tool", undefined, "create_issue, list_recipe,, no_such_tool"])
    await ask({}, named && { "x-toolsift-always": named });
  const own = sent.map((one) =>
    names(one)
      .filter((name) => definitions.some((of) => of.name === name))
      .sort(),
  );
  const both = ["create_issue", "list_recipe", "share_photo"];
  assert.deepEqual(own, [both, ["share_photo"], both]);
  assert.equal(sent[0].headers.get("x-toolsift-always"), null);
});

test("where every reply has to call a tool, the last of the list is there, and the host is warned once", async () => {
  const { ask, sent, problems } = client(always(6));
  const said = [USER, ...APIS.chat.step([{ id: "c", name: "create_issue", text: "ok" }])];
  const demanding = (more, headers) =>
    ask({ messages: said, tools: [...tools, plain("Invoice")], tool_choice: "required", ...more }, headers);
  await demanding({ messages: [USER] });
  assert.deepEqual(problems, [], "once is no rule");
  await demanding();
  await demanding();
  for (const one of sent) assert.ok(names(one).includes("Invoice"));
  assert.equal(problems.length, 1);
  assert.match(problems[0], /none has a name that is known to end the run.*x-toolsift-always/);
  await demanding({ tool_choice: "auto", messages: [USER] });
  assert.ok(!names(sent[3]).includes("Invoice"));
  await demanding({ tools: [plain("final_answer"), ...tools] });
  await demanding({}, { "x-toolsift-always": "share_photo" });
  assert.ok(!names(sent[4]).includes(nameOf(tools.at(-1))) && names(sent[4]).includes("final_answer"));
  assert.equal(problems.length, 1, "nothing to warn of");
});

test("a choice of allowed tools reveals them, none forbids all, and without a hit every tool is there to be called", async () => {
  const allowed = {
    mode: "required",
    tools: ["share_photo", "list_recipe"].map((name) => ({ type: "function", function: { name } })),
  };
  const first = client([calls(call("list_recipe", {}))]);
  await first.ask({ tool_choice: { type: "allowed_tools", allowed_tools: allowed } });
  assert.deepEqual(names(first.sent[0]).slice(3), ["share_photo", "list_recipe"]);
  const none = client(always(1));
  assert.equal((await none.ask({ tool_choice: "none" })).reply.message.content, "Done.");
  assert.equal(none.sent[0].body.tool_choice, "none");
  const nothing = calls(call("search_tools", { query: "zzzz qqqq" }));
  const last = client([nothing, calls(call("rename_photo", {}))], { maxRounds: 1 });
  await last.ask({ tool_choice: "required" });
  assert.equal(names(last.sent[1]).length, 100);
});

test("at the vendor's limit on tools, the least recently used are evicted", async () => {
  const searches = ["issue", "photo", "recipe"].map((noun) =>
    calls(call("search_tools", { query: `create a ${noun}` }, noun)),
  );
  const { ask, sent } = client([...searches, says("Done.")], { maxTools: 6 });
  await ask();
  for (const one of sent) assert.ok(names(one).length <= 6);
  assert.ok(names(sent[3]).includes("create_recipe"));
});
