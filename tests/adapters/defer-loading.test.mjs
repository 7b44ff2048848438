/**
 * With `deferLoading`, does the tool list of a vendor's own deferral stay the same bytes, and is no reveal lost?
 *
 * 1. Both vendors: the list never changes, the conversation only grows, whichever way a tool is revealed. 2. Where each vendor
 * has the definitions. 3. Histories: stored, of another mode, with tools that are gone. 4. What does not go together.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { responses } from "../apis/responses.mjs";
import { over, run } from "./lib/anthropic.mjs";
import { add, call, DISCOVERY, ISSUE, search } from "./lib/calls.mjs";
import { agentOf } from "./lib/openai.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const deferLoading = true;
const user = { role: "user", content: "Go on." };

/** One run over each vendor: `{ requests, sift, ran, list }`, of which `list` is the conversation. */
const VENDORS = {
  anthropic: async (steps, { list = [], options, ...more } = {}) => {
    const ran = await run(over({ deferLoading, ...options }), steps, { messages: list, ...more });
    return { ...ran, list, app: undefined };
  },
  "openai-responses": async (steps, { list = [], options, params, ...more } = {}) => {
    list.push({ ...user });
    const given = { model: "gpt-5.4", input: list, ...params };
    const ran = await agentOf(responses, "responsesModel", steps, given, { options: { deferLoading, ...options }, ...more });
    return { ...ran, list: given.input };
  },
};
const anthropic = VENDORS.anthropic;
const openai = VENDORS["openai-responses"];

const listOf = ({ body }) => body.messages ?? body.input;
const isSame = (requests) => new Set(requests.map(({ toolsText }) => toolsText)).size === 1;
/** The names of what was sent, with those in brackets that were deferred. */
const sentIn = ({ body }) => body.tools.map(({ name, defer_loading }) => (defer_loading ? `(${name})` : name));
/** The names of the definitions that each output of a search gives. */
const givenBy = (items) => items.flatMap(({ type, tools }) => (type === "tool_search_output" ? [pluck(tools, "name")] : []));
const referencesIn = (messages) =>
  messages.flatMap(({ content }) => content).flatMap(({ type, content }) => (type === "tool_result" ? [content] : []));

const MIXED = [
  [search("create an issue in a repository"), search("read a text file")],
  [call("create_issue", ISSUE), call("create_entities", {})],
  [add("read_graph"), call("no_such_tool"), call("read_text_file", { path: "a.txt" })],
  [call("read_graph"), call("create_entities", { entities: [] })],
];

for (const [vendor, lead] of Object.entries(VENDORS)) {
  test(`${vendor}: the tools are the same bytes in every request, and the conversation only grows`, async () => {
    const first = await lead(MIXED);
    const all = [...first.requests];
    const { revealed } = first.sift.session("chat");
    const list = JSON.parse(JSON.stringify(first.list));
    for (const bring of [
      (sift) => sift.restore(first.sift.session("chat").snapshot()),
      (sift) => sift.session("chat").fromMessages(list, { format: vendor }),
    ]) {
      const sift = await siftOf({ load: async () => ({ ToolSift: first.sift.constructor }) });
      bring(sift);
      assert.deepEqual(sift.session("chat").revealed, revealed);
      const next = await lead([[call("create_issue", ISSUE)]], { sift, list: structuredClone(list) });
      assert.deepEqual(pluck(next.ran, "name"), ["create_issue"]);
      assert.equal(givenBy(next.list).flat().length, givenBy(list).flat().length, "nothing is given twice");
      assert.ok(isSame([...all, ...next.requests]));
    }
    assert.ok(isSame(all));
    for (const [at, request] of all.slice(1).entries()) {
      const before = listOf(all[at]);
      assert.deepEqual(listOf(request).slice(0, before.length), before);
    }
  });

  test(`${vendor}: profiles whose searches load nothing are refused`, async () => {
    for (const settings of [{ profile: "bridge" }, { profile: "select" }, { surface: "constant" }]) {
      const message = /deferLoading does not go with .* reveal is never/;
      await assert.rejects(lead([], { settings: { activation: "on", ...settings } }), { code: "option_conflict", message });
    }
    const stub = await lead([[call("tool_search", { query: "create_issue" })]], {
      settings: { profile: "stub", activation: "on" },
    });
    assert.ok(isSame(stub.requests), "stubs are not sent beside deferred tools");
    assert.ok(stub.requests[1].tools.includes("create_issue"));
  });
}

