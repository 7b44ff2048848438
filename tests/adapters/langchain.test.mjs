/**
 * Tests the middleware for LangChain's agents: the shared contract, and that LangChain's own features still work.
 * 1. Tools of LangChain are registered as its converters write them, and LangChain sends and runs them: schemas, artifacts,
 *    `returnDirect`, commands, context, errors.
 * 2. Tools that are not in the catalog are not touched.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { DISCOVERY, script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { langchain } from "./lib/drives/langchain.mjs";
import {
  add,
  agentOf,
  answersIn,
  app,
  call,
  lc,
  lg,
  modelOf,
  ownTools,
  search,
  plain,
  siftMiddleware,
  ToolSift,
  thread,
} from "./lib/langchain.mjs";
import { host, pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const { convertToOpenAITool } = await app.load("@langchain/core/utils/function_calling");

contract(langchain, { variants: [{ stream: false }, { stream: true }, { door: true }] });

test("LangChain's tools are found, sent as LangChain writes them, and run by LangChain", async () => {
  const { tools, ran } = ownTools();
  const replies = [
    [search("weather forecast for a city")],
    [add("get_tide", "shout", "draw_chart")],
    [call("get_forecast", { city: "Oslo" }), call("shout", { input: "hey" }), call("draw_chart")],
  ];
  const { requests, ask } = await agentOf({ sift: new ToolSift(), script: script(...replies), options: { tools } });
  const state = await ask("How is it?", { context: { user: "ada" } });
  const sent = requests.at(-1).body.tools;
  assert.deepEqual(
    sent.slice(3).map((one) => one.function.name),
    ["get_forecast", "get_tide", "shout", "draw_chart"],
  );
  for (const one of sent.slice(3)) {
    const tool = tools.find(({ name }) => name === one.function.name);
    assert.deepEqual(one, convertToOpenAITool(tool), "LangChain's own converters");
  }
  assert.deepEqual(answersIn(state).slice(-3), ["get_forecast did it", "shout did it", "a chart"]);
  assert.deepEqual(pluck(ran, "input"), [{ city: "Oslo", days: 1 }, "hey"], "zod's default, and a text alone");
  assert.deepEqual(ran[0].config.context, { user: "ada" });
  assert.ok(ran[0].config.signal instanceof AbortSignal);
  assert.deepEqual(state.messages.at(-2).artifact, { points: [1, 2] });
});

test("arguments that are no JSON are answered for a tool of the catalog, and LangChain's to handle for the agent's own", async () => {
  const ran = [];
  const ring = plain("ring_bell", () => (ran.push("ring_bell"), "rang"));
  for (const [name, asked] of [
    ["send_fax", 2],
    ["ring_bell", 1],
  ]) {
    const about = { sift: new ToolSift({ activation: "on" }), options: { tools: ownTools().tools }, tools: [ring] };
    const { requests, ask } = await agentOf({ ...about, script: script([call(name, "{")]) });
    await ask("Go.");
    assert.deepEqual([requests.length, ran], [asked, []], name);
  }
});

test("a tool that returns directly ends the run, and a command changes the state", async () => {
  const { tools } = ownTools();
  const rename = plain("rename_chat", (_, { toolCallId }) => {
    const messages = [new lc.ToolMessage({ content: "renamed", tool_call_id: toolCallId })];
    return new lg.Command({ update: { title: "Tides", messages } });
  });
  const state = new lg.StateSchema({ title: (await app.load("zod")).z.string().default("") });
  const replies = [[add("rename_chat", "send_fax")], [call("rename_chat")], [call("send_fax")], [call("no_such_tool")]];
  const settings = { options: { tools: [...tools, rename] }, stateSchema: state };
  const { requests, ask } = await agentOf({ sift: new ToolSift(), script: script(...replies), ...settings });
  const ended = await ask("Fax it.");
  assert.equal(ended.title, "Tides");
  assert.deepEqual(answersIn(ended).slice(1), ["renamed", "send_fax did it"]);
  assert.equal(requests.length, 3, "the model is not asked again");
});

test("a tool that the catalog has already is that one, and LangChain runs it; others go to execute", async () => {
  const sift = await siftOf(app);
  const { execute, ran } = host(({ name, id }) =>
    name === "open_nodes" ? new lc.ToolMessage({ content: "of the host", tool_call_id: id }) : "of the server",
  );
  const before = sift.contentHash;
  const same = (server, name) => {
    const { description, inputSchema: schema } = toolsOf(server).find((tool) => tool.name === name);
    return { name, description, schema };
  };
  const graph = lc.tool(() => "of LangChain", same("memory", "read_graph"));
  const echo = lc.tool(() => "of the agent", same("everything", "echo"));
  const names = ["read_graph", "search_nodes", "open_nodes", "echo"];
  const replies = script(
    [add(...names)],
    names.map((name) => call(name, name === "echo" ? { message: "hey" } : {})),
  );
  const { requests, ask } = await agentOf({ sift, script: replies, options: { tools: [graph], execute }, tools: [echo] });
  const state = await ask("Read.", thread("a"));
  assert.equal(sift.contentHash, before);
  assert.deepEqual(answersIn(state).slice(1), ["of LangChain", "of the server", "of the host", "of the agent"]);
  assert.ok(!requests[0].tools.includes("echo"), "the agent's own is held back too");
  assert.deepEqual(pluck(ran, "name"), ["search_nodes", "open_nodes"]);
});

test("a tool of a name in the catalog that is a different tool is refused, in the options and among the agent's", async () => {
  const sift = await siftOf(app);
  const { execute } = host();
  const mine = plain("echo", undefined, { description: "Calls into the hills." });
  const both = /and a tool of server "everything" are both called echo, and differ/;
  assert.throws(() => siftMiddleware(sift, { tools: [mine], execute }), { code: "option_conflict", message: both });
  for (const tool of [mine, { type: "web_search", name: "echo" }]) {
    const { ask, requests } = await agentOf({ sift, script: script([]), options: { execute }, tools: [tool] });
    await assert.rejects(ask("Go."), (error) => both.test(error.message));
    assert.equal(requests.length, 0);
  }
});

test("the agent's own tools and those of other middlewares stay, in front, and are left alone", async () => {
  const clock = plain("get_time", () => "noon");
  const hosted = { type: "function", function: { name: "hosted", parameters: { type: "object", properties: {} } } };
  const replies = [[call("get_time"), call("write_todos", { todos: [] })], [add("get_tide")]];
  const settings = { tools: [clock, hosted], behind: [lc.todoListMiddleware()], systemPrompt: "You are an agent." };
  const { tools } = ownTools();
  const { requests, ask } = await agentOf({
    sift: new ToolSift({ activation: "on" }),
    script: script(...replies),
    options: { tools },
    ...settings,
  });
  const state = await ask("Go.");
  const own = ["get_time", "hosted", "write_todos", "search_tools", "add_tool", "show_all_tools"];
  assert.deepEqual(
    requests.map((request) => request.tools),
    [own, own, [...own, "get_tide"]],
  );
  assert.equal(answersIn(state)[0], "noon");
  assert.match(requests[0].system, /^You are an agent\.\n\n## Finding tools/);

  const clash = plain("search_tools");
  const clashing = await agentOf({
    sift: new ToolSift({ activation: "on" }),
    script: script(),
    options: { tools },
    tools: [clash],
  });
  await assert.rejects(clashing.ask("Go."), /"search_tools" has the name of a discovery tool/);
});

/** Fails once. */
const sailing = (error = new Error("no wind")) => {
  let left = 1;
  return () => {
    if (left-- > 0) throw error;
    return "sailed";
  };
};

