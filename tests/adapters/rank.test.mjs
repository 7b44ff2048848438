/**
 * What if the host ranks tools itself, by `rank`?
 *
 * 1. It is asked about searches of the model only, with what the session may find; the core answers, and its budget holds.
 * 2. A ranker that throws, hangs or returns no list gives way to the core's, and that is told: by the event, or by a warning.
 * 3. A run that ends does not wait for it, and its own signal ends too.
 * 4. Doors and the middleware take it; options that do not go with it are refused.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { appWith } from "./lib/app.mjs";
import { add, call, search, script } from "./lib/calls.mjs";
import { chatModel, LANGCHAIN } from "./lib/drives/langchain.mjs";
import { run } from "./lib/loop.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const AI = { ai: "ai", "@ai-sdk/openai": "@ai-sdk/openai" };

/** Runs one reply: its answers, and the search events. */
async function answersOf(calls, options) {
  const events = [];
  const onEvent = (event) => void events.push(event);
  const { seen, session } = await run(calls, { onEvent, ...options });
  return {
    contents: seen[1]?.answers.map(({ content }) => content),
    session,
    searches: events.filter(({ type }) => type === "search"),
  };
}

/** What was written to `console.warn` while something was done. */
async function warned(work) {
  const { warn } = console;
  const lines = [];
  console.warn = (...args) => void lines.push(args.join(" "));
  try {
    await work();
  } finally {
    console.warn = warn;
  }
  return lines;
}

test("it is told what the session may find, with servers, descriptions and schemas", async () => {
  let given;
  await answersOf([search("graph")], { rank: (_, tools) => ((given = tools), []) });
  const captured = toolsOf("memory").find(({ name }) => name === "read_graph");
  const { description, inputSchema } = captured;
  assert.deepEqual(given.get("read_graph"), { name: "read_graph", server: "memory", description, inputSchema });
  assert.ok(given.names.length > 50 && [...given].every(({ server }) => typeof server === "string"));
  assert.deepEqual(pluck([...given], "name"), given.names);
  assert.equal(given.get("nothing"), undefined);
});

test("definitions are read only where it asks for them", async () => {
  const { ToolSift } = await (await appWith()).load("toolsift");
  const sift = new ToolSift({ activation: "on" });
  sift.register(toolsOf("memory"), { server: "memory" });
  const session = sift.session("s");
  let read = 0;
  const heldBack = session.heldBack.bind(session);
  session.heldBack = (...args) => ((read += 1), heldBack(...args));
  const found = (rank) => session.callAsync("search_tools", { query: "graph" }, { rank });
  assert.match((await found((_, { names }) => [names[0]])).content, /- create_entities/);
  assert.equal(read, 0);
  assert.match((await found((_, tools) => [tools.get("read_graph").name])).content, /- read_graph/);
  assert.equal(read, 1);
  session.register([{ name: "fetch_moon", description: "Fetch the moon." }], { server: "sky" });
  assert.match((await found((_, { names }) => [names.at(-1)])).content, /- fetch_moon/);
});

test("what the model names itself, what is no search, and what is no query go to the core", async () => {
  const asked = [];
  const rank = (query) => (asked.push(query), []);
  const calls = [
    search("select:open_nodes"),
    add("search_nodes"),
    call("search_tools", {}),
    call("search_tools", { query: " " }),
  ];
  const { contents, session } = await answersOf(calls, { rank });
  assert.deepEqual(asked, []);
  assert.deepEqual(session.revealed.slice(2), ["open_nodes", "search_nodes"]);
  assert.match(contents[2], /query is required/);
});

test("several queries are one text, arguments may be JSON text, and other arguments hold", async () => {
  const asked = [];
  const rank = (query, tools) => (asked.push(query), tools.names);
  const args = JSON.stringify({ queries: ["one", "two"], limit: 3 });
  const { contents, searches } = await answersOf([call("search_tools", args)], { rank });
  assert.deepEqual(asked, ["one\ntwo"]);
  assert.equal(contents[0].match(/^- /gm).length, 3);
  assert.equal(searches[0].query, "one\ntwo");
});