test("Anthropic: every tool is sent, deferred tools behind the others, none with a breakpoint", async () => {
  const toolsCache = { type: "ephemeral" };
  const { requests, sift } = await anthropic(MIXED, { options: { toolsCache } });
  const all = sift.tools().map(({ name }) => `(${name})`);
  assert.deepEqual(sentIn(requests[0]), [...DISCOVERY, ...all]);
  const [filesystem] = toolsOf("filesystem");
  const sent = requests[0].body.tools.find(({ name }) => name === filesystem.name);
  assert.deepEqual(sent.input_schema, filesystem.inputSchema);
  for (const { body } of requests) {
    const marked = body.tools.filter(({ cache_control }) => cache_control !== undefined);
    assert.deepEqual(pluck(marked, "name"), ["show_all_tools"]);
  }
});

test("Anthropic: what a search loads is referred to, and its text stands behind the results", async () => {
  const { list } = await anthropic([[search("create an issue in a repository"), search("xyzzy plugh")]]);
  const [loaded, nothing, text, ...others] = list[2].content;
  assert.deepEqual(loaded.content[0], { type: "tool_reference", tool_name: "create_issue" });
  assert.ok(loaded.content.every(({ type }) => type === "tool_reference"));
  assert.equal(typeof nothing.content, "string");
  assert.match(text.text, /^Loaded\. Call them/);
  assert.deepEqual(others, []);
});

test("Anthropic: while a server's own tool is still to run, the turn takes references and no text", async () => {
  const params = { tools: [{ type: "web_search_20250305", name: "web_search" }] };
  const waiting = [{ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }];
  const steps = [{ waiting, calls: [search("create an issue in a repository"), call("read_graph")] }];
  const { list } = await anthropic((_, step) => steps[step - 1] ?? { text: "All done." }, { params });
  const types = list[2].content.map(({ type, content }) => [type, content[0].type]);
  assert.deepEqual(types, Array(2).fill(["tool_result", "tool_reference"]));
});

test("Anthropic: what was revealed without a reference is sent in full, in its order", async () => {
  const first = await anthropic([]);
  first.sift.session("chat").reveal(["read_graph", "create_issue"]);
  const { requests } = await anthropic([[add("open_nodes")], [call("open_nodes")]], { sift: first.sift });
  assert.deepEqual(sentIn(requests[0]).slice(0, 5), [...DISCOVERY, "read_graph", "create_issue"]);
  assert.ok(isSame(requests));
});

test("Anthropic: references that the API would refuse become text, in the request alone", async () => {
  const list = [];
  const { sift } = await anthropic([[add("read_graph", "create_issue")], [add("open_nodes")]], { list });
  const kept = JSON.stringify(list);
  sift.unregister({ server: "memory" });
  const { requests } = await anthropic([], { sift, list });
  const [some, none] = referencesIn(listOf(requests[0]));
  assert.deepEqual(some, [{ type: "tool_reference", tool_name: "create_issue" }]);
  assert.match(none[0].text, /open_nodes/);
  const plain = await anthropic([], { sift, list, options: { deferLoading: false } });
  assert.doesNotMatch(JSON.stringify(listOf(plain.requests[0])), /tool_reference/);
  assert.deepEqual(plain.requests[0].tools, [...DISCOVERY, "create_issue"], "loaded it stays");
  assert.ok(JSON.stringify(list).startsWith(kept.slice(0, -1)), "the host's messages stay as they are");
});

test("Anthropic: no more tools are deferred than the API takes", async () => {
  const { sift } = await anthropic([]);
  const tool = (_, at) => ({ name: `tool_${at}`, description: "A tool.", inputSchema: { type: "object" } });
  sift.register(Array.from({ length: 10_000 }, tool));
  await assert.rejects(anthropic([], { sift }), { code: "limit_out_of_range", message: /10062 .* 10000/ });
});

