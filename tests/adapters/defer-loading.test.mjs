/**
 * Tests the option `deferLoading`: the tool list keeps the same bytes, and no loaded tool is lost.
 * 1. With both vendors, the list never changes and the conversation only grows, however a tool is loaded.
 * 2. The place of the definitions with each vendor.
 * 3. Stored histories, histories of another mode, and histories with removed tools.
 * 4. Options that exclude each other.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { responses } from "../apis/responses.mjs";
import { over, replies, run } from "./lib/anthropic.mjs";
import { appWith } from "./lib/app.mjs";
import { add, call, DISCOVERY, ISSUE, script, search } from "./lib/calls.mjs";
import { agentOf, withVendor } from "./lib/openai.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";

/** One run over each vendor: `{ requests, sift, ran, list }`, of which `list` is the conversation. */
const anthropic = async (steps, { list = [], options, ...more } = {}) => {
  return { ...(await run(over({ deferLoading: true, ...options }), steps, { messages: list, ...more })), list };
};
const openai = async (steps, { list = [], options, params, ...more } = {}) => {
  list.push({ role: "user", content: "Go on." });
  const given = { model: "gpt-5.4", input: list, ...params };
  const about = { options: { deferLoading: true, ...options }, ...more };
  return { ...(await agentOf(responses, "responsesModel", steps, given, about)), list };
};

const listOf = ({ body }) => body.messages ?? body.input;
const isSame = (requests) => new Set(requests.map(({ toolsText }) => toolsText)).size === 1;
/** The names of what was sent, with those in brackets that were deferred. */
const sentIn = ({ body }) => body.tools.map(({ name, defer_loading }) => (defer_loading ? `(${name})` : name));
/** The names of the definitions that each output of a search gives. */
const givenBy = (items) => items.flatMap(({ type, tools }) => (type === "tool_search_output" ? [pluck(tools, "name")] : []));
const resultsIn = (messages) => messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool_result");
const reference = (tool_name) => ({ type: "tool_reference", tool_name });

const MIXED = [
  [search("create an issue in a repository"), search("xyzzy plugh")],
  [call("create_issue", ISSUE), call("create_entities", {})],
  [add("read_graph"), call("no_such_tool"), call("read_text_file", { path: "a.txt" })],
  [call("read_graph"), call("create_entities", { entities: [] })],
];

for (const [format, lead] of Object.entries({ anthropic, "openai-responses": openai })) {
  test(`${format}: the tools are the same bytes in every request, and the conversation only grows`, async () => {
    const { requests, sift, list } = await lead(MIXED);
    const session = sift.session("chat");
    const kept = JSON.stringify(list);
    for (const [at, request] of requests.slice(1).entries()) {
      const before = listOf(requests[at]);
      assert.deepEqual(listOf(request).slice(0, before.length), before);
    }
    for (const bring of [
      (fresh) => fresh.restore(session.snapshot()),
      (fresh) => fresh.session("chat").fromMessages(JSON.parse(kept), { format }),
    ]) {
      const fresh = await siftOf({ load: async () => ({ ToolSift: sift.constructor }) });
      bring(fresh);
      assert.deepEqual(fresh.session("chat").revealed, session.revealed);
      const next = await lead([[call("create_issue", ISSUE)]], { sift: fresh, list: JSON.parse(kept) });
      assert.deepEqual(pluck(next.ran, "name"), ["create_issue"]);
      assert.deepEqual(givenBy(next.list), givenBy(list), "nothing is given twice");
      assert.ok(isSame([...requests, ...next.requests]));
    }
  });

  test(`${format}: settings that load nothing are refused, and no stubs are sent beside deferred tools`, async () => {
    for (const settings of [{ profile: "bridge" }, { profile: "select" }, { surface: "constant" }]) {
      const message = /deferLoading does not go with .* reveal is never/;
      await assert.rejects(lead([], { settings: { activation: "on", ...settings } }), { code: "option_conflict", message });
    }
    const settings = { profile: "stub", activation: "on" };
    const { requests } = await lead([[call("tool_search", { query: "create_issue" })]], { settings });
    assert.ok(isSame(requests) && requests[1].tools.includes("create_issue"));
  });
}

test("Anthropic: every tool is sent, deferred tools behind the others, and results refer to what is loaded", async () => {
  const { requests, sift, list } = await anthropic(MIXED, { options: { toolsCache: { type: "ephemeral" } } });
  assert.deepEqual(sentIn(requests[0]), [...DISCOVERY, ...sift.tools().map(({ name }) => `(${name})`)]);
  const [{ name, inputSchema }] = toolsOf("filesystem");
  assert.deepEqual(requests[0].body.tools.find((tool) => tool.name === name).input_schema, inputSchema);
  const marked = requests[0].body.tools.filter(({ cache_control }) => cache_control !== undefined);
  assert.deepEqual(pluck(marked, "name"), ["show_all_tools"], "the API takes no breakpoint on a deferred tool");
  const [loaded, nothing, text, ...others] = list[2].content;
  assert.deepEqual(loaded.content[0], reference("create_issue"));
  assert.equal(typeof nothing.content, "string");
  assert.match(text.text, /^Loaded\. Call them/);
  assert.deepEqual(others, []);
});

test("Anthropic: while a server's own tool is still to run, the turn takes references and no text", async () => {
  const params = { tools: [{ type: "web_search_20250305", name: "web_search" }] };
  const blocks = [{ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }];
  const { list } = await anthropic(replies({ blocks, calls: [add("create_issue"), call("read_graph")] }), { params });
  assert.deepEqual(pluck(list[2].content, "content"), [[reference("create_issue")], [reference("read_graph")]]);
});

