/**
 * Does the adapter for Anthropic keep the contract, and what the API asks for beyond it?
 *
 * 1. The contract, on the roads where our own search is used. The vendor here refuses what the API refuses.
 * 2. Deferred tools: the same bytes whatever is revealed, and no reveal lost, whichever way it came.
 * 3. The hosted search: what it finds may be called, within the session's scope.
 * 4. Which road is taken. 5. The messages: all kinds of content, pauses, cut-off replies. 6. Caching. 7. Parts and mistakes.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { appWith } from "./lib/app.mjs";
import { contract, script } from "./lib/contract.mjs";
import { anthropicClient, anthropicPlain, converse } from "./lib/drives/anthropic.mjs";
import { host, siftOf, toolsOf } from "./lib/tools.mjs";
import { searchResult } from "./lib/wires/anthropic.mjs";

const variants = (mode) => [{ mode, stream: false }, { mode, stream: true }];
contract(anthropicPlain, { variants: variants("plain") });
contract(anthropicClient, { variants: variants("client") });

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];
const ISSUE = { owner: "ada", repo: "engine", title: "It rattles" };
const call = (name, args = {}) => ({ name, args });
const add = (...names) => call("add_tool", { tool_names: names });
const search = (query) => call("search_tools", { query });

/** A drive of some options, for a model that does just what its script says. */
const over = (road) => ({ converse: (options) => converse({ road, ...options }) });
const hosted = over({ mode: "hosted" });

let app;
let adapter;

before(async () => {
  app = await appWith(anthropicPlain.versions[0]);
  adapter = await app.load("toolsift/anthropic");
});

/** One run over a road, on a catalog of its own or the one that is given. */
async function run(drive, replies, { settings, answer, ...options } = {}) {
  const sift = options.sift ?? (await siftOf(app, settings));
  const { execute, ran } = host(answer);
  const about = { app, sift, id: "chat", prompt: "Go on.", execute, ...options };
  const done = await drive.converse({ ...about, script: typeof replies === "function" ? replies : script(...replies) });
  return { ...done, sift, ran };
}

/** A script of whole replies, as the vendor takes them. */
const replies = (...all) => (_, step) => all[step - 1] ?? { text: "All done." };

const results = ({ messages }) => messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool_result");
const toolsOfBody = ({ body }) => body.tools.map(({ name, defer_loading }) => (defer_loading ? `(${name})` : name));
const isSame = (requests) => new Set(requests.map(({ toolsText }) => toolsText)).size === 1;

/** What the messages alone say was revealed. */
async function rebuilt({ messages }, settings) {
  const session = (await siftOf(app, settings)).session("again");
  session.fromMessages(JSON.parse(JSON.stringify(messages)), { format: "anthropic" });
  return session.revealed;
}

const MIXED = [
  [search("create an issue in a repository"), search("read a text file")],
  [call("create_issue", ISSUE), call("create_entities", {})],
  [add("read_graph"), call("no_such_tool"), call("read_text_file", { path: "a.txt" })],
  [call("read_graph"), call("create_entities", { entities: [] })],
];

for (const drive of [anthropicPlain, anthropicClient]) {
  test(`${drive.road}: the messages alone say what was revealed`, async () => {
    const done = await run(drive, MIXED);
    assert.ok(done.session.revealed.length >= 4);
    assert.deepEqual(await rebuilt(done), done.session.revealed);
    assert.deepEqual(done.ran.map(({ name }) => name), ["create_issue", "read_text_file", "read_graph", "create_entities"]);
  });
}

test("deferred: the tools are the same bytes in every request, whatever is revealed", async () => {
  for (const stream of [false, true]) {
    const { requests, sift } = await run(anthropicClient, MIXED, { stream });
    assert.equal(requests.length, 5);
    assert.ok(isSame(requests));
    const all = sift.tools().map(({ name }) => `(${name})`);
    assert.deepEqual(toolsOfBody(requests[0]), [...DISCOVERY, ...all]);
    const [filesystem] = toolsOf("filesystem");
    const sent = requests[0].body.tools.find(({ name }) => name === filesystem.name);
    assert.deepEqual(sent.input_schema, filesystem.inputSchema);
  }
});

