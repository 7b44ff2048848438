/**
 * What the property tests of tests/properties have found, each in its smallest form.
 *
 * 1. A vendor's reply of another form than its API's is an error with a code, and so is a stream that breaks off. 2. What
 * adapters are handed is refused where it is none of theirs. 3. Lists without an end and cyclic definitions end. 4. What a
 * store or a cache answers may be anything. 5. A client, a conversation and a reply may be something else when they are read
 * again; what a client itself throws passes. 6. A promise that fails where none was expected ends no process.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { install } from "./installed.mjs";
import { tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { home } = await install();
const entry = (name) => import(pathToFileURL(join(home, "dist", `${name}.js`)).href);
const [{ runTools }, openai, anthropic, google, { connectMcp }, { SessionStore }, doctor, { embeddings }, { learner }, { guard }] = await Promise.all(
  ["index", "adapters/openai", "adapters/anthropic", "adapters/google", "adapters/mcp", "store", "doctor", "embed", "learn", "guard"].map(entry),
);

const SPARSE = () => new Array(1e9);
const boom = () => {
  throw new Error("boom");
};
const user = { role: "user", content: "hi" };
const has = (code, part = "") => (error) => ToolSiftError.is(error) && error.code === code && error.message.includes(part);

/** An object whose `key` is `value` when it is read for the first time, and a symbol from then on. */
const once = (key, value, holder = {}) => {
  let reads = 0;
  return Object.defineProperty(holder, key, { get: () => (reads++ === 0 ? value : Symbol("s")), enumerable: true });
};

/** Leads a run with a model. */
const run = (model, execute = () => "done") => runTools(used().session("s"), { ...model, execute, maxSteps: 3 });

test("a vendor's reply of any other form is an error with a code", async () => {
  const chat = (reply, stream) => openai.chatCompletions({ chat: { completions: { create: async () => reply } } }, { model: "m", messages: [user], stream });
  const responses = (reply, stream) => openai.responses({ responses: { create: async () => reply } }, { model: "m", input: [user], stream });
  const messages = (reply) => anthropic.messages({ messages: { create: async () => reply, stream: boom } }, { model: "m", max_tokens: 1, messages: [user] });
  const contents = (reply, stream) => google.generateContent({ models: { generateContent: async () => reply, generateContentStream: async () => reply } }, { model: "m", contents: [{ role: "user", parts: [] }] }, { stream });
  const cyclic = {};
  cyclic.self = cyclic;
  const models = [
    ...[null, {}, cyclic, 10n, { choices: [{ message: { tool_calls: [{}] } }] }].map((reply) => chat(reply)),
    ...[{}, [{ choices: 7 }], [null], []].map((reply) => chat(reply, true)),
    ...[null, {}, { output: [null] }, { output: [], status: "failed" }].map((reply) => responses(reply)),
    ...[{}, [{ type: "error" }], [null], []].map((reply) => responses(reply, true)),
    ...[undefined, {}, { content: [null] }, { content: [{ type: "tool_search_tool_result" }] }].map(messages),
    ...[null, { candidates: [{ content: { parts: [null] } }] }].map((reply) => contents(reply)),
    ...[{}, [null]].map((reply) => contents(reply, true)),
  ];
  for (const [at, model] of models.entries()) await assert.rejects(run(model), has("reply_invalid"), `model ${at}`);
  // What the client itself throws is not touched.
  await assert.rejects(run(openai.chatCompletions({ chat: { completions: { create: boom } } }, { model: "m", messages: [user] })), { message: "boom" });
});

test("names that a vendor's search returns are texts, or none", async () => {
  const send = (names) => ({ step }) => ({ calls: [], searches: step === 1 ? [{ id: "1", tool: "t", version: "1", query: null, names }] : [] });
  await assert.rejects(run({ send: send([Object.create(null)]) }), has("option_invalid", "searches"));
  const content = [{ type: "tool_search_tool_result", tool_use_id: "1", content: { type: "tool_search_tool_search_result", tool_references: [{}, { tool_name: "good" }] } }];
  assert.deepEqual(anthropic.messagesSearches({ content })[0].names, ["good"]);
});

