/**
 * What bad input gets, through the installed package.
 *
 * 1. A `ToolSiftError` with a stable code, whose message names the value and the limit. 2. The state is as it was.
 * 3. Nothing that JavaScript can pass makes the core trap: it works on afterwards.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const cyclic = () => {
  const schema = { type: "object", properties: {} };
  schema.properties.self = schema;
  return schema;
};

const nested = (levels) => {
  const schema = { type: "object" };
  let inner = schema;
  for (let i = 0; i < levels; i++) inner = inner.properties = { type: "object" };
  return schema;
};

test("a single definition", () => {
  const register = (more) => (sift) => sift.register(tool(more));
  refused(register({}), "duplicate_tool", "good");
  refused(register({ name: "" }), "name_empty", '""');
  refused(register({ name: "x".repeat(65) }), "name_too_long", "64");
  refused(register({ name: "a b" }), "name_unsafe", "a_b");
  refused(register({ name: "日本語" }), "name_unsafe", "日本語");
  refused(register({ name: "add_tool" }), "name_reserved", "add_tool");
  refused(register({ name: 7 }), "option_invalid", "7");
  refused(register({ name: undefined }), "tool_shape_unknown", "name");
  refused(register({ name: "\ud800" }), "text_invalid", "surrogate");
  refused(register({ name: "b", description: "y".repeat(10_000_000) }), "description_too_long", "65536");
  refused(register({ name: "b", description: "half \udfff" }), "text_invalid", "surrogate");
  refused(register({ name: "b", inputSchema: { type: "string" } }), "schema_invalid", "string");
  refused(register({ name: "b", inputSchema: [] }), "schema_invalid", "[]");
  refused(register({ name: "b", inputSchema: true }), "schema_invalid", "true");
  refused(register({ name: "b", inputSchema: { type: "object", title: "\ud83d" } }), "text_invalid", "surrogate");
  refused(register({ name: "b", inputSchema: { type: "object", big: "z".repeat(300_000) } }), "schema_too_large", "262144");
  refused(register({ name: "b", inputSchema: nested(70) }), "schema_too_large", "64");
  refused(register({ name: "b", inputSchema: cyclic() }), "not_json", "cyclic");
  refused(register({ name: "b", inputSchema: { type: "object", default: 1n } }), "not_json", "bigint");
  refused(register({ name: "b", inputSchema: { type: "object", check: () => true } }), "not_json", "function");
  refused(register({ name: "b", inputSchema: { type: "object", maximum: NaN } }), "not_json", "NaN");
  const thrower = { toJSON: () => assert.fail("boom") };
  refused(register({ name: "b", inputSchema: thrower }), "not_json", "boom");
});

test("a tool that the vendor runs itself is told by its type and its keys, and what a definition is", () => {
  const register = (one) => (sift) => sift.register(one);
  const wanted = "pass { name, description, inputSchema }";
  refused(
    register({ type: "web_search" }),
    "tool_shape_unknown",
    `a tool needs a name, got { type: "web_search" }; ${wanted}`,
  );
  assert.match(new ToolSift().register([{ googleSearch: {} }]).rejected[0].message, /got \{ googleSearch \};/);
  refused(register({}), "tool_shape_unknown", "a tool needs a name: {}");
  const secret = { type: "mcp", server_label: "x", authorization: "s3cret" };
  const { rejected } = new ToolSift().register([
    secret,
    { type: "t".repeat(500), ...Object.fromEntries([..."abcdefghij"].entries()) },
  ]);
  assert.match(rejected[0].message, /got \{ type: "mcp", server_label, authorization \};/);
  assert.ok(rejected.every(({ code, message }) => code === "tool_shape_unknown" && message.length < 400));
});

test("an alias is offered for a name that vendors refuse", () => {
  const sift = new ToolSift();
  try {
    sift.register({ name: "crm.contacts/import" });
    assert.fail("was taken");
  } catch (error) {
    assert.equal(error.alias, "crm_contacts_import");
    assert.equal(sift.register({ name: error.alias }).registered[0], error.alias);
  }
  assert.throws(() => sift.register({ name: "" }), (error) => !("alias" in error), "other errors do not speak of one");
});

test("a list reports its broken tools by their place in the list", () => {
  const sift = new ToolSift();
  const report = sift.register([tool(), { name: "cyclic", inputSchema: cyclic() }, null, tool({ name: "two" }), tool()]);
  assert.deepEqual(report.registered, ["good", "two"]);
  assert.deepEqual(
    report.rejected.map(({ index, name, code }) => [index, name, code]),
    [
      [1, "cyclic", "not_json"],
      [2, "", "tool_shape_unknown"],
      [4, "good", "duplicate_tool"],
    ],
  );
});

test("what is no tool list", () => {
  for (const wrong of [undefined, null, 7, "[]", true, () => []])
    refused((sift) => sift.register(wrong), "not_json", "list");
  refused((sift) => sift.register({}), "tool_shape_unknown", "name");
  refused((sift) => sift.register({ description: "A", parameters: {} }), "tool_shape_unknown", "name");
  refused((sift) => sift.register(Promise.resolve([])), "not_json", "a promise; await it");
  refused((sift) => sift.sync("s", Promise.resolve([])), "not_json", "a promise; await it");
  refused((sift) => sift.register(new Map([["weather", tool()]])), "not_json", "pass [...tools]");
  for (const take of [(sift, tools) => sift.register(tools), (sift, tools) => sift.sync("s", tools)]) {
    refused((sift) => take(sift, { weather: tool({ name: "weather" }) }), "not_json", "pass Object.values(tools)");
    refused((sift) => take(sift, { weather: { description: "A" } }), "not_json", "({ ...tool, name })");
  }
  const { registered, rejected } = used().register([Promise.resolve(tool()), tool({ name: "two" })]);
  assert.deepEqual(registered, ["two"]);
  assert.deepEqual(rejected.map(({ index, code, message }) => [index, code, message]), [
    [0, "not_json", "the tool is a promise; await it"],
  ]);
  refused((sift) => sift.sync("s", { name: "x" }), "not_json", "list");
  refused((sift) => sift.sync(7, []), "option_invalid", "server");
  refused((sift) => sift.register([], { servr: "x" }), "option_unknown", "server");
  refused((sift) => sift.register([], { server: "" }), "option_invalid", "options.server");
  for (const blank of ["", " ", "s".repeat(513)]) {
    refused((sift) => sift.sync(blank, []), "option_invalid", "a string of 1 to 512 characters");
  }
  refused((sift) => sift.register([], "github"), "option_invalid", "github");
  refused((sift) => sift.unregister({}), "option_invalid", "server");
  refused((sift) => sift.unregister({ names: "good" }), "option_invalid", "names");
});

test("options", () => {
  const create = (options) => () => new ToolSift(options);
  refused(create({ disclosur: "names" }), "option_unknown", "disclosure");
  refused(create({ profile: "nope" }), "option_invalid", "search-add");
  refused(create(null), "option_invalid", "null");
  refused(create("search-add"), "option_invalid", "search-add");
  refused(create({ contextWindow: NaN }), "limit_out_of_range", "NaN");
  refused(create({ contextWindow: Infinity }), "limit_out_of_range", "inf");
  refused(create({ limits: { tools: -1 } }), "limit_out_of_range", "-1");
  refused(create({ limits: { sessions: 2.5 } }), "option_invalid", "whole number");
  refused(create({ limits: { tool: 1 } }), "option_unknown", "tools");
  refused(create({ profile: "search-add", reveal: "never" }), "option_conflict", "could never be called");
  refused(create({ config: {} }), "option_invalid", "no configuration");
  refused(create({ search: { ranker: "bm52" } }), "option_invalid", "bm25");
  refused(create({ search: { without: "stems" } }), "option_invalid", "options.search.without");
  refused(create({ search: { without: ["stems", "salt"] } }), "option_invalid", "options.search.without.1");
  refused(create({ search: { without: [7] } }), "option_invalid", "7");
  refused(create({ budget: 5 }), "option_invalid", "options.budget");
  refused(create({ budget: { tool: 5 } }), "option_unknown", "tools");
  refused(create({ budget: { tools: -1 } }), "limit_out_of_range", "-1");
  refused(create({ budget: { tokens: 1e9 } }), "limit_out_of_range", "10000000");
  refused(create({ budget: { tokens: NaN } }), "limit_out_of_range", "NaN");
  refused(create({ synonyms: { a: "b" } }), "option_invalid", "options.synonyms");
  refused(create({ synonyms: [["a", "b"], "c"] }), "option_invalid", "options.synonyms.1");
  refused(create({ synonyms: [["a", 7]] }), "option_invalid", "options.synonyms.0.1");
  refused(create({ synonyms: [["a", " "]] }), "option_invalid", "options.synonyms.0.1");
  refused(create({ synonyms: [["a", "b".repeat(10_000)]] }), "option_invalid", "512");
  refused(create({ activation: { contextShare: 2 }, contextWindow: 1000 }), "limit_out_of_range", "2");
  refused(create({ countTokens: "cl100k" }), "option_invalid", "countTokens");
  refused(create({ countToken: () => 1 }), "option_invalid", "countTokens");
  refused(create({ search: { ranker: () => "sift" } }), "option_invalid", '() => "sift"');
  refused(create({ preDiscovered: [Symbol("x")] }), "option_invalid", "plain data");
  const options = {};
  options.selection = options;
  refused(create(options), "option_invalid", "8 levels");
});

test("sessions", () => {
  refused((sift) => sift.session(""), "session_id_invalid", "256");
  refused((sift) => sift.session("x".repeat(300)), "session_id_invalid", "300");
  refused((sift) => sift.session(7), "option_invalid", "7");
  refused((sift) => sift.session("\ud800"), "text_invalid", "surrogate");
  refused((sift) => sift.search("a", { session: "nowhere" }), "session_closed", "nowhere");
  refused((sift) => sift.explain("a", "good", { session: "nowhere" }), "session_closed", "nowhere");
  refused((sift) => sift.session("s").rescope(), "option_invalid", "all");
  refused((sift) => sift.session("s").rescope({ server: [] }), "option_unknown", "servers");
  refused((sift) => sift.closeSession(""), "session_id_invalid", "256");
  refused((sift) => sift.session("t", { scop: {} }), "option_unknown", "scope");
  refused((sift) => sift.session("s", { scope: { servers: ["x"] } }), "option_invalid", "another scope");
  refused((sift) => sift.session("s").assemble({ format: "opena" }), "option_invalid", "openai");
  refused((sift) => sift.session("s").assemble("openai"), "option_invalid", "openai");
  refused((sift) => sift.session("s").reveal(["good", "nope"]), "tool_unknown", "nope");
  refused((sift) => sift.session("s").reveal("good"), "option_invalid", "good");
  refused((sift) => sift.session("s").call(7), "option_invalid", "7");
  refused((sift) => sift.session("s").call("good", cyclic()), "not_json", "cyclic");
  for (const wrong of [null, {}, [], 7, "text", { toolsift: 3 }, { toolsift: 2 }, { toolsift: 1, id: "x" }]) {
    refused((sift) => sift.restore(wrong), "snapshot_invalid", "snapshot");
  }
  const snapshot = new ToolSift().session("s").snapshot();
  refused((sift) => sift.restore(snapshot, { replace: "yes" }), "option_invalid", "a boolean");
  refused((sift) => sift.restore(snapshot, { replaces: true }), "option_unknown", "replace");
  refused((sift) => sift.restore({ ...snapshot, toolsift: 3 }), "snapshot_invalid", "version 3");
  refused((sift) => sift.restore({ ...snapshot, profile: "sieve" }), "snapshot_invalid", "sieve");
  refused((sift) => sift.session("s").evict(), "option_invalid", "tools or tokens");
  refused((sift) => sift.session("s").evict({ tools: -1 }), "limit_out_of_range", "-1");
  refused((sift) => sift.session("s").evict({ tools: 1.5 }), "option_invalid", "whole number");
  refused((sift) => sift.session("s").evict({ token: 1 }), "option_unknown", "tokens");
  refused((sift) => sift.session("s").evict(3), "option_invalid", "3");
});

test("searches", () => {
  refused((sift) => sift.search("("), "pattern_invalid", "missing closing )", { profile: "search-add" });
  refused((sift) => sift.search("a".repeat(2_000)), "pattern_invalid", "1000", { profile: "search-add" });
  refused((sift) => sift.search(7), "option_invalid", "7");
  refused((sift) => sift.search("\udc00"), "text_invalid", "surrogate");
  refused((sift) => sift.search("a", { limit: 0 }), "limit_out_of_range", "0");
  refused((sift) => sift.search("a", { limit: NaN }), "limit_out_of_range", "NaN");
  refused((sift) => sift.explain("a", "nope"), "tool_unknown", "nope");
  const { stage, hits } = used().search("/[good/");
  assert.deepEqual([stage, hits[0].name], ["sift", "good"], "the words of a pattern that is not valid");
});

test("null in the place of options, and of an option, is as if it was left out", () => {
  const sift = used();
  const session = sift.session("s");
  for (const [what, ask] of Object.entries({
    register: (options) => sift.register([], options),
    sync: (options) => sift.sync("s", [], options),
    search: (options) => sift.search("good", options),
    explain: (options) => sift.explain("good", "good", options),
    size: (options) => sift.size(options),
    assemble: (options) => session.assemble(options).tools,
    heldBack: (options) => session.heldBack(options),
    call: (options) => session.call("show_all_tools", {}, options),
  })) {
    assert.deepEqual(ask(null), ask(undefined), what);
  }
  assert.equal(sift.session("s", null).id, sift.session("s").id);
  assert.deepEqual(sift.restore(session.snapshot(), null).missing, []);
  assert.deepEqual(session.assemble({ format: null }).tools, session.assemble({}).tools);
  assert.deepEqual(sift.search("good", { limit: null, reasons: null }), sift.search("good"));
  assert.deepEqual(new ToolSift({ profile: null, limits: null }).settings, new ToolSift().settings);
  // Null in the place of what narrows may stand for a value that was not found.
  refused((sift) => sift.search("good", { session: null }), "option_invalid", "options.session is null");
  refused((sift) => sift.session("t", { scope: null }), "option_invalid", "options.scope is null");
  refused(() => new ToolSift({ selection: null }), "option_invalid", "options.selection is null");
  refused(() => ToolSift.fromIndex(sift.exportIndex(), { contentHash: null }), "option_invalid", "contentHash");
  refused(() => new ToolSift({ countTokens: null }), "option_invalid", "countTokens");
});

test("a model's nonsense is answered, not thrown", () => {
  const session = used().session("s");
  const args = [undefined, null, 7, "{", "[]", [], "\ud800", { query: "\ud800" }, { query: 7 }, { tool_names: "x" }];
  for (const name of ["search_tools", "add_tool", "show_all_tools", "good", "nope", "", "\ud800", "__proto__"]) {
    for (const one of args) assert.ok(["result", "dispatch", "refused"].includes(session.call(name, one).kind));
  }
  assert.deepEqual(session.revealed, ["good"]);
});

test("a token counter that fails", () => {
  const failing = (countTokens, part) => {
    const sift = used({ countTokens });
    assert.throws(
      () => sift.session("s").assemble(),
      (error) => ToolSiftError.is(error) && error.code === "counter_failed" && error.message.includes(part),
    );
    assert.deepEqual(sift.session("s").revealed, ["good"], "no reveal is lost");
  };
  failing(() => NaN, "NaN");
  failing(() => "12", "12");
  failing(() => -1, "-1");
  failing(() => {
    throw new Error("no tokenizer");
  }, "no tokenizer");
  let sift;
  const nosy = () => sift.size().tokens;
  sift = used({ countTokens: nosy });
  assert.throws(() => sift.size(), (error) => error.code === "counter_failed" && error.message.includes("must not use"));
  assert.equal(used({ countTokens: (text) => text.length }).session("s").assemble().size.parts.prompt.tokens > 100, true);
});

test("use after dispose", () => {
  const sift = used();
  const session = sift.session("s");
  sift.dispose();
  sift.dispose();
  for (const attempt of [() => sift.tools(), () => session.assemble(), () => session.revealed, () => sift.session("t")]) {
    assert.throws(attempt, (error) => ToolSiftError.is(error) && error.code === "disposed");
  }
});