test("deferred: what a search loads is referred to, and its text stands behind the results", async () => {
  const { messages } = await run(anthropicClient, [[search("create an issue in a repository"), search("xyzzy plugh")]]);
  const [loaded, nothing, text, ...others] = messages[2].content;
  assert.deepEqual(loaded.content[0], { type: "tool_reference", tool_name: "create_issue" });
  assert.ok(loaded.content.every(({ type }) => type === "tool_reference"));
  assert.equal(typeof nothing.content, "string");
  assert.match(text.text, /^Loaded\. Call them/);
  assert.deepEqual(others, []);
});

test("deferred: an early call is referred to, and its refusal told beside it", async () => {
  const { messages, requests } = await run(anthropicClient, [[call("read_graph"), call("no_such_tool")]]);
  const [early, unknown, text] = messages[2].content;
  assert.deepEqual(early.content, [{ type: "tool_reference", tool_name: "read_graph" }]);
  assert.ok(!("is_error" in early));
  assert.equal(unknown.is_error, true);
  assert.match(text.text, /read_graph was not loaded, so this call did not run/);
  assert.ok(isSame(requests));
});

test("deferred: an early call that loads nothing is refused in words alone", async () => {
  const { messages, requests } = await run(anthropicClient, [[call("read_graph")]], { settings: { unrevealedCall: "refuse" } });
  const [{ content, is_error }, ...others] = messages[2].content;
  assert.match(content, /read_graph/);
  assert.deepEqual([is_error, others], [true, []]);
  assert.deepEqual(requests[1].tools, DISCOVERY);
});

test("deferred: a catalog that changes in the middle is sent as it is now", async () => {
  const sift = await siftOf(app);
  const [read, ...others] = toolsOf("memory").toSorted(({ name }) => (name === "read_graph" ? -1 : 1));
  const fresh = { name: "forget_all", description: "Forgets everything.", inputSchema: { type: "object" } };
  const answer = () => void sift.sync("memory", [{ ...read, description: "Reads it anew." }, ...others, fresh]);
  const { requests, ran } = await run(anthropicClient, [[add("read_graph")], [call("read_graph")], [add("forget_all")], [call("forget_all")]], { sift, answer });
  const sent = ({ body }, wanted) => body.tools.find(({ name }) => name === wanted);
  assert.notEqual(sent(requests[1], "read_graph").description, "Reads it anew.");
  assert.equal(sent(requests[2], "read_graph").description, "Reads it anew.");
  assert.deepEqual([sent(requests[1], "forget_all"), sent(requests[2], "forget_all").defer_loading], [undefined, true]);
  assert.deepEqual(ran.map(({ name }) => name), ["read_graph", "forget_all"]);
});

test("deferred: what was revealed elsewhere is sent like any other tool, in its order, and stays there", async () => {
  const sift = await siftOf(app);
  sift.session("chat").reveal(["read_graph", "create_issue"]);
  const { requests } = await run(anthropicClient, [[call("create_issue", ISSUE)], [add("open_nodes")], [call("open_nodes")]], { sift });
  assert.deepEqual(toolsOfBody(requests[0]).slice(0, 5), [...DISCOVERY, "read_graph", "create_issue"]);
  assert.equal(requests[0].body.tools.length, DISCOVERY.length + sift.tools().length);
  assert.ok(isSame(requests));
  assert.deepEqual(requests[3].tools, [...DISCOVERY, "read_graph", "create_issue", "open_nodes"]);
});

test("deferred: a restart with the messages sends the same bytes, by snapshot or from the messages", async () => {
  const first = await run(anthropicClient, MIXED);
  const messages = () => JSON.parse(JSON.stringify(first.messages));
  const snapshot = first.sift.session("chat").snapshot();
  for (const bring of [(sift) => sift.restore(snapshot), (sift) => sift.session("chat").fromMessages(messages(), { format: "anthropic" })]) {
    const sift = await siftOf(app);
    bring(sift);
    const { requests, ran } = await run(anthropicClient, [[call("create_issue", ISSUE)]], { sift, messages: messages() });
    assert.ok(isSame([...first.requests, ...requests]));
    assert.deepEqual(ran.map(({ name }) => name), ["create_issue"]);
  }
});