test("parts of adapters refuse what is not theirs", () => {
  const parts = [openai.chatAnswers, openai.responsesAnswers, anthropic.messagesAnswers, google.googleAnswers];
  for (const part of parts) for (const bad of [undefined, 7, [null], { map: boom }]) assert.throws(() => part(bad), has("option_invalid", "answers"));
  const replies = [openai.chatCalls, openai.responsesCalls, openai.responsesItems, anthropic.messagesCalls, google.googleCalls, google.googleJoined];
  for (const read of replies) assert.throws(() => read(null), has("reply_invalid"));
  for (const request of [openai.chatRequest, openai.responsesRequest, anthropic.messagesRequest, google.googleRequest]) {
    assert.throws(() => request({}, {}), has("option_invalid"));
  }
});

test("lists without an end and cyclic values end", async () => {
  const session = used().session("s");
  const messages = [
    { type: "tool_search_call", call_id: "3", execution: "client" },
    { type: "function_call", call_id: "1", name: "search_tools", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: SPARSE() },
  ];
  assert.throws(() => session.fromMessages(messages, { format: "openai-responses" }), has("messages_invalid", "1000000"));
  assert.throws(() => doctor.summary(SPARSE()), has("option_invalid", "1000000000"));
  assert.throws(() => doctor.examine([{ server: "a", tools: [], enrichment: SPARSE() }]), has("option_invalid", "enrichment"));
  const store = new SessionStore(used(), { getKeys: SPARSE, getItem: () => null, setItem: () => {}, removeItem: () => {} });
  await assert.rejects(store.open("s"), has("store_garbled", "1000000000"));
  // What a storage answers is awaited more than once, which reads its `then` each time.
  for (const times of [0, 1, 2, 3, 4]) {
    let reads = 0;
    const get = (list, name) => (name === "then" && reads++ >= times ? assert.fail("boom") : list[name]);
    const tired = { getKeys: () => new Proxy([], { get }), getItem: () => null, setItem: () => {}, removeItem: () => {} };
    const opened = new SessionStore(used(), tired).open("s").catch((error) => error);
    assert.match(String((await opened).code ?? "opened"), /^(opened|store_failed|store_garbled)$/, `${times} reads`);
  }
});

test("a guard takes whatever is in a list", () => {
  const sift = new ToolSift({ guard: guard() });
  const { rejected } = sift.sync("a", [{ toJSON: () => null }, { toJSON: () => undefined }, tool()]);
  assert.deepEqual(rejected.map(({ index }) => index), [0, 1]);
  assert.deepEqual(sift.tools().map(({ name }) => name), ["good"]);
});

test("a signal is one that can be listened to, everywhere", async () => {
  const odd = Object.assign(new AbortController().signal, { constructor: 7 });
  const embed = embeddings({ model: "m", embed: (texts) => texts.map(() => [1]) });
  for (const bad of [odd, {}, 7]) {
    await assert.rejects(embed.prepare(used(), { signal: bad }), has("option_invalid", "signal"));
    await assert.rejects(used().session("s").callAsync("good", {}, { rank: async () => [], signal: bad }), has("option_invalid", "signal"));
    await assert.rejects(runTools(used().session("s"), { send: boom, execute: boom, signal: bad }), has("option_invalid", "signal"));
  }
});

test("vectors and snapshots are read once, and whole", async () => {
  const broken = [[[{ valueOf: boom }]], [[Symbol("x")]], [new Proxy([1], { get: boom })]];
  for (const vectors of broken) {
    await assert.rejects(embeddings({ model: "m", embed: () => vectors }).prepare(used()), has("embedding_failed"));
  }
  const list = Object.assign([{}], { constructor: { [Symbol.species]: 7 }, flatMap: boom });
  for (const bad of [list, new Proxy([1], { get: boom }), { toJSON: () => null }]) {
    assert.throws(() => learner().restore(bad), has("snapshot_invalid"));
  }
});