for (const [what, name, by] of [
  ["a tool", "sail", (run) => ({ tools: [plain("sail", run)] })],
  ["execute", "read_graph", (run) => ({ execute: async () => run() })],
]) {
  test(`what ${what} throws is told to the model, ends the run where the host wants so, and can be tried again`, async () => {
    const run = async (options, others = {}, error = undefined) => {
      const replies = script([add(name)], [call(name)]);
      const about = { sift: await siftOf(app), script: replies, options: { ...by(sailing(error)), ...options }, ...others };
      return (await agentOf(about)).ask("Sail.");
    };
    const told = await run({});
    assert.match(answersIn(told)[1], /no wind/);
    assert.deepEqual([told.messages.at(-2).status, told.messages.at(-2).name], ["error", name]);
    assert.equal((await run({}, {}, Object.create(null))).messages.at(-2).status, "error", "whatever is thrown");
    await assert.rejects(run({ handleToolErrors: false }), /no wind/);
    const retry = () => lc.toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 });
    assert.equal(answersIn(await run({}, { behind: [retry()] }))[1], "sailed");
    assert.equal(answersIn(await run({ handleToolErrors: false }, { before: [retry()] }))[1], "sailed");
  });
}

test("what execute runs is a tool of LangChain's: told in streams, and paused", async () => {
  const replies = () => script([add("read_graph")], [call("read_graph")]);
  const started = [];
  const streamed = await agentOf({ sift: await siftOf(app), script: replies(), options: { execute: host().execute } });
  for await (const { event, name } of streamed.agent.streamEvents({ messages: "Read." }, { version: "v2" })) {
    if (event.startsWith("on_tool")) started.push([event, name]);
  }
  assert.deepEqual(started, [
    ["on_tool_start", "read_graph"],
    ["on_tool_end", "read_graph"],
  ]);

  const options = { execute: async () => `asked: ${lg.interrupt("May I?")}` };
  const paused = await agentOf({ sift: await siftOf(app), script: replies(), options, checkpointer: new lg.MemorySaver() });
  const waiting = await paused.ask("Read.", thread("a"));
  assert.equal(waiting.__interrupt__?.[0].value, "May I?");
  const state = await paused.agent.invoke(new lg.Command({ resume: "yes" }), thread("a"));
  assert.equal(answersIn(state)[1], "asked: yes");
});