test("a conversation goes from road to road without losing a reveal", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicPlain, [[add("read_graph")]], about);
  await run(anthropicClient, [[add("create_issue")]], about);
  const third = await run(hosted, replies({ searches: ["open_nodes"], calls: [call("open_nodes")] }), about);
  const { revealed } = about.sift.session("chat");
  assert.deepEqual(revealed, ["read_graph", "create_issue", "open_nodes"]);
  assert.deepEqual(toolsOfBody(third.requests[1]).slice(0, 2), ["tool_search_tool_bm25", "read_graph"]);
  const back = await run(anthropicPlain, [revealed.map((name) => call(name, ISSUE))], about);
  assert.deepEqual(back.requests[0].tools, [...DISCOVERY, ...revealed]);
  assert.deepEqual(back.ran.map(({ name }) => name), revealed);
  const sent = JSON.stringify(back.requests[0].body.messages);
  assert.match(sent, /"content":\[\{"type":"text","text":"Loaded: create_issue"\}\]/, "models that defer no tools know no references");
  assert.deepEqual(await rebuilt(back), revealed);
});

test("a tool that is gone leaves no reference behind that the API would refuse", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicClient, [[add("read_graph", "create_issue")], [add("open_nodes")]], about);
  await run(hosted, replies({ searches: ["search_nodes"] }), about);
  const kept = JSON.stringify(about.messages);
  about.sift.unregister({ server: "memory" });
  const { requests } = await run(anthropicClient, [[call("read_graph")]], about);
  assert.deepEqual(requests[0].tools, [...DISCOVERY, "create_issue"]);
  assert.match(requests[1].answers[0], /read_graph/);
  assert.ok(JSON.stringify(about.messages).startsWith(kept.slice(0, -1)), "the host's messages stay as they are");
});

test("deferred: an evicted tool that is called is loaded again", async () => {
  const settings = { limits: { revealed: 1 } };
  const steps = [[add("read_graph")], [call("read_graph")], [add("open_nodes")], [call("open_nodes")], [call("read_graph")], [call("read_graph")]];
  const { requests, ran, session } = await run(anthropicClient, steps, { settings });
  assert.ok(isSame(requests));
  assert.deepEqual(ran.map(({ name }) => name), ["read_graph", "open_nodes", "read_graph"]);
  assert.deepEqual(session.revealed, ["read_graph"]);
});

test("deferred: every profile's own discovery tools work", async () => {
  const ways = {
    "search-add": [[call("search_tools", { query: "read_graph" })], [add("read_graph")], [call("read_graph")]],
    "select-load": [[call("ToolSearch", { query: "select:read_graph" })], [call("read_graph")]],
    stub: [[call("tool_search", { query: "read graph" })], [call("read_graph")]],
    bridge: [[call("tool_call", { name: "read_graph", arguments: {} })]],
  };
  for (const [profile, steps] of Object.entries(ways)) {
    const { requests, ran } = await run(anthropicClient, steps, { settings: { profile, activation: "on" } });
    assert.deepEqual(ran.map(({ name }) => name), ["read_graph"], profile);
    assert.ok(isSame(requests), profile);
    assert.ok(requests[0].tools.every((name) => !name.includes("_graph")), profile);
  }
});

test("where nothing is held back, nothing is deferred", async () => {
  for (const drive of [anthropicClient, hosted]) {
    const { requests, sift } = await run(drive, [[call("read_graph")]], { settings: { activation: "off" } });
    assert.deepEqual(toolsOfBody(requests[0]), sift.tools().map(({ name }) => name));
  }
});

