/**
 * What is special to a search that the client executes? Definitions come by value and once, the tools never change, and
 * whatever was revealed elsewhere reaches the model as well.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { add, DISCOVERY, ISSUE, search } from "./lib/calls.mjs";
import { agentOf, call } from "./lib/openai.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";
import { responses } from "../apis/responses.mjs";

const user = { role: "user", content: "Go on." };
const params = (others = {}) => ({ model: "gpt-5.4", input: [{ ...user }], ...others });
/** The definitions of each item that gives some, by name. */
const givenBy = (items) => {
  const givers = items.filter(({ type }) => type === "tool_search_output" || type === "additional_tools");
  return givers.map(({ tools }) => tools.map(({ name }) => name));
};

const agent = (replies, given, { options, ...more } = {}) =>
  agentOf(responses, "responsesModel", replies, given, { options: { toolSearch: "client", ...options }, ...more });

for (const version of allOrLast(["openai-6", "openai"])) {
  test(`${version}: the tools never change, and each definition comes once, by value, where it was searched`, async () => {
    const given = params();
    const replies = [
      [search("create an issue in a repository")],
      [search("create an issue in a repository"), search("read_graph")],
      [call("create_issue", ISSUE), call("read_graph")],
    ];
    const { requests, sift, ran } = await agent(replies, given, { version });
    assert.equal(new Set(requests.map(({ toolsText }) => toolsText)).size, 1);
    assert.deepEqual(
      requests[0].body.tools.map(({ type, name, execution }) => name ?? [type, execution]),
      [["tool_search", "client"], "add_tool", "show_all_tools"],
    );
    assert.ok(
      !requests[0].system.includes("search_tools") && requests[0].system.includes("say what you need to tool_search"),
    );
    const [first, ...others] = givenBy(given.input);
    assert.equal(first[0], "create_issue");
    assert.deepEqual([first, ...others].flat(), sift.session("chat").revealed, "each once, in the order of the reveal");
    const { tools } = sift.session("chat").assemble({ format: "openai-responses" });
    const definition = tools.find(({ name }) => name === "create_issue");
    const [output] = given.input.filter(({ type }) => type === "tool_search_output");
    assert.deepEqual(output.tools[0], { ...definition, defer_loading: true });
    const made = given.input.find(({ name }) => name === "create_issue");
    assert.equal(made.namespace, "create_issue", "a call goes back as it came");
    assert.deepEqual(pluck(ran, "name"), ["create_issue", "read_graph"]);
    for (const [at, { body }] of requests.slice(1).entries()) {
      const before = requests[at].body.input;
      assert.deepEqual(body.input.slice(0, before.length), before, "the conversation only grows");
    }
  });
}

test("what was revealed elsewhere joins the conversation at its end, in its order, and once", async () => {
  for (const additions of ["tool_search", "additional_tools"]) {
    const given = params();
    const options = { additions };
    const { sift, requests } = await agent([[add("create_issue", "read_graph")]], given, { options });
    assert.deepEqual(givenBy(requests[1].body.input), [["create_issue", "read_graph"]]);
    assert.equal(requests[1].body.input.at(-1).type, additions === "tool_search" ? "tool_search_output" : additions);
    sift.session("chat").reveal(["list_issues"]);
    given.input.push({ ...user });
    const next = await agent([[call("list_issues"), call("open_nodes")]], given, { sift, options });
    assert.deepEqual(givenBy(next.requests[0].body.input), [["create_issue", "read_graph"], ["list_issues"]]);
    assert.deepEqual(givenBy(next.requests[1].body.input).at(-1), ["open_nodes"], "what was called too early");
    assert.equal(new Set([...requests, ...next.requests].map(({ toolsText }) => toolsText)).size, 1);
  }
});

