/**
 * What mistakes of the host and hostile data get, through the installed package.
 *
 * 1. A `ToolSiftError` with a stable code, whose message names the value and the limit. 2. The state is as it was.
 * 3. Long and hostile texts and patterns of a model are answered in bounded time. 4. A vendor's reply of another form than
 * its API's is `reply_invalid`; what a client throws stays as it is. 5. A callback that throws leaves the core usable.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./installed.mjs";
import { refused, tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { runTools } = await entry("index.js");
const [openai, anthropic, google] = await Promise.all(
  ["openai", "anthropic", "google"].map((name) => entry(`adapters/${name}.js`)),
);

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
  refused(register({ name: "b", inputSchema: true }), "schema_invalid", "true");
  refused(register({ name: "b", inputSchema: { type: "object", title: "\ud83d" } }), "text_invalid", "surrogate");
  refused(register({ name: "b", inputSchema: { type: "object", big: "z".repeat(300_000) } }), "schema_too_large", "262144");
  refused(register({ name: "b", inputSchema: nested(70) }), "schema_too_large", "64");
  refused(register({ name: "b", inputSchema: cyclic() }), "not_json", "cyclic");
  refused(register({ name: "b", inputSchema: { type: "object", default: 1n } }), "not_json", "bigint");
  refused(register({ name: "b", inputSchema: { type: "object", check: () => true } }), "not_json", "function");
  refused(register({ name: "b", inputSchema: { type: "object", maximum: NaN } }), "not_json", "NaN");
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
  assert.throws(
    () => sift.register({ name: "" }),
    (error) => !("alias" in error),
    "other errors do not speak of one",
  );
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
  assert.deepEqual(
    rejected.map(({ index, code, message }) => [index, code, message]),
    [[0, "not_json", "the tool is a promise; await it"]],
  );
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
  refused(create({ profile: { name: "sift", config: {} } }), "option_invalid", "no configuration");
  refused(create({ profile: "stub", config: {} }), "option_unknown", "profile: { name, … }");
  refused(create({ profile: { name: "stub", threshold: 1 } }), "option_unknown", "options.profile");
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
  refused(create(Promise.resolve({})), "option_invalid", "a promise; await it");
  refused(create({ limits: Promise.resolve({}) }), "option_invalid", "options.limits is a promise; await it");
  refused((sift) => sift.session("t", { scope: Promise.resolve({}) }), "option_invalid", "a promise; await it");
  refused((sift) => sift.session("t", { scope: { servers: new Set(["a"]) } }), "option_invalid", "pass a list");
  refused((sift) => sift.search("a", new Map()), "option_invalid", "pass a list");
});

test("options of a class's instance are its fields, its getters and the methods that are options", () => {
  class Options {
    profile = "search-add";
    get limits() {
      return { sessions: 7 };
    }
    countTokens(text) {
      return text.length * this.limits.sessions;
    }
    describe() {}
  }
  const sift = new ToolSift(new Options());
  sift.register([tool()]);
  assert.equal(sift.settings.profile, "search-add");
  assert.equal(sift.settings.limits.sessions, 7);
  assert.equal(sift.size().tokens % 7, 0);
  assert.throws(
    () => new ToolSift(Object.assign(new Options(), { profil: "sift" })),
    (error) => error.code === "option_unknown",
  );
});

test("sessions", () => {
  refused((sift) => sift.session(""), "session_id_invalid", "256");
  refused((sift) => sift.session("x".repeat(300)), "session_id_invalid", "300");
  refused((sift) => sift.session(7), "option_invalid", "7");
  refused((sift) => sift.session(), "option_invalid", "the id of a conversation");
  refused((sift) => sift.session("s").callAll("x"), "option_invalid", "list");
  refused((sift) => sift.session("s").callAll([null]), "option_invalid", "null");
  refused((sift) => sift.session("s").reveal(new Array(20_001).fill("x")), "option_invalid", "20000");
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
  refused((sift) => sift.session("s").prefetch(7), "option_invalid", "7");
  refused((sift) => sift.session("s").prefetch("x", { tool: 1 }), "option_unknown", "tools");
  refused((sift) => sift.session("s").prefetch("x", { tools: -1 }), "limit_out_of_range", "-1");
  refused((sift) => sift.session("s").register("x"), "not_json", "list");
  refused((sift) => sift.session("s").register([], { servr: "x" }), "option_unknown", "server");
  refused((sift) => sift.session("s").sync(1, []), "option_invalid", "server");
  refused((sift) => sift.session("s").unregister({}), "option_invalid", "server");
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

const boom = () => {
  throw new Error("boom");
};
const user = { role: "user", content: "hi" };
const has =
  (code, part = "") =>
  (error) =>
    ToolSiftError.is(error) && error.code === code && error.message.includes(part);

/** Leads a run with a model. */
const run = (model, execute = () => "done") => runTools(used().session("s"), { ...model, execute, maxSteps: 3 });