test("hosted: what Anthropic finds may be called, and its blocks stay as they came", async () => {
  for (const stream of [false, true]) {
    const steps = replies(
      { text: "Let me look.", searches: ["create_issue"], calls: [call("create_issue", ISSUE)] },
      { calls: [call("create_issue", ISSUE)] },
    );
    const events = [];
    const done = await run(hosted, steps, { stream, onEvent: (event) => void events.push(event) });
    assert.deepEqual(done.ran.map(({ args }) => args), [ISSUE, ISSUE]);
    assert.ok(isSame(done.requests));
    assert.deepEqual(toolsOfBody(done.requests[0])[0], "tool_search_tool_bm25");
    assert.deepEqual(done.requests[1].tools, ["tool_search_tool_bm25", "create_issue"]);
    assert.equal(done.requests[0].system, "You are an agent.", "our section tells of our own search");
    const types = done.messages[1].content.map(({ type }) => type);
    assert.deepEqual(types, ["text", "server_tool_use", "tool_search_tool_result", "tool_use"]);
    assert.deepEqual(done.requests[1].body.messages[1], JSON.parse(JSON.stringify(done.messages[1])));
    assert.deepEqual(await rebuilt(done), done.session.revealed);
    assert.deepEqual(done.reply.searches, []);
    const told = events.map(({ type, tool, step }) => `${step} ${type} ${tool}`);
    assert.deepEqual(told.slice(0, 3), ["1 search tool_search_tool_bm25", "1 reveal tool_search_tool_bm25", "1 dispatch create_issue"]);
    const { query, ranker, rankerVersion, revealed } = events[0];
    assert.deepEqual([query, ranker, rankerVersion], ["create_issue", "tool_search_tool_bm25", "20251119"]);
    assert.deepEqual(revealed, done.session.revealed);
  }
});