test("a client that has changed since it was checked is refused, and what it throws passes", async () => {
  const contents = [{ role: "user", parts: [] }];
  const models = (client) => [
    openai.chatCompletions({ chat: { completions: client("create") } }, { model: "m", messages: [user] }),
    openai.chatCompletions({ chat: { completions: client("create") } }, { model: "m", messages: [user], stream: true }),
    openai.responses({ responses: client("create") }, { model: "m", input: [user] }),
    openai.responses({ responses: client("create") }, { model: "m", input: [user], stream: true }),
    anthropic.messages({ messages: client("create", "stream") }, { model: "m", max_tokens: 1, messages: [user] }),
    anthropic.messages({ messages: client("stream", "create") }, { model: "m", max_tokens: 1, messages: [user], stream: true }),
    google.generateContent({ models: client("generateContent", "generateContentStream") }, { model: "m", contents }),
    google.generateContent({ models: client("generateContentStream", "generateContent") }, { model: "m", contents }, { stream: true }),
  ];
  const changed = models((name, other) => once(name, boom, other === undefined ? {} : { [other]: boom }));
  for (const [at, model] of changed.entries()) await assert.rejects(run(model), has("option_invalid", "it must be a function"), `model ${at}`);
  const gone = once("completions", { create: boom });
  await assert.rejects(run(openai.chatCompletions({ chat: gone }, { model: "m", messages: [user] })), has("option_invalid", "client.chat.completions.create"));
  // On the client, and with its errors.
  const failing = models((name, other) => ({ error: new TypeError("no network"), [other]: boom, [name]() { throw this.error; } }));
  for (const [at, model] of failing.entries()) await assert.rejects(run(model), { name: "TypeError", message: "no network" }, `model ${at}`);
  await assert.rejects(run(anthropic.messages({ messages: { create: boom, stream: () => ({}) } }, { model: "m", max_tokens: 1, messages: [user], stream: true })), has("option_invalid", "finalMessage"));
});

test("a conversation that is another one when it is read again is a list, or refused", async () => {
  const create = async () => ({ content: [], choices: [{ message: {} }], output: [] });
  const params = (key) => once(key, [user], { model: "m", max_tokens: 1 });
  const models = [
    openai.chatCompletions({ chat: { completions: { create } } }, params("messages")),
    openai.responses({ responses: { create } }, params("input")),
    anthropic.messages({ messages: { create, stream: boom } }, params("messages")),
  ];
  for (const model of models) await assert.rejects(run(model), has("option_invalid", "it must be a list"));
  const [before, after] = [[user], [user]];
  const moved = { model: "m", max_tokens: 1, messages: before };
  const model = anthropic.messages({ messages: { create: async () => ({ content: [{ type: "text", text: "done" }] }), stream: boom } }, moved);
  moved.messages = after;
  await run(model);
  assert.deepEqual([before.length, after.length], [1, 2]);
});

test("a call that is broken by nothing is a call", async () => {
  const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good", args: { text: "x" }, broken: null }] : [] });
  const { answers, finish } = await runTools(used().session("s"), { send, execute: () => "done" });
  assert.deepEqual([finish, answers.length], ["done", 0]);
});

test("a reply is read once", async () => {
  const search = (more) => ({ id: "1", tool: "t", version: "1", query: null, names: ["good"], ...more });
  const replies = [once("0", search(), []), [once("names", ["good"], search({ names: undefined }))], [search({ names: once("0", "good", []) })]];
  for (const searches of replies) {
    const events = [];
    const { finish } = await run({ send: () => ({ calls: [], searches }), onEvent: (event) => events.push(event) });
    assert.deepEqual([finish, events.map(({ found }) => found)], ["done", [["good"]]]);
  }
  for (const searches of [[null], [search({ names: "good" })], [, search()]]) {
    await assert.rejects(run({ send: () => ({ calls: [], searches }) }), has("option_invalid", "searches"));
  }
  const calls = Object.assign([{ id: "1", name: "good", args: { text: "x" } }], { constructor: "good" });
  assert.equal((await run({ send: ({ step }) => ({ calls: step === 1 ? calls : [] }) })).finish, "done");
});

test("a stream that only looks like a list is refused, and what a stream throws passes", async () => {
  const chat = (chunks) => openai.chatCompletions({ chat: { completions: { create: async () => chunks } } }, { model: "m", messages: [user], stream: true });
  for (const bad of [Object.create(new Float64Array()), Object.create(new Map()), { [Symbol.iterator]: () => 7 }, { [Symbol.asyncIterator]: () => undefined }]) {
    await assert.rejects(run(chat(bad)), has("reply_invalid"));
  }
  await assert.rejects(run(chat({ [Symbol.asyncIterator]: boom })), { message: "boom" });
  await assert.rejects(run(chat((async function* () { boom(); })())), { message: "boom" });
  const chunks = [{ choices: [{ delta: { content: "done" }, finish_reason: "stop" }] }];
  for (const list of [chunks, chunks.values(), Object.assign(chunks.values(), { [Symbol.asyncIterator]: null })]) {
    assert.equal((await run(chat(list))).reply.text, "done");
  }
});

