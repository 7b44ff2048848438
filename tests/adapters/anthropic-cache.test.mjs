/**
 * What does a prompt cache keep where tools are deferred? What stands before the first byte that differs from the
 * request before: tools, then the system prompt, then the messages.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { add, application, call, isSame, run } from "./lib/anthropic.mjs";
import { anthropicClient } from "./lib/drives/anthropic.mjs";
import { siftOf } from "./lib/tools.mjs";

test("deferred: with evictions and restarts, each request begins with the bytes of the one before", async () => {
  const app = await application();
  const settings = { limits: { revealed: 3 } };
  const messages = [];
  const all = [];
  let sift = await siftOf(app, settings);
  const names = sift.tools().map(({ name }) => name);
  const nth = (number) => names[number % names.length];
  for (let turn = 0; turn < 12; turn++) {
    const [one, other] = [nth(turn * 7), nth(turn * 3)];
    const steps = [[add(one, other)], [call(one), call(other)], [call(nth(turn * 5))]];
    all.push(...(await run(anthropicClient, steps, { sift, messages })).requests);
    if (turn % 4 !== 3) continue;
    const snapshot = sift.session("chat").snapshot();
    sift = await siftOf(app, settings);
    if (turn === 3) sift.restore(snapshot);
    else sift.session("chat").fromMessages(messages, { format: "anthropic" });
  }
  assert.ok(isSame(all));
  for (const [at, { body }] of all.slice(1).entries()) {
    const before = all[at].body;
    assert.deepEqual(body.system, before.system);
    assert.deepEqual(body.messages.slice(0, before.messages.length), before.messages);
  }
});