test("hosted: a session's scope holds, whatever the vendor answers", async () => {
  const lying = { type: "server_tool_use", id: "srvtoolu_x", name: "tool_search_tool_bm25", input: { query: "all" } };
  const references = ["create_issue", "no_such_tool", "read_graph"].map((tool_name) => ({ type: "tool_reference", tool_name }));
  const content = { type: "tool_search_tool_search_result", tool_references: references };
  const blocks = [lying, { type: "tool_search_tool_result", tool_use_id: "srvtoolu_x", content }];
  const steps = replies({ blocks, calls: [call("create_issue", ISSUE), call("read_graph"), call("no_such_tool")] });
  const { requests, ran, session } = await run(hosted, steps, { scope: { servers: ["memory"] } });
  assert.ok(!requests[0].toolsText.includes("create_issue"));
  assert.deepEqual(ran.map(({ name }) => name), ["read_graph"]);
  assert.deepEqual(session.revealed, ["read_graph"]);
  assert.deepEqual(requests[1].tools, ["tool_search_tool_bm25", "read_graph"]);
  assert.match(requests[1].answers[0], /create_issue"? is not available in this session/);
});

test("hosted: a failed search reveals nothing, and an early call is loaded by reference", async () => {
  const failed = { type: "tool_search_tool_result_error", error_code: "unavailable" };
  const blocks = [
    { type: "server_tool_use", id: "srvtoolu_x", name: "tool_search_tool_bm25", input: { query: "graph" } },
    { type: "tool_search_tool_result", tool_use_id: "srvtoolu_x", content: failed },
  ];
  const steps = replies({ blocks, calls: [call("read_graph")] }, { calls: [call("read_graph")] });
  const { requests, ran } = await run(hosted, steps);
  assert.deepEqual(requests[1].tools, ["tool_search_tool_bm25", "read_graph"]);
  assert.equal(ran.length, 1);
  assert.ok(isSame(requests));
});

test("hosted: where the session is full, what was found is refused with the reason", async () => {
  const settings = { limits: { revealed: 1, whenFull: "refuse" } };
  const steps = replies({ searches: ["read_graph", "open_nodes"], calls: [call("read_graph"), call("open_nodes")] });
  const { requests, ran } = await run(hosted, steps, { settings });
  assert.deepEqual(ran.map(({ name }) => name), ["read_graph"]);
  assert.match(requests[1].answers[1], /the session holds 1 tools?, its limit/);
});

test("an open turn takes nothing but the results, and what is found later is revealed then", async () => {
  const waiting = [{ type: "server_tool_use", id: "srvtoolu_w", name: "tool_search_tool_bm25", input: { query: "read_graph" } }];
  const steps = ({ body }, step) => {
    if (step === 1) return { waiting, calls: [add("create_issue"), call("open_nodes"), call("no_such_tool")] };
    if (step > 2) return { text: "Done." };
    return { blocks: [searchResult("srvtoolu_w", "read_graph", body.tools)], calls: [call("read_graph")] };
  };
  const events = [];
  const done = await run(hosted, steps, { onEvent: (event) => void events.push(event) });
  const [added, early, unknown, ...others] = done.messages[2].content;
  assert.deepEqual(others, []);
  assert.deepEqual(added.content, [{ type: "tool_reference", tool_name: "create_issue" }]);
  assert.match(early.content, /open_nodes was not loaded/);
  assert.equal(early.is_error && unknown.is_error, true);
  assert.deepEqual(done.ran.map(({ name }) => name), ["read_graph"]);
  assert.ok(done.requests[1].tools.includes("open_nodes"), "by being sent like any other tool");
  const found = events.find(({ tool, type }) => type === "search" && tool === "tool_search_tool_bm25");
  assert.deepEqual([found.query, found.step, found.revealed], ["read_graph", 2, ["read_graph"]]);
  assert.deepEqual((await rebuilt(done)).toSorted(), done.session.revealed.toSorted());
});

test("which road `auto` takes is the model's name's to say, or the host's", async () => {
  const first = async (model, road) => {
    const { requests } = await run(over(road), [], { params: { model } });
    return requests[0].tools[0];
  };
  const auto = { mode: "auto" };
  for (const model of ["claude-opus-5-5", "claude-haiku-4-5-20251001", "anthropic.claude-sonnet-4-6-v1:0", "claude-opus-4-5@20251101", "claude-mythos-5-2"]) {
    assert.equal(await first(model, auto), "tool_search_tool_bm25", model);
  }
  for (const model of ["claude-opus-4-1-20250805", "claude-sonnet-4-20250514", "claude-3-5-sonnet-latest", "glm-5", "not-claude-opus-55"]) {
    assert.equal(await first(model, auto), "search_tools", model);
  }
  assert.equal(await first("glm-5", { ...auto, supportsHosted: (model) => model === "glm-5" }), "tool_search_tool_bm25");
  assert.equal(await first("claude-opus-5-5", { ...auto, supportsHosted: () => false }), "search_tools");
  assert.equal(await first("claude-opus-5-5", { mode: "hosted", hostedSearch: "regex" }), "tool_search_tool_regex");
  assert.equal(await first("claude-opus-5-5", undefined), "search_tools");
});

test("no more tools are deferred than the API takes", async () => {
  const { ToolSift } = await app.load("toolsift");
  const sift = new ToolSift();
  sift.register(Array.from({ length: 10_001 }, (_, at) => ({ name: `tool_${at}`, description: "A tool.", inputSchema: { type: "object" } })));
  const asked = (road) => run(over(road), [], { sift });
  for (const mode of ["client", "hosted"]) {
    const refused = (error) => error.code === "limit_out_of_range" && /10001 .* 10000/.test(error.message);
    await assert.rejects(asked({ mode }), refused);
  }
  assert.deepEqual((await asked({ mode: "auto" })).requests[0].tools, DISCOVERY);
  sift.session("chat").reveal(["tool_7"]);
  const { requests } = await asked({ mode: "client" });
  assert.equal(requests[0].body.tools.length, DISCOVERY.length + 10_001);
});

test("all that the model says is kept as it came: thinking, texts, several calls", async () => {
  const thinking = { type: "thinking", thinking: "An issue, then.", signature: "c2ln" };
  const hidden = { type: "redacted_thinking", data: "eHh4" };
  for (const stream of [false, true]) {
    const steps = replies({ blocks: [thinking, hidden], text: "I look.", calls: [add("read_graph"), call("show_all_tools")] });
    const { messages, requests, text } = await run(anthropicPlain, steps, { stream });
    assert.deepEqual(messages[1].content.slice(0, 2), [thinking, hidden]);
    assert.deepEqual(requests[1].body.messages[1].content.map(({ type }) => type), [
      "thinking", "redacted_thinking", "text", "tool_use", "tool_use",
    ]);
    assert.equal(messages[2].content.length, 2, "all calls are answered in one message");
    assert.equal(text, "All done.");
  }
});

test("a paused reply is gone on with, a bounded number of times", async () => {
  for (const stream of [false, true]) {
    const steps = replies({ text: "One, ", stop: "pause_turn" }, { text: "two, ", stop: "pause_turn" }, { text: "three." });
    const { requests, text, finish, messages, steps: count } = await run(anthropicPlain, steps, { stream });
    assert.deepEqual([text, finish, count, requests.length], ["One, two, three.", "done", 1, 3]);
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "assistant", "assistant"]);
  }
  const forever = await run(anthropicPlain, () => ({ text: "…", stop: "pause_turn" }));
  assert.deepEqual([forever.requests.length, forever.reply.message.stop_reason], [11, "pause_turn"]);
});

