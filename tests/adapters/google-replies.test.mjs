/**
 * Tests unusable replies of Gemini.
 * 1. Calls that the API could not read, or of undeclared functions, are reported to the model. If they repeat, the run ends.
 * 2. Blocked prompts and empty contents leave a conversation that the API accepts.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { ISSUE, add, call } from "./lib/calls.mjs";
import { google } from "./lib/drives/google.mjs";
import { agentOver, pluck } from "./lib/tools.mjs";

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
