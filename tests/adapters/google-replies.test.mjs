/**
 * What if Gemini's reply is no reply?
 * 1. Calls that the API could not read, or that it says are of undeclared functions, are told to the model, which is
 *    stopped if it goes on so.
 * 2. Blocked prompts, contents that say nothing, and odd arguments leave a conversation that the API takes.
 * 3. Errors and aborts end the run, and leave the conversation as it was.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { ISSUE, add, call, script } from "./lib/calls.mjs";
import { google } from "./lib/drives/google.mjs";
import { agentOver, pluck, siftOf } from "./lib/tools.mjs";

const app = await appWith(google.versions.at(-1));
const agent = (options) => agentOver(google, app, options);

const MALFORMED = { parts: [], finishReason: "MALFORMED_FUNCTION_CALL" };
const UNEXPECTED = { parts: [], finishReason: "UNEXPECTED_TOOL_CALL" };

for (const stream of [false, true]) {
  test(`a call that the API could not read is told to the model, which goes on (stream ${stream})`, async () => {
    const events = [];
    const signed = { ...MALFORMED, parts: [{ text: "", thoughtSignature: "s" }], finishMessage: "print(`)" };
    const replies = [UNEXPECTED, signed, { calls: [add("read_graph")] }, { text: "Done." }];
    const { requests, contents, finish, text } = await agent({
      script: (_, step) => replies[step - 1],
      stream,
      vertexai: true, // the SDK hands the finishMessage on from there only
      onEvent: (event) => void events.push(`${event.type} ${event.code ?? ""}`),
    });
    assert.match(requests[1].prompt, /^You called a function that is not declared, so nothing ran\. /);
    assert.match(requests[2].prompt, /^Your function call could not be read, so nothing ran \(print\(`\)\)\. /);
    assert.deepEqual(pluck(contents, "role"), ["user", "user", "user", "model", "user", "model"]);
    assert.deepEqual([finish, text], ["done", "Done."]);
    assert.deepEqual(events, ["refuse tool_unknown", "refuse arguments_not_json", "search ", "reveal "]);
  });
}

test("a model whose calls can never be read is stopped", async () => {
  const told = { true: / \(x{500}\)\. /, false: /^Your function call could not be read, so nothing ran\. / };
  for (const vertexai of [true, false]) {
    const reply = { ...MALFORMED, finishMessage: "x".repeat(100_000) };
    const ended = await agent({ script: () => reply, patience: 3, vertexai });
    assert.deepEqual([ended.requests.length, ended.finish], [3, "refused"]);
    assert.equal(ended.reply.finishReason, "MALFORMED_FUNCTION_CALL");
    assert.match(ended.requests[2].prompt, told[vertexai]);
    assert.ok(ended.requests[2].prompt.length < 1_000, "what the API says is cut");
  }
});

test("calls in a malformed reply do not run, calls of functions that are not declared are judged", async () => {
  const replies = [
    { calls: [add("read_graph")] },
    { calls: [call("read_graph")], finishReason: "MALFORMED_FUNCTION_CALL" },
    { calls: [call("create_issue", ISSUE)], finishReason: "UNEXPECTED_TOOL_CALL" },
    { text: "Done." },
  ];
  const { requests, ran, finish } = await agent({ script: (_, step) => replies[step - 1] });
  assert.match(requests[2].answers[0], /could not be read/);
  assert.match(requests[3].answers[0], /create_issue was not loaded/);
  assert.deepEqual([ran, finish], [[], "done"]);

  const nameless = [{ functionCall: { name: "read_graph", args: {} } }, { functionCall: {} }];
  const odd = await agent({ script: (_, step) => (step === 1 ? { ...MALFORMED, parts: nameless } : { text: "Done." }) });
  assert.deepEqual(odd.contents.map(({ role, parts }) => `${role} ${Object.keys(parts[0])}`).slice(1, 2), ["user text"]);
  assert.match(odd.requests[1].prompt, /could not be read/);
  assert.deepEqual(odd.requests[1].answers, []);
});

test("a blocked prompt and a content that says nothing end the run, and leave what the API takes", async () => {
  const promptFeedback = { blockReason: "SAFETY" };
  const cut = { candidates: [{ content: { role: "model" }, finishReason: "MAX_TOKENS" }] };
  for (const stream of [false, true]) {
    const blocked = await agent({ script: () => ({ response: { promptFeedback } }), stream });
    assert.deepEqual([blocked.finish, blocked.text, blocked.reply.finishReason], ["done", "", undefined]);
    assert.deepEqual([blocked.reply.response.promptFeedback, blocked.contents.length], [promptFeedback, 1]);
    for (const script of [() => ({ response: cut }), () => ({ parts: [{ text: "" }], finishReason: "MAX_TOKENS" })]) {
      const ended = await agent({ script, stream });
      assert.deepEqual([ended.finish, ended.reply.finishReason, ended.contents.length], ["done", "MAX_TOKENS", 1]);
    }
  }
});

test("arguments and names of any kind are answered", async () => {
  const odd = [
    {},
    { name: "search_tools", args: "{" },
    { name: "search_tools", args: [1] },
    { name: "__proto__", args: { a: 1 } },
  ];
  const parts = odd.map((functionCall) => ({ functionCall }));
  const { contents, ran } = await agent({ script: () => ({ parts }), maxSteps: 1 });
  const answers = contents[2].parts.map(({ functionResponse }) => functionResponse);
  assert.deepEqual(
    pluck(answers, "name"),
    odd.map(({ name = "" }) => name),
  );
  assert.ok(answers.every(({ response }) => response.error.length > 0));
  assert.deepEqual(ran, []);
});

test("a signal in the config is not listened to once more with every request", async () => {
  const warned = [];
  const note = ({ name, message }) => void warned.push(`${name}: ${message}`);
  process.on("warning", note);
  for (const stream of [false, true]) {
    const steps = Array.from({ length: 15 }, () => [call("search_tools", { query: "graph" })]);
    const config = { abortSignal: new AbortController().signal, systemInstruction: null, toolConfig: null, tools: null };
    assert.equal((await agent({ script: script(...steps), stream, config })).finish, "done");
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  assert.deepEqual(warned, []);
});

test("no call stands in the conversation without its answer, whatever ends the run", async () => {
  const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
  const sift = await siftOf(app);
  const replies = () => {
    sift.dispose();
    return { calls: [add("read_graph")] };
  };
  await assert.rejects(agent({ sift, script: replies, contents }), { code: "disposed" });
  assert.equal(contents.length, 1);
});

test("a host that shortens its conversation goes on with the shorter one", async () => {
  const { runTools } = await app.load("toolsift");
  const { googleModel } = await app.load("toolsift/google");
  const made = { functionCall: { name: "search_tools", args: {} } };
  const response = (step) => ({
    candidates: [{ content: { role: "model", parts: [step === 1 ? made : { text: "Yes." }] } }],
  });
  let asked = 0;
  const models = { generateContent: async () => response(++asked), generateContentStream: () => assert.fail() };
  const said = (text) => ({ role: "user", parts: [{ text }] });
  const params = { model: "m", contents: [said("One"), said("Two")] };
  const model = googleModel({ models }, params);
  const before = params.contents;
  params.contents = params.contents.slice(1);
  await runTools((await siftOf(app)).session("chat"), { ...model, execute: () => "" });
  assert.deepEqual([before.length, params.contents.map(({ role }) => role)], [2, ["user", "model", "user", "model"]]);
});

test("a run is aborted by its signal, or by the one of the config", async () => {
  for (const [bySignal, byConfig] of [
    [true, false],
    [false, true],
    [true, true],
  ]) {
    const ending = new AbortController();
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const asked = () => {
      ending.abort(new Error("enough"));
      return new Promise((resolve) => setTimeout(resolve, 50, { text: "too late" }));
    };
    const never = new AbortController().signal;
    const config = byConfig ? { abortSignal: bySignal ? never : ending.signal } : {};
    const options = { script: asked, contents, config, ...(bySignal ? { signal: ending.signal } : {}) };
    await assert.rejects(agent(options), (error) => /abort|enough/i.test(`${error.name} ${error.message}`));
    assert.equal(contents.length, 1);
  }
});