test("the core's budget bounds what the host's choice loads", async () => {
  const names = ["open_nodes", "search_nodes", "read_text_file", "list_directory", "get_file_info", "move_file", "echo"];
  const { session, contents } = await answersOf([search("anything")], { rank: () => [...names, ...names] });
  const loaded = session.revealed.slice(2);
  assert.ok(loaded.length > 0 && loaded.length <= 5);
  assert.deepEqual(loaded, names.slice(0, loaded.length));
  assert.match(contents[0], /Not loaded[^]*- echo\(/);
});

test("a ranker that fails gives way to the core's, and that is told", async () => {
  const { contents: own } = await answersOf([search("create an issue")], {});
  const failing = [
    [
      () => {
        throw new Error("no index");
      },
      "no index",
    ],
    [async () => "read_graph", "it returned string read_graph, not a list of names"],
    [() => ["nonsense", 7], "it returned only names that this session cannot find, such as string nonsense"],
    [() => new Promise(() => {}), "no answer within 20 ms"],
  ];
  for (const [rank, reason] of failing) {
    const { contents, searches } = await answersOf([search("create an issue")], { rank, rankTimeoutMs: 20 });
    assert.deepEqual(contents, own);
    assert.deepEqual([searches[0].ranker, searches[0].rankError], ["sift", reason]);
    assert.equal(searches[0].attributes["toolsift.ranker.error"], reason);
    const lines = await warned(() => run([search("create an issue")], { rank, rankTimeoutMs: 20 }));
    assert.deepEqual(lines, [`toolsift: options.rank failed, and toolsift ranked the search itself: ${reason}`]);
  }
  assert.deepEqual(await warned(() => run([search("create an issue")], { rank: () => [] })), []);
});

test("a run that ends does not wait for the ranker, whose signal ends too", async () => {
  const ending = new AbortController();
  let ranking;
  const rank = (_, __, { signal }) => {
    ranking = signal;
    setTimeout(() => ending.abort(new Error("the user left")), 5);
    return new Promise(() => {});
  };
  await assert.rejects(
    run([search("create an issue")], { rank, signal: ending.signal, onEvent: () => {} }),
    /the user left/,
  );
  assert.equal(ranking.aborted, true);
});

test("searches of one reply are ranked at once, and answered in their order", async () => {
  let waiting = 0;
  let go;
  const both = new Promise((resolve) => (go = resolve));
  const rank = async (query) => {
    waiting += 1;
    if (waiting === 2) go();
    await both;
    return [query];
  };
  const { session } = await answersOf([search("open_nodes"), search("search_nodes")], { rank });
  assert.deepEqual(session.revealed.slice(2), ["open_nodes", "search_nodes"]);
});

test("options that do not go with it are refused", async () => {
  const app = await appWith();
  const { ToolSift, runTools } = await app.load("toolsift");
  const refused = (options, profile, code) => {
    const session = new ToolSift(profile).session("s");
    return assert.rejects(runTools(session, { send: () => ({ calls: [] }), execute: () => "", ...options }), { code });
  };
  await refused({ rank: "read_graph" }, {}, "option_invalid");
  await refused({ rank: () => [], rankTimeoutMs: 0 }, {}, "limit_out_of_range");
  for (const profile of ["search-add", "select", "select-load", "stub", "bridge"]) {
    await refused({ rank: () => [] }, { profile }, "option_conflict");
  }
  await refused({ rank: () => [] }, { search: { grammar: "plain" } }, "option_conflict");
});

test("the one call for an SDK takes it, and refuses at once what does not go with it", async () => {
  const app = await appWith({ openai: "openai" });
  const { toolsift } = await app.load("toolsift/openai");
  await assert.rejects(toolsift({ profile: "bridge", rank: () => [] }), { code: "option_conflict" });
  const execute = () => "known";
  const tools = { recall: { description: "Recalls a fact", inputSchema: { type: "object", properties: {} }, execute } };
  const sift = await toolsift({ activation: "on", tools, rank: () => ["recall"], onEvent: () => {} });
  const replies = [
    [{ id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"zzz"}' } }],
    undefined,
  ];
  const create = async () => ({
    choices: [{ message: { role: "assistant", content: "", tool_calls: replies.shift() }, finish_reason: "stop" }],
  });
  const messages = [{ role: "user", content: "Go on." }];
  await sift.run("chat", { chat: { completions: { create } } }, { model: "gpt-5.2", messages });
  assert.deepEqual(sift.session("chat").revealed, ["recall"]);
  await sift.close();
});

test("AI SDK's one call and its middleware take it", async () => {
  const app = await appWith(AI);
  const ai = await app.load("ai");
  const { MockLanguageModelV3 } = await app.load("ai/test");
  const { toolsift } = await app.load("toolsift/ai-sdk");
  const { siftModelMiddleware } = await app.load("toolsift/ai-sdk-middleware");
  const usage = { inputTokens: {}, outputTokens: {} };
  const calls = { type: "tool-call", toolCallId: "1", toolName: "search_tools", input: '{"query":"zzz"}' };
  const sent = [];
  const model = () => {
    let step = 0;
    const doGenerate = async ({ tools = [] }) => {
      sent.push(tools.map(({ name }) => name));
      const content = step++ === 0 ? [calls] : [{ type: "text", text: "done" }];
      return { content, finishReason: { unified: step === 1 ? "tool-calls" : "stop" }, usage, warnings: [] };
    };
    return new MockLanguageModelV3({ doGenerate });
  };
  const recall = ai.tool({
    description: "Recalls a fact",
    inputSchema: ai.jsonSchema({ type: "object" }),
    execute: () => "",
  });
  const rank = (_query, { names }) => names;
  const sift = await toolsift({ activation: "on", tools: { recall }, rank });
  await ai.generateText(sift.with("chat", { model: model(), prompt: "Go on." }));
  assert.deepEqual(
    sent.splice(0).map((names) => names.includes("recall")),
    [false, true],
  );
  await sift.close();

  const middleware = siftModelMiddleware({ sift: { activation: "on" }, rank });
  const wrapped = ai.wrapLanguageModel({ model: model(), middleware });
  await ai.generateText({ model: wrapped, tools: { recall }, prompt: "Go on." });
  assert.deepEqual(
    sent.map((names) => names.includes("recall")),
    [false, true],
  );
  assert.throws(() => siftModelMiddleware({ rank: 5 }), { code: "option_invalid" });
});

test("a run of LangChain's without a thread takes it", async () => {
  const app = await appWith(LANGCHAIN);
  const { createAgent } = await app.load("langchain");
  const { siftMiddleware } = await app.load("toolsift/langchain");
  const asked = [];
  const rank = (_query, _tools, { session }) => (asked.push(session), ["read_graph"]);
  const vendor = await startVendor(chat, script([search("zzz")]));
  try {
    const middleware = [siftMiddleware(await siftOf(app), { execute: () => "", rank })];
    const agent = createAgent({ model: await chatModel(app, vendor), middleware });
    await agent.invoke({ messages: [{ role: "user", content: "Go on." }] });
    assert.deepEqual(asked, ["langchain (no thread)"]);
    assert.ok(vendor.requests[1].tools.includes("read_graph"));
  } finally {
    await vendor.close();
  }
});
