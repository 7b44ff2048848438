/**
 * What the property tests of tests/properties have found, each in its smallest form.
 *
 * 1. A vendor's reply of another form than its API's is an error with a code, and so is a stream that breaks off. 2. What
 * adapters are handed is refused where it is none of theirs. 3. Lists without an end and cyclic definitions end. 4. What a
 * store or a cache answers may be anything. 5. A promise that fails where none was expected ends no process.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { install } from "./installed.mjs";
import { tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { home } = await install();
const entry = (name) => import(pathToFileURL(join(home, "dist", `${name}.js`)).href);
const [{ runTools }, openai, anthropic, google, { SessionStore }, doctor, { embeddings }, { learner }, { guard }] = await Promise.all(
  ["index", "adapters/openai", "adapters/anthropic", "adapters/google", "store", "doctor", "embed", "learn", "guard"].map(entry),
);

const SPARSE = () => new Array(1e9);
const boom = () => {
  throw new Error("boom");
};
const user = { role: "user", content: "hi" };
const has = (code, part = "") => (error) => ToolSiftError.is(error) && error.code === code && error.message.includes(part);

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
