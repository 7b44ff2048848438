/**
 * AI SDK's own messages, as its loop writes them and as a host stores them.
 *
 * 1. The messages that `generateText` answers with, which are its model messages, rebuild the session that ran the loop.
 * 2. UI messages do, as they are and as AI SDK converts them. 3. So do both after a trip through JSON.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  convertToModelMessages,
  dynamicTool,
  generateText,
  jsonSchema,
  modelMessageSchema,
  stepCountIs,
  validateUIMessages,
} from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { call, scripted } from "../adapters/lib/mock-model.mjs";
import { filled, live } from "./lib/live.mjs";
import { SHAPES } from "./lib/write.mjs";

const TIDES = "mcp__weather__get_tides";
const SEND = "mcp__slack__send_message";

function same(messages, revealed) {
  for (const given of [messages, JSON.parse(JSON.stringify(messages))]) {
    const session = filled().session("again");
    assert.deepEqual(session.fromMessages(given, { format: "ai-sdk" }), { revealed, concealed: [], missing: [] });
  }
}

test("the messages of generateText", async () => {
  const sift = filled();
  const session = sift.session("chat");
  const execute = (name) => async (input) => {
    const outcome = session.call(name, input);
    if (outcome.kind === "refused") throw new Error(outcome.error.message);
    return outcome.kind === "result" ? outcome.content : { ok: name };
  };
  const names = [...session.assemble().tools, ...sift.tools()].map(({ name }) => name);
  const inputSchema = jsonSchema({ type: "object" });
  const tools = Object.fromEntries(
    names.map((name) => [name, dynamicTool({ description: name, inputSchema, execute: execute(name) })]),
  );
  const model = scripted(MockLanguageModelV3, [
    [call("search_tools", { query: "high tide times" }), call("own")],
    [call(SEND)],
    [call(TIDES), call(SEND, { text: "x" })],
  ]);
  const { response } = await generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(4) });
  assert.deepEqual(
    response.messages.map(({ role }) => role),
    ["assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant"],
  );
  assert.deepEqual(session.revealed, [TIDES, SEND]);
  same([{ role: "user", content: "go" }, ...response.messages], session.revealed);
  same(response.messages.slice(2), [SEND, TIDES]);
});

test("what is written in the other tests is what AI SDK takes", async () => {
  const { session, turns } = live(filled(), [
    [[["search_tools", { query: "high tide times" }], [SEND]], [[SEND, { text: "x" }]]],
  ]);
  const shapes = SHAPES.filter(([, format]) => format === "ai-sdk").map(([shape, , write]) => [shape, write(turns)]);
  for (const [shape, messages] of shapes.filter(([shape]) => !shape.includes("UI"))) {
    for (const message of messages)
      assert.ok(modelMessageSchema.safeParse(message).success, `${shape}: ${JSON.stringify(message)}`);
    same(messages, session.revealed);
  }
  const [, ui] = shapes.find(([shape]) => shape.includes("UI"));
  const valid = await validateUIMessages({ messages: ui });
  same(valid, session.revealed);
  same(await convertToModelMessages(valid), session.revealed);
});