test("OpenAI: the model searches by the vendor's tool, and its output has the definitions", async () => {
  const { requests, sift, list } = await openai([
    [search("create an issue in a repository")],
    [call("create_issue", ISSUE)],
  ]);
  const [tool, ...others] = requests[0].body.tools;
  assert.deepEqual([tool.type, tool.execution, tool.name], ["tool_search", "client", undefined]);
  assert.deepEqual(pluck(others, "name"), ["add_tool", "show_all_tools"]);
  assert.doesNotMatch(JSON.stringify(pluck(requests, "body")), /\bsearch_tools\b/);
  const output = list.find(({ type }) => type === "tool_search_output");
  const { revealed } = sift.session("chat");
  assert.deepEqual(pluck(output.tools, "name"), revealed);
  const { tools } = sift.session("chat").assemble({ format: "openai-responses" });
  assert.deepEqual(output.tools[0], { ...tools.find(({ name }) => name === "create_issue"), defer_loading: true });
  assert.equal(list.find(({ name }) => name === "create_issue").namespace, "create_issue", "a call goes back as it came");
});

test("OpenAI: what no search loaded comes at the end of the conversation, in its order, and once", async () => {
  const { sift, list, requests } = await openai([[add("create_issue", "read_graph")]]);
  assert.deepEqual(givenBy(listOf(requests[1])), [["create_issue", "read_graph"]]);
  sift.session("chat").reveal(["list_issues"]);
  const next = await openai([[call("list_issues"), call("open_nodes")]], { sift, list });
  const given = [["create_issue", "read_graph"], ["list_issues"]];
  assert.deepEqual(givenBy(listOf(next.requests[0])), given);
  assert.deepEqual(givenBy(listOf(next.requests[1])), [...given, ["open_nodes"]], "what was called too early");
  // Storages bring keys back in another order; what a server changed is given again.
  const stored = JSON.parse(JSON.stringify(list), (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );
  const changed = toolsOf("github").map((one) => (one.name === "create_issue" ? { ...one, description: "Reports" } : one));
  sift.sync("github", changed);
  const last = await openai([], { sift, list: stored });
  assert.deepEqual(givenBy(last.list), [...given, ["open_nodes"], ["create_issue"]]);
});

test("OpenAI: what the vendor keeps is given once a run, and again behind a compaction", async () => {
  const compaction = { type: "compaction", encrypted_content: "gAAAA" };
  const params = { previous_response_id: responses.begin("resp") };
  const replies = (_, step) =>
    [
      { calls: [add("create_issue")] },
      { calls: [call("create_issue", ISSUE)] },
      { calls: [search("xyzzy")], items: [compaction] },
    ][step - 1] ?? { text: "All done." };
  const { requests, sift, reply } = await openai(replies, { params });
  assert.deepEqual(givenBy(requests[2].items), [["create_issue"]]);
  assert.deepEqual(givenBy(requests[3].items), [["create_issue"], [], ["create_issue"]]);
  const next = await openai([], { sift, params: { previous_response_id: reply.response.id } });
  assert.deepEqual(givenBy(next.requests[0].items).at(-1), ["create_issue"]);
});

test("OpenAI: tools of the catalog that are called like a search are called as they are", async () => {
  const { sift: first } = await openai([]);
  const sift = new first.constructor({ activation: "on" });
  const named = (...names) =>
    names.map((name) => ({ name, description: `Finds a ${name}`, inputSchema: { type: "object" } }));
  sift.register(named("search_tools", "tool_search"), { server: "z" });
  const replies = [
    [search("search_tools"), search("tool_search")],
    [call("z__search_tools"), call("tool_search")],
    [call("no_such_tool")],
  ];
  const { requests, ran } = await openai(replies, { sift });
  assert.match(requests[1].answers[0], /^- z__search_tools\(/m);
  assert.deepEqual(pluck(ran, "name"), ["search_tools", "tool_search"]);
  assert.match(requests[3].answers[0], /Find tools with tool_search\./);
});