test("several queries at once", () => {
  const both = [(sift, query) => sift.search(query), (sift, query) => sift.explain(query, "good")];
  for (const ask of both) {
    refused((sift) => ask(sift, []), "query_empty", "0");
    refused((sift) => ask(sift, ["", " \n"]), "query_empty", "2");
    refused((sift) => ask(sift, ["a", 7]), "option_invalid", "query.1");
    refused((sift) => ask(sift, new Array(20_001).fill("a")), "option_invalid", "20000");
    refused((sift) => ask(sift, [["a"]]), "option_invalid", "a list");
    refused((sift) => ask(sift, ["\ud800"]), "text_invalid", "surrogate");
    refused((sift) => ask(sift, { 0: "a", length: 1 }), "option_invalid", "an object");
  }
  const sift = used();
  sift.register([
    tool({ name: "tides", description: "Tells high water." }),
    tool({ name: "mail", description: "Sends letters." }),
  ]);
  const { query, hits } = sift.search(["  high water ", "", "send a letter"]);
  assert.equal(query, "high water\nsend a letter");
  assert.deepEqual(hits.map(({ name }) => name).sort(), ["mail", "tides"]);
  assert.deepEqual(sift.search(["high water"]), sift.search("high water"));
  assert.equal(sift.explain(["high water", "send a letter"], "mail").found, true);
});

test("long and hostile texts are answered by every profile in bounded time", () => {
  const patterns = "(a*)*b|[[:x{999}".repeat(700);
  const script = "\u202e日本語🏴‍☠️\u0000\u0301-+server:select:\n".repeat(400);
  const words = "weather ".repeat(100_000);
  for (const { name: profile } of ToolSift.profiles()) {
    const sift = used({ profile, activation: "on", deferral: "opt-out" });
    const search = sift
      .session("s")
      .assemble()
      .tools.find((one) => one.inputSchema.properties?.query)?.name;
    for (const query of [patterns, script, words]) {
      assert.ok(query.length > 10_000);
      for (const form of [query, [query, query]]) {
        try {
          assert.ok(Array.isArray(sift.search(form).hits));
        } catch (error) {
          assert.ok(["pattern_invalid", "no_scorable_terms"].includes(error.code), `${profile}: ${error}`);
        }
      }
      assert.equal(sift.session("s").call(search, { query }).kind, "result", profile);
    }
  }
});

test("hostile patterns are answered in bounded time", () => {
  const sift = used({ profile: "search-add" });
  const own = used();
  for (const one of [sift, own]) one.register([tool({ name: "long", description: "a".repeat(60_000) })]);
  for (const query of ["(a*)*b", "(a|a)*b", "(a+)+$", "((a?){30}){30}a", ".*.*.*.*=x", "(.{0,200}){0,5}b"]) {
    try {
      sift.search(query);
    } catch (error) {
      assert.equal(error.code, "pattern_invalid", String(error));
    }
    assert.ok(own.search(`/${query}/`).searched === 2, "ours reads what is no pattern as words");
  }
});