test("a conversation that comes back from a storage is given nothing twice; what a server changed is given again", async () => {
  const given = params();
  const { sift } = await agent([[search("create an issue in a repository")]], given);
  const before = givenBy(given.input);
  const shuffled = JSON.parse(JSON.stringify(given.input), (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );
  // The vendor of this test takes items back only as they were, whatever the order of their keys.
  const stored = params({ input: [...shuffled, user] });
  await agent([], stored, { sift });
  assert.deepEqual(givenBy(stored.input), before);
  const changed = toolsOf("github").map((tool) =>
    tool.name === "create_issue" ? { ...tool, description: "Reports" } : tool,
  );
  sift.sync("github", changed);
  const { requests } = await agent([], stored, { sift });
  assert.deepEqual(givenBy(requests[0].body.input), [...before, ["create_issue"]]);
  assert.equal(requests[0].body.input.at(-1).tools[0].description, "Reports");
});

test("a run that ends on a search is rebuilt from the conversation, and goes on", async () => {
  const given = params();
  const first = await agent([[search("create an issue in a repository")]], given, { maxSteps: 1 });
  assert.equal(first.finish, "steps");
  const stored = params({ input: [...JSON.parse(JSON.stringify(given.input)), user] });
  const sift = await siftOf(first.app);
  sift.session("chat").fromMessages(stored.input, { format: "openai-responses" });
  assert.deepEqual(sift.session("chat").revealed, first.sift.session("chat").revealed);
  const next = await agent([[call("create_issue", ISSUE)]], stored, { sift });
  assert.deepEqual(next.requests[0].tools, [...DISCOVERY, ...first.sift.session("chat").revealed]);
  assert.equal(givenBy(stored.input).length, 1, "the search's own output has the definitions");
  assert.equal(next.ran.length, 1);
});

test("where the vendor keeps the conversation, it is given nothing twice, if a new process is told what it has", async () => {
  const given = params({ previous_response_id: responses.begin("resp") });
  const first = await agent([[search("create an issue in a repository")], [call("create_issue", ISSUE)]], given);
  const { revealed } = first.sift.session("chat");
  assert.deepEqual(first.reply.given, revealed);
  assert.deepEqual(givenBy(first.requests.at(-1).items), [revealed]);
  for (const [told, times] of [
    [first.reply.given, 1],
    [undefined, 2],
  ]) {
    const later = params({ previous_response_id: first.reply.response.id });
    const next = await agent([[call("create_issue", ISSUE)]], later, { sift: first.sift, options: { given: told } });
    assert.equal(givenBy(next.requests.at(-1).items).length, times);
    assert.deepEqual(next.reply.given, revealed);
    assert.equal(next.ran.length, 1);
  }
});

test("what a compaction may have lost is given again", async () => {
  const compaction = { type: "compaction", encrypted_content: "gAAAA" };
  for (const kept of [{}, { previous_response_id: responses.begin("resp") }]) {
    const given = params(kept);
    const replies = (_, step) =>
      [
        { calls: [add("create_issue")] },
        { calls: [], output: [compaction, { type: "message", role: "assistant", content: [] }] },
        { text: "All done." },
      ][step - 1];
    const { sift, requests } = await agent(replies, given);
    assert.deepEqual(givenBy(requests.at(-1).items), [["create_issue"]]);
    given.input.push({ ...user });
    const next = await agent([[call("create_issue", ISSUE)]], given, { sift });
    assert.deepEqual(givenBy(next.requests.at(-1).items), [["create_issue"], ["create_issue"]]);
  }
});

test("a search that is wrong, finds nothing or only lists says so, and the model is not led on by the old name", async () => {
  const wrong = [call("search_tools", {}), call("search_tools", '{"que'), search("quantum teapot")];
  const replies = [wrong, [call("no_such_tool")]];
  const { requests } = await agent(replies, params());
  const [empty, broken, nothing] = requests[1].answers;
  assert.match(empty, /query is required/);
  assert.match(broken, /arguments are not JSON/);
  assert.match(nothing, /No tool matches/);
  assert.deepEqual(givenBy(requests[1].body.input), [[], [], []]);
  assert.match(requests[2].answers[0], /Find tools with tool_search\./);
});

test("tools of the catalog that are called like a search are called as they are", async () => {
  const { ToolSift } = await (await appWith({ openai: "openai" })).load("toolsift");
  const inputSchema = { type: "object" };
  const named = (...names) => names.map((name) => ({ name, description: `Finds a ${name}`, inputSchema }));
  const sift = new ToolSift();
  sift.register(named("search_tools", "tool_search"), { server: "z" });
  sift.register(named("a"), { server: "search_tools" });
  const loaded = { type: "function_call", name: "tool_search", arguments: "{}", namespace: "tool_search" };
  const replies = [[search("search_tools")], [call("z__search_tools"), call("tool_search", {}, { item: loaded })]];
  const { requests, ran } = await agent(replies, params(), { sift });
  assert.match(requests[1].answers[0], /^- z__search_tools\(/m);
  assert.deepEqual(pluck(ran, "name"), ["search_tools", "tool_search"]);
  const off = new ToolSift({ activation: "off" });
  off.register(named("tool_search", "ToolSearch", "a"));
  const all = await agent([[call("ToolSearch")]], params(), { sift: off });
  assert.deepEqual(pluck(all.requests[0].body.tools, "type", "name"), [
    ["function", "tool_search"],
    ["function", "ToolSearch"],
    ["function", "a"],
  ]);
  assert.equal(all.ran.length, 1);
});

test("a model that calls the search as a function is answered as such", async () => {
  const item = { type: "function_call", name: "tool_search", arguments: '{"query":"create an issue in a repository"}' };
  const { requests } = await agent([[call("tool_search", {}, { item })], [call("create_issue", ISSUE)]], params());
  assert.match(requests[1].answers[0], /^Loaded\./);
  assert.equal(givenBy(requests[1].body.input)[0][0], "create_issue");
  assert.deepEqual(requests[2].answers, ["github/create_issue did it"]);
});