test("a call that was cut off is not run, however whole it looks", async () => {
  for (const [stream, args] of [[false, { path: "a" }], [true, { path: "a" }], [true, '{"path": "a", "content": "half']]) {
    const stop = "max_tokens";
    const steps = replies({ calls: [call("read_graph"), call("write_file", args)], stop }, { calls: [call("write_file", { path: "a", content: "" })] });
    const sift = await siftOf(app);
    sift.session("chat").reveal(["read_graph", "write_file"]);
    const done = await run(anthropicPlain, steps, { stream, sift });
    assert.deepEqual(done.ran.map(({ name }) => name), ["read_graph", "write_file"]);
    assert.deepEqual(done.ran[1].args, { path: "a", content: "" });
    const [, cut] = results(done);
    assert.match(cut.content, /ended in the middle of this call \(max_tokens\), so this call did not run/);
    assert.equal(cut.is_error, true);
    assert.deepEqual(await rebuilt(done), done.session.revealed);
  }
});

test("a model that is cut off again and again is stopped", async () => {
  const steps = () => ({ calls: [call("search_tools", { query: "read" })], stop: "max_tokens" });
  const { finish, requests } = await run(anthropicPlain, steps, { patience: 3 });
  assert.deepEqual([finish, requests.length], ["refused", 3]);
});

test("a reply without content leaves nothing that the API would refuse", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicPlain, replies({ text: "", stop: "refusal" }), about);
  assert.deepEqual(about.messages.map(({ role }) => role), ["user"]);
  const again = await run(anthropicPlain, replies({ text: "Yes?" }), about);
  assert.equal(again.text, "Yes?");
});

test("images of MCP's are shown to the model, and errors are text", async () => {
  const image = (mimeType) => ({ type: "image", data: "aGk=", mimeType });
  const text = { type: "text", text: "A picture:" };
  const kinds = [
    [{ content: [text, { type: "text", text: "" }, image("image/png")] }, ["text", "image"]],
    [{ content: [image("image/tiff")] }, "string"],
    [{ content: [image("image/png"), image("image/tiff")] }, ["image", "text"]],
    [{ content: [text, image("image/png")], isError: true }, "string"],
    [{ content: [null, { type: "image", data: 5, mimeType: "image/png" }] }, "string"],
    ["", "undefined"],
    [undefined, "undefined"],
  ];
  for (const [result, wanted] of kinds) {
    const sift = await siftOf(app);
    sift.session("chat").reveal(["read_graph"]);
    const done = await run(anthropicPlain, [[call("read_graph")]], { sift, answer: () => result });
    const [{ content }] = results(done);
    assert.deepEqual(Array.isArray(content) ? content.map(({ type }) => type) : typeof content, wanted);
  }
  const [png] = results(await run(anthropicPlain, [[call("read_graph")], [call("read_graph")]], { answer: () => kinds[0][0] })).slice(1);
  assert.deepEqual(png.content[1].source, { type: "base64", media_type: "image/png", data: "aGk=" });
});