test("a vendor's reply of any other form is an error with a code", async () => {
  const chat = (reply, stream) =>
    openai.chatModel({ chat: { completions: { create: async () => reply } } }, { model: "m", messages: [user], stream });
  const responses = (reply, stream) =>
    openai.responsesModel({ responses: { create: async () => reply } }, { model: "m", input: [user], stream });
  const messages = (reply) =>
    anthropic.messagesModel(
      { messages: { create: async () => reply, stream: boom } },
      { model: "m", max_tokens: 1, messages: [user] },
    );
  const contents = (reply, stream) =>
    google.googleModel(
      { models: { generateContent: async () => reply, generateContentStream: async () => reply } },
      { model: "m", contents: [{ role: "user", parts: [] }] },
      { stream },
    );
  const models = [
    ...[null, {}, 10n, { choices: [{ message: { tool_calls: [{}] } }] }].map((reply) => chat(reply)),
    ...[{}, [{ choices: 7 }], [null], []].map((reply) => chat(reply, true)),
    ...[null, {}, { output: [null] }, { output: [], status: "failed" }].map((reply) => responses(reply)),
    ...[{}, [{ type: "error" }], [null], []].map((reply) => responses(reply, true)),
    ...[undefined, {}, { content: [null] }, { content: [{ type: "tool_search_tool_result" }] }].map(messages),
    ...[null, { candidates: [{ content: { parts: [null] } }] }].map((reply) => contents(reply)),
    ...[{}, [null]].map((reply) => contents(reply, true)),
  ];
  for (const [at, model] of models.entries()) await assert.rejects(run(model), has("reply_invalid"), `model ${at}`);
  // What the client itself throws is not touched.
  await assert.rejects(
    run(openai.chatModel({ chat: { completions: { create: boom } } }, { model: "m", messages: [user] })),
    { message: "boom" },
  );
});

test("names that a vendor's search returns are texts, or none", async () => {
  const send =
    (names) =>
    ({ step }) => ({ calls: [], searches: step === 1 ? [{ id: "1", tool: "t", version: "1", query: null, names }] : [] });
  await assert.rejects(run({ send: send([7]) }), has("option_invalid", "searches"));
  const content = [
    {
      type: "tool_search_tool_result",
      tool_use_id: "1",
      content: { type: "tool_search_tool_search_result", tool_references: [{}, { tool_name: "good" }] },
    },
  ];
  const create = async () => ({ role: "assistant", content, stop_reason: "end_turn" });
  const client = { messages: { create, stream: create } };
  const model = anthropic.messagesModel(client, { model: "m", max_tokens: 9, messages: [user] });
  const session = used().session("searches");
  const { searches } = await model.send({ session, step: 1, tools: [], systemPrompt: "" });
  assert.deepEqual(searches[0].names, ["good"]);
});

test("a callback that throws leaves the core usable, and what a listener throws ends nothing", async () => {
  let fails = false;
  const countTokens = (text) => (fails ? boom() : text.length);
  const sift = used({ countTokens, activation: "on" });
  const session = sift.session("s");
  for (let round = 0; round < 2; round++) {
    // Counts are kept: a new tool has none.
    sift.register(tool({ name: `another_${round}` }));
    fails = true;
    for (const way of [() => session.assemble(), () => sift.size()]) assert.throws(way, has("counter_failed", "boom"));
    fails = false;
    assert.equal(session.assemble().size.full.tools, 2 + round);
  }
  assert.throws(() => used({ countTokens: async () => 1 }).size(), has("counter_failed", "a promise"));
  const meddling = new ToolSift({ countTokens: (text) => (meddling.register([tool()]), text.length) });
  meddling.register([tool()]);
  assert.throws(() => meddling.size(), has("counter_failed", "must not use the ToolSift"));
  // What a callback throws while options are read or a search is ranked reaches the host as it is.
  assert.throws(
    () =>
      sift.size({
        get format() {
          return boom();
        },
      }),
    { message: "boom" },
  );
  const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good" }] : [] });
  assert.equal((await run({ send, onEvent: boom })).finish, "done");
  await assert.rejects(run({ send: boom }), { message: "boom" });
  assert.equal(sift.search("works").searched, 3);
});

test("use after dispose", () => {
  const sift = used();
  const session = sift.session("s");
  sift.dispose();
  sift.dispose();
  const ofSift = [() => sift.tools(), () => sift.session("t"), () => sift.exportIndex(), () => sift.contentHash];
  for (const attempt of [...ofSift, () => session.assemble(), () => session.revealed]) {
    assert.throws(attempt, (error) => ToolSiftError.is(error) && error.code === "disposed");
  }
});
