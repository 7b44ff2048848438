/**
 * Do the bounds hold through `toolsift()` and through the middleware?
 * 1. `maxAnswerChars` cuts what the model reads of an answer, with a loop of the SDK's and with ours; bad values are refused.
 * 2. `maxTools` evicts revealed tools before a request is sent.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { appWith } from "./lib/app.mjs";
import { script } from "./lib/calls.mjs";
import { runnerAt } from "./lib/drives/openai-agents.mjs";
import { answers, call, MAJORS, sdk, sent } from "./lib/mock-model.mjs";
import { withVendor } from "./lib/openai.mjs";

const LONG = "x".repeat(9_000);
const CUT = /^x{300,}\n\n\[Cut: .* of 9000 characters/;
const range = (option) => ({ code: "limit_out_of_range", message: new RegExp(`options\\.${option} is 0`) });
const many = (make) => Array.from({ length: 20 }, (_, at) => make(`tool_${String(at).padStart(2, "0")}`));
const names = (from, to) => many((name) => name).slice(from, to);

for (const one of MAJORS) {
  const { app, ai, z, model } = await sdk(one);
  const { toolsift } = await app.load("toolsift/ai-sdk");
  const { siftModelMiddleware } = await app.load("toolsift/ai-sdk-middleware");
  const tool = () => ai.tool({ description: "One.", inputSchema: z.object({}), execute: () => LONG });
  const tools = Object.fromEntries(many((name) => [name, tool()]));
  const add = (...wanted) => call("add_tool", { tool_names: wanted });

  test(`${one.label}: toolsift bounds answers and tools`, async () => {
    const sift = await toolsift({ tools, activation: "on", maxAnswerChars: 500, maxTools: 6 });
    const mock = model([add(...names(0, 3))], [add(...names(3, 5))], [call("tool_04", {})]);
    await ai.generateText(sift.with("chat", { model: mock, prompt: "Go on.", tools: { beside: tool() } }));
    assert.deepEqual(
      sent(mock).map((list) => list.length),
      [4, 6, 6, 6],
      "the tools of the settings are counted",
    );
    assert.deepEqual(sent(mock)[2].slice(4), names(3, 5));
    assert.deepEqual(sent(mock)[3].slice(3), ["read_cut_answer", "beside", "tool_04"], "so is the tool for reading on");
    assert.match(answers(mock).at(-1)[1].value, CUT);
    await sift.close();
    await assert.rejects(toolsift({ maxAnswerChars: 0 }), range("maxAnswerChars"));
    await assert.rejects(toolsift({ maxTools: 0 }), range("maxTools"));
  });

  test(`${one.label}: the middleware sends no more tools than the vendor takes`, async () => {
    const mock = model([add(...names(0, 3))], [add(...names(3, 5))]);
    const middleware = siftModelMiddleware({ sift: { activation: "on" }, maxTools: 5 });
    await ai.generateText({ model: ai.wrapLanguageModel({ model: mock, middleware }), tools, prompt: "Go on." });
    assert.deepEqual(
      sent(mock).map((list) => list.length),
      [3, 5, 5],
    );
    assert.deepEqual(sent(mock)[2].slice(3), names(3, 5));
    assert.throws(() => siftModelMiddleware({ maxTools: 0 }), range("maxTools"));
  });
}

test("openai: toolsift bounds answers, and a run bounds its tools", async () => {
  const app = await appWith({ openai: "openai" });
  const { toolsift } = await app.load("toolsift/openai");
  const inputSchema = { type: "object", properties: {} };
  const tools = Object.fromEntries(many((name) => [name, { description: "One.", inputSchema, execute: () => LONG }]));
  const sift = await toolsift({ tools, activation: "on", maxAnswerChars: 500 });
  const replies = script([call("add_tool", { tool_names: names(0, 3) })], [call("tool_02", {})]);
  await withVendor(app, chat, replies, async ({ client, requests }) => {
    await sift.run("chat", client, { model: "m", messages: [{ role: "user", content: "Go." }] }, { maxTools: 5 });
    assert.deepEqual(
      requests.map((request) => request.tools.length),
      [3, 5, 5],
    );
    assert.match(requests[2].answers[0], CUT);
  });
  await sift.close();
});

test("openai-agents: toolsift bounds answers of function tools, and tools", async () => {
  const app = await appWith({ "@openai/agents": "@openai/agents" });
  const { Agent, tool } = await app.load("@openai/agents");
  const { toolsift } = await app.load("toolsift/openai-agents");
  const { z } = await app.load("zod");
  const tools = many((name) => tool({ name, description: "One.", parameters: z.object({}), execute: async () => LONG }));
  const sift = await toolsift({ tools, activation: "on", maxAnswerChars: 500, maxTools: 5 });
  const vendor = await startVendor(chat, script([call("add_tool", { tool_names: names(0, 3) })], [call("tool_02", {})]));
  const agent = new Agent(sift.with("chat", { name: "agent", instructions: "Go.", model: "gpt-5.4" }));
  await (await runnerAt(app, vendor.url)).run(agent, "Go.", sift.runOptions());
  await vendor.close();
  assert.deepEqual(
    vendor.requests.map((request) => request.tools.length),
    [3, 5, 5],
  );
  assert.match(vendor.requests[2].answers[0], CUT);
  await sift.close();
  await assert.rejects(toolsift({ maxTools: 0 }), range("maxTools"));
});
