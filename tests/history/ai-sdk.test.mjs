/**
 * AI SDK's own messages, as a host stores them: the messages of these tests are what AI SDK takes, and rebuild the session, also after
 * a trip through JSON. Those that its loop writes are in tests/adapters/ai-sdk-memory.test.mjs.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { convertToModelMessages, modelMessageSchema, validateUIMessages } from "ai";
import { filled, freshSession, live, SEND } from "./lib/live.mjs";
import { SHAPES } from "./lib/write.mjs";

function same(messages, revealed) {
  for (const given of [messages, JSON.parse(JSON.stringify(messages))]) {
    const session = freshSession();
    assert.deepEqual(session.fromMessages(given, { format: "ai-sdk" }), { revealed, concealed: [], missing: [] });
  }
}

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
