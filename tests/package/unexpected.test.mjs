/**
 * What the property tests of tests/properties have found, each in its smallest form.
 *
 * 1. A vendor's reply of another form than its API's is an error with a code, and so is a stream that breaks off. 2. What
 * adapters are handed is refused where it is none of theirs. 3. Lists without an end and cyclic definitions end. 4. What a
 * store or a cache answers may be anything.
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