test("Anthropic: what was loaded without a reference is sent in full, in its order", async () => {
  const { sift } = await anthropic([]);
  sift.session("chat").reveal(["read_graph", "create_issue"]);
  const { requests } = await anthropic([[add("open_nodes")], [call("open_nodes")]], { sift });
  assert.deepEqual(sentIn(requests[0]).slice(0, 5), [...DISCOVERY, "read_graph", "create_issue"]);
  assert.ok(isSame(requests));
});

test("Anthropic: references that the API would refuse become text, in the request alone", async () => {
  const { sift, list } = await anthropic([[add("read_graph", "create_issue")], [add("open_nodes")]]);
  const kept = JSON.stringify(list);
  sift.unregister({ server: "memory" });
  const { requests } = await anthropic([], { sift, list });
  const [some, none] = resultsIn(listOf(requests[0]));
  assert.deepEqual(some.content, [reference("create_issue")]);
  assert.match(none.content[0].text, /open_nodes/);
  const plain = await anthropic([], { sift, list, options: { deferLoading: false } });
  assert.doesNotMatch(JSON.stringify(listOf(plain.requests[0])), /tool_reference/);
  assert.deepEqual(plain.requests[0].tools, [...DISCOVERY, "create_issue"], "it stays loaded");
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
  const standing = pluck(requests[0].body.tools, "type", "execution", "name");
  assert.deepEqual(standing[0], ["tool_search", "client", undefined]);
  assert.deepEqual(pluck(standing.slice(1), 2), ["add_tool", "show_all_tools"]);
  assert.doesNotMatch(JSON.stringify(pluck(requests, "body")), /\bsearch_tools\b/);
  const { tools } = sift.session("chat").assemble({ format: "openai-responses" });
  const loaded = tools.filter(({ name }) => !DISCOVERY.includes(name)).map((tool) => ({ ...tool, defer_loading: true }));
  assert.deepEqual(list.find(({ type }) => type === "tool_search_output").tools, loaded);
  assert.equal(list.find(({ name }) => name === "create_issue").namespace, "create_issue", "a call goes back as it came");
});

test("OpenAI: what no search loaded comes at the end of the conversation, in its order, and once", async () => {
  const { sift, list, requests } = await openai([[add("create_issue", "read_graph")]]);
  const given = [["create_issue", "read_graph"], ["list_issues"], ["open_nodes"]];
  assert.deepEqual(givenBy(listOf(requests[1])), given.slice(0, 1));
  sift.session("chat").reveal(["list_issues"]);
  const next = await openai([[call("list_issues"), call("open_nodes")]], { sift, list });
  assert.deepEqual(givenBy(listOf(next.requests[0])), given.slice(0, 2));
  assert.deepEqual(givenBy(listOf(next.requests[1])), given, "what was called too early");
  const stored = JSON.parse(JSON.stringify(list), (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );
  const change = (tool) => (tool.name === "create_issue" ? { ...tool, description: "Reports" } : tool);
  sift.sync("github", toolsOf("github").map(change));
  const last = await openai([], { sift, list: stored });
  assert.deepEqual(givenBy(last.list), [...given, ["create_issue"]], "what changed, and nothing for the order of keys");
});

test("OpenAI: what the vendor keeps is given once a run, and again behind a compaction", async () => {
  const compaction = { type: "compaction", encrypted_content: "gAAAA" };
  const steps = [{ calls: [add("create_issue")] }, { calls: [call("create_issue", ISSUE)] }];
  const compacted = { calls: [search("xyzzy")], items: [compaction] };
  const params = { previous_response_id: responses.begin("resp") };
  const { requests, sift, reply } = await openai(replies(...steps, compacted), { params });
  assert.deepEqual(givenBy(requests[2].items), [["create_issue"]]);
  assert.deepEqual(givenBy(requests[3].items), [["create_issue"], [], ["create_issue"]]);
  const next = await openai([], { sift, params: { previous_response_id: reply.response.id } });
  assert.deepEqual(givenBy(next.requests[0].items).at(-1), ["create_issue"]);
});

test("OpenAI: a model that goes on elsewhere gives the definitions there too", async () => {
  const app = await appWith({ openai: "openai" });
  const [{ runTools }, { responsesModel }] = await Promise.all([app.load("toolsift"), app.load("toolsift/openai")]);
  const session = (await siftOf(app)).session("chat");
  session.reveal(["create_issue"]);
  await withVendor(app, responses, script(), async ({ client, requests }) => {
    const params = { model: "gpt-5.4", input: [] };
    const model = responsesModel(client, params, { deferLoading: true });
    for (const id of [responses.begin("resp"), responses.begin("resp")]) {
      params.previous_response_id = id;
      params.input.push({ role: "user", content: "Go on." });
      await runTools(session, { ...model, execute: () => "" });
      assert.deepEqual(givenBy(requests.at(-1).items), [["create_issue"]]);
    }
  });
});

test("OpenAI: tools of the catalog that are called like a search are called as they are", async () => {
  const tools = ["search_tools", "tool_search"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const { sift } = await openai([]);
  for (const server of ["filesystem", "memory", "github", "everything"]) sift.unregister({ server });
  sift.register(tools, { server: "z" });
  const searches = [search("search_tools"), search("tool_search")];
  const steps = [searches, [call("z__search_tools"), call("tool_search")], [call("no_such_tool")]];
  const { requests, ran } = await openai(steps, { sift });
  assert.match(requests[1].answers[0], /^- z__search_tools\(/m);
  assert.deepEqual(pluck(ran, "name"), ["search_tools", "tool_search"]);
  assert.match(requests[3].answers[0], /Find tools with tool_search\./);
});