test("a long answer of LangChain's own tool is cut, its artifact is not", async () => {
  const artifact = "x".repeat(9_000);
  const blocks = [
    { type: "text", text: artifact },
    { type: "image_url", image_url: { url: "https://a.example/b.png" } },
  ];
  for (const content of [artifact, blocks]) {
    const read = plain("read_log", () => [content, artifact], { responseFormat: "content_and_artifact" });
    const options = { tools: [read], maxAnswerChars: 1_000 };
    const { ask } = await agentOf({ sift: new ToolSift(), script: script([add("read_log")], [call("read_log")]), options });
    const message = (await ask("Read.")).messages.at(-2);
    assert.match(message.text, /^x{600,}\n\n\[Cut: .* of 9000 characters/);
    assert.ok(message.text.length <= 1_000);
    assert.deepEqual([message.artifact, message.name, message.status], [artifact, "read_log", "success"]);
    if (Array.isArray(content)) assert.deepEqual(message.content[1], blocks[1]);
  }
});

test("toolsift() stands first among the host's middlewares, once, and mixes no tools of one name", async () => {
  const { toolsift } = await app.load("toolsift/langchain");
  const [weather, lamp] = [plain("weather"), plain("lamp")];
  const door = await toolsift({ sift: await siftOf(app), tools: [weather], execute: host().execute });
  const seen = [];
  const wrapModelCall = (request, handler) => (seen.push(pluck(request.tools, "name")), handler(request));
  const watch = lc.createMiddleware({ name: "Watch", wrapModelCall });
  const { model, requests } = await modelOf(script([call("lamp")]));
  const settings = { model, tools: [lamp, weather], middleware: [watch], systemPrompt: "Be kind." };
  const state = await lc.createAgent(door.with(settings)).invoke({ messages: "Go on." }, thread("a"));
  assert.deepEqual(answersIn(state), ["lamp did it"]);
  assert.deepEqual([requests[0].tools, seen[0]], Array(2).fill(["lamp", ...DISCOVERY]), "the catalog's is searched");
  assert.match(requests[0].system, /^Be kind\.\n\n/);
  const placed = [watch, door.middleware];
  assert.deepEqual(door.with({ model: "x", middleware: placed }).middleware, placed);
  for (const [name, message] of [
    ["weather", /weather has the name of another tool/],
    ["read_graph", /one of the server memory/],
  ]) {
    assert.throws(() => door.with({ model: "x", tools: [plain(name)] }), { code: "option_conflict", message });
  }
  await door.close();
});

test("a tool that nobody runs ends the run with an error", async () => {
  const nobody = await agentOf({ sift: await siftOf(app), script: script([add("read_graph")], [call("read_graph")]) });
  await assert.rejects(nobody.ask("Read."), /options\.execute is missing, and "read_graph" is none of options\.tools/);
});

test("a tool marked for a provider's own search is held back, and revealed without the mark", async () => {
  const tide = plain("get_tide", undefined, { extras: { defer_loading: true } });
  const { requests, ask } = await agentOf({
    sift: new ToolSift(),
    script: script([add("get_tide")]),
    options: { tools: [tide] },
  });
  await ask("Go.");
  assert.deepEqual(
    requests.map(({ tools }) => tools.includes("get_tide")),
    [false, true],
  );
  assert.doesNotMatch(requests[1].toolsText, /defer_loading/);
});

test("through a bridge, LangChain's tools run all the same", async () => {
  const { tools, ran } = ownTools();
  const { ask } = await agentOf({
    sift: new ToolSift({ profile: "bridge", activation: "on" }),
    script: script([call("tool_call", { name: "get_tide", arguments: { harbour: "Oslo" } })]),
    options: { tools },
  });
  assert.deepEqual(answersIn(await ask("Tide?")), ["get_tide did it"]);
  assert.deepEqual(pluck(ran, "name", "input"), [["get_tide", { harbour: "Oslo" }]]);
});