test("streaming tells of every event", async () => {
  const events = [];
  const road = { onStreamEvent: (event) => void events.push(event.type) };
  await run(over(road), replies({ text: "Hello." }), { stream: true });
  assert.deepEqual(events.filter((type) => type !== "content_block_delta"), [
    "message_start", "content_block_start", "content_block_stop", "message_delta", "message_stop",
  ]);
  events.length = 0;
  await run(over(road), replies({ text: "Hello." }), { stream: false });
  assert.deepEqual(events, []);
});

test("a run that is ended stops the request, and leaves the messages sendable", async () => {
  const ending = new AbortController();
  const messages = [];
  const steps = (_, step) => {
    if (step === 2) ending.abort(new Error("the user left"));
    return { calls: [call("search_tools", { query: "graph" })] };
  };
  for (const stream of [false, true]) {
    const about = { messages, stream, signal: ending.signal };
    await assert.rejects(run(anthropicPlain, steps, about), stream ? /the user left/ : /abort/i);
  }
  const { text } = await run(anthropicPlain, replies({ text: "Back." }), { messages });
  assert.equal(text, "Back.");
});

test("the host's own prompt, tools and breakpoints stand before ours", async () => {
  const cache_control = { type: "ephemeral" };
  const own = [{ type: "web_search_20250305", name: "web_search" }];
  const system = [{ type: "text", text: "You are an agent.", cache_control }];
  const params = { system, tools: own, cache_control };
  const kept = JSON.stringify(params);
  const toolsCache = { type: "ephemeral", ttl: "1h" };
  const marked = ({ body }) => body.tools.filter((tool) => tool.cache_control).map(({ name }) => name);
  for (const [mode, last] of [["plain", "show_all_tools"], ["client", "show_all_tools"], ["hosted", "tool_search_tool_bm25"]]) {
    const { requests } = await run(over({ mode, toolsCache }), [[add("read_graph")]], { params });
    for (const request of requests) {
      assert.equal(request.body.tools[0].name, "web_search");
      assert.deepEqual(marked(request), [last], mode);
      assert.deepEqual(request.body.system[0], system[0]);
      assert.equal(request.body.system.length, mode === "hosted" ? 1 : 2);
      assert.deepEqual(request.body.cache_control, cache_control);
    }
  }
  assert.equal(JSON.stringify(params), kept);
  const mine = { ...params, tools: [{ type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" }] };
  const { requests } = await run(hosted, [], { params: mine });
  assert.deepEqual(requests[0].tools, ["tool_search_tool_regex"]);
  const none = await run(anthropicPlain, [], { params: { system: undefined } });
  assert.match(none.requests[0].system, /^## Finding tools/);
});

test("the parts serve a loop of one's own, and change nothing that they are given", async () => {
  const { messagesRequest, messagesCalls, messagesSearches, messagesAnswers } = adapter;
  const session = (await siftOf(app)).session("own");
  const params = Object.freeze({ model: "claude-opus-5-5", max_tokens: 10, messages: Object.freeze([{ role: "user", content: "Hi." }]) });
  const body = messagesRequest(params, { session, ...session.assemble({ format: "anthropic" }) }, { mode: "client" });
  assert.equal(body.tools.filter(({ defer_loading }) => defer_loading).length, session.tools().length);
  assert.deepEqual(body.messages, params.messages);
  const message = {
    stop_reason: "tool_use",
    content: [{ type: "text", text: "Hm." }, { type: "tool_use", id: "a", name: "add_tool", input: { tool_names: ["read_graph"] } }],
  };
  const [made] = messagesCalls(message);
  assert.deepEqual(made, { id: "a", name: "add_tool", args: { tool_names: ["read_graph"] } });
  assert.deepEqual(messagesSearches(message), []);
  const outcome = session.call(made.name, made.args);
  const answer = { call: made, outcome, content: outcome.content, isError: false };
  const deferring = messagesAnswers([answer], { session, message });
  assert.deepEqual(deferring.content[0].content, [{ type: "tool_reference", tool_name: "read_graph" }]);
  const [plain] = messagesAnswers([answer]).content;
  assert.deepEqual(plain, { type: "tool_result", tool_use_id: "a", content: outcome.content });
});

test("what the host gets wrong has a code", async () => {
  const { default: Anthropic } = await app.load("@anthropic-ai/sdk");
  const client = new Anthropic({ apiKey: "none" });
  const params = { model: "claude-opus-5-5", max_tokens: 10, messages: [] };
  const wrong = [
    [[{}, params], "option_invalid", /client\.messages/],
    [[undefined, params], "option_invalid", /client\.messages/],
    [[client, undefined], "option_invalid", /params\.messages/],
    [[client, { ...params, messages: "Hi." }], "option_invalid", /params\.messages/],
    [[client, params, { mode: "own" }], "option_invalid", /options\.mode is "own"; one of plain, client, hosted, auto/],
    [[client, params, { hostedSearch: "fuzzy" }], "option_invalid", /one of bm25, regex/],
    [[client, params, { modes: "auto" }], "option_unknown", /"modes"; did you mean mode/],
    [[client, params, { supportsHosted: true }], "option_invalid", /options\.supportsHosted/],
    [[client, params, { onStreamEvent: 1 }], "option_invalid", /options\.onStreamEvent/],
    [[client, params, null], "option_invalid", /options must be an object/],
  ];
  for (const [args, code, message] of wrong) {
    assert.throws(() => adapter.messages(...args), (error) => error.code === code && message.test(error.message), String(message));
  }
});

test("what the client throws ends the run as it is, and nothing is left behind", async () => {
  const { runTools } = await app.load("toolsift");
  const failure = new Error("overloaded");
  const fail = () => Promise.reject(failure);
  const params = { model: "claude-opus-5-5", max_tokens: 10, messages: [{ role: "user", content: "Hi." }] };
  for (const stream of [false, true]) {
    const client = { messages: { create: fail, stream: () => ({ on: () => {}, finalMessage: fail }) } };
    const session = (await siftOf(app)).session("chat");
    const model = adapter.messages(client, { ...params, stream });
    await assert.rejects(runTools(session, { ...model, execute: () => "" }), (error) => error === failure);
  }
  assert.equal(params.messages.length, 1);
});

test("definitions are those of the plain road, whatever the settings and wherever the catalog comes from", async () => {
  const { ToolSift } = await app.load("toolsift");
  const all = [
    {},
    { profile: "search-add" },
    { profile: "stub", config: { threshold: 1 } },
    { profile: "bridge", config: { enabled: true } },
    { profile: "select-load", contextWindow: 200_000 },
    { synonyms: [["issue", "ticket"]], search: { without: ["stems"] } },
    { selection: { servers: ["github"] }, preDiscovered: ["read_graph"] },
    { countTokens: (text) => text.length, activation: { tools: 10 } },
    { limits: { tools: 200, revealed: 2 } },
  ];
  for (const settings of all) {
    const first = await siftOf(app, settings);
    for (const sift of [first, ToolSift.fromIndex(first.exportIndex(), settings)]) {
      const session = sift.session("chat");
      const request = { session, ...session.assemble({ format: "anthropic" }) };
      const params = { model: "claude-opus-5-5", max_tokens: 10, messages: [] };
      const { tools: sent } = adapter.messagesRequest(params, request, { mode: "client" });
      const deferred = sent.filter((tool) => tool.defer_loading);
      assert.ok(deferred.length > 10, JSON.stringify(settings));
      const [{ defer_loading, ...definition }] = deferred;
      session.reveal([definition.name]);
      const shown = session.assemble({ format: "anthropic" }).tools.find(({ name }) => name === definition.name);
      assert.equal(JSON.stringify(definition), JSON.stringify(shown), JSON.stringify(settings));
    }
  }
});