test("the names that a conversation holds are a list without holes", () => {
  const model = (given) => openai.responses({ responses: { create: boom } }, { model: "m", input: [user] }, { given });
  for (const bad of [new Array(3), SPARSE(), ["good", ,], [7], "good", once("0", Symbol("s"), [])]) assert.throws(() => model(bad), has("option_invalid", "options.given"));
  model(once("0", "good", []));
});

test("a client of MCP that has changed since it was checked is a server that fails, or a call that does", async () => {
  const page = async () => ({ tools: [tool()] });
  const answer = async () => ({ content: [] });
  const dispatch = { server: "d", name: "good", arguments: {} };
  const connected = (client) => connectMcp(used(), { d: client }, { packs: false });
  for (const name of ["getInstructions", "getServerCapabilities", "getProtocolEra"]) {
    const servers = await connected({ listTools: page, callTool: answer, transport: {}, [name]: Symbol("s") });
    assert.deepEqual(servers.status().map(({ state }) => state), ["connected"], name);
    await servers.close();
  }
  const clients = [
    once("callTool", answer, { listTools: page }),
    { listTools: page, toolsFromDefinitions: undefined, close: answer },
    { listTools: page, toolsFromDefinitions: () => ({}), close: answer },
    { listTools: page, toolsFromDefinitions: () => ({ good: {} }), close: answer },
    { listTools: page, toolsFromDefinitions: () => {}, initializeResult: { capabilities: { tools: {} } }, close: answer },
  ];
  for (const [at, client] of clients.entries()) {
    const servers = await connected(client);
    await assert.rejects(servers.execute(dispatch), has("option_invalid"), `client ${at}`);
    await servers.close();
  }
  const servers = await connected({ listTools: page, callTool: boom });
  await assert.rejects(servers.execute(dispatch), { message: "boom" });
  await servers.close();
});

/** What a host writes that believes that promises are awaited. */
const rejects = async () => boom();

/** Does work, and answers the rejections that nobody handled. */
async function unhandled(work) {
  const left = [];
  const note = (reason) => void left.push(reason);
  process.on("unhandledRejection", note);
  try {
    await work();
    // They are told after the microtasks.
    await new Promise(setImmediate);
  } finally {
    process.off("unhandledRejection", note);
  }
  return left;
}

test("a promise that fails where none was expected is not left unhandled", async () => {
  const works = {
    "countTokens": () => assert.throws(() => used({ countTokens: rejects }).session("s").assemble(), has("counter_failed", "returned an object")),
    // What is returned may be no promise, and fail when it is asked for the second time whether it is one.
    "countTokens of a proxy": () => {
      let reads = 0;
      const late = new Proxy({}, { get: () => (reads++ === 0 ? undefined : boom()) });
      assert.throws(() => used({ countTokens: () => late }).session("s").assemble(), has("counter_failed"));
    },
    "onEvent of a run": () => run({ onEvent: rejects, send: ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good" }] : [] }) }),
    "onProblem of callAsync": () => used({ activation: "on" }).session("s").callAsync("search_tools", { query: "good" }, { rank: boom, onProblem: rejects }),
    "onProgress of the doctor": () => doctor.examine([{ server: "a", tools: [tool()] }], { onProgress: rejects }),
    "redact and now of a learner": () => {
      const learned = learner({ redact: rejects, now: rejects });
      learned.onEvent({ type: "search", session: "s", step: 1, query: "a message", found: ["good"], revealed: ["good"] });
      assert.throws(() => learned.snapshot(), has("option_invalid", "options.now returned an object"));
    },
    "onChunk of a stream": async () => {
      const stream = [{ choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] }];
      await run(openai.chatCompletions({ chat: { completions: { create: async () => stream } } }, { model: "m", messages: [user], stream: true }, { onChunk: rejects }));
    },
  };
  for (const [what, work] of Object.entries(works)) assert.deepEqual(await unhandled(work), [], what);
});

test("a ranker that cannot be read is refused, or not heard", async () => {
  const session = used({ activation: "on" }).session("s");
  const hostile = new Proxy([1], { getPrototypeOf: boom });
  await assert.rejects(session.callAsync("search_tools", { query: "good" }, { rank: hostile }), has("option_invalid", "options.rank"));
  let reads = 0;
  class Late {
    get scores() {
      return reads++ === 0 ? () => ({}) : boom();
    }
  }
  const told = [];
  const { kind } = await session.callAsync("search_tools", { query: "good" }, { rank: new Late(), onProblem: (text) => told.push(text) });
  assert.deepEqual([kind, told], ["result", ["boom"]]);
});
