/**
 * Does the loop for hosts without a framework go round?
 *
 * 1. Calls of one reply run at once, a bounded number of them, and are answered in the order in which they were made.
 * 2. Results of any kind become text.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { READ, run } from "./lib/loop.mjs";
import { pluck, siftOf } from "./lib/tools.mjs";

const app = await appWith();
const { runTools } = await app.load("toolsift");

test("calls of one reply run at once, and are answered in their order", async () => {
  let running = 0;
  let most = 0;
  const execute = async ({ id }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, id === "0" ? 20 : 1));
    running -= 1;
    return `answer ${id}`;
  };
  const calls = Array.from({ length: 50 }, (_, id) => ({ name: "read_graph", id: String(id) }));
  const { report, seen } = await run(calls, { execute });
  assert.deepEqual(
    pluck(seen[1].answers, "content"),
    calls.map(({ id }) => `answer ${id}`),
  );
  assert.equal(most, 16);
  assert.deepEqual([report.finish, report.steps, report.reply.said], ["done", 2, 2]);
});

/** An answer of a server with texts, and with data beside them. */
function structured(structuredContent, ...texts) {
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent };
}

test("results of any kind are text for the model, and kept as they were", async () => {
  const circular = {};
  circular.self = circular;
  const mcp = {
    content: [
      { type: "text", text: "a" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
  };
  const kinds = [
    ["text", "text"],
    [undefined, ""],
    [null, ""],
    [{ a: [1] }, '{"a":[1]}'],
    [7n, "7"],
    [circular, "[object Object]"],
    [mcp, "a\n(image/png, 3 bytes, not shown)"],
    [{ content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    [structured({ depth: 7.25 }, "1 berth"), '1 berth\n{"depth":7.25}'],
    [structured({ depth: 7.25, at: "b" }, '{ "at": "b", "depth": 7.25 }'), '{ "at": "b", "depth": 7.25 }'],
    [structured({ depth: 7.25 }, 'It is {"depth":7.25}.'), 'It is {"depth":7.25}.'],
    [structured({ result: [1, "b"] }, "1", "b"), "1\nb"],
    [structured({ result: "b" }, "b"), "b"],
    [structured({ content: [{ type: "text", text: "b" }] }, "b"), "b"],
    [structured({ result: 7 }, "17 berths"), '17 berths\n{"result":7}'],
    [structured({}, "none"), "none"],
    [{ content: [{ type: "resource_link", uri: "a:b" }] }, '{"type":"resource_link","uri":"a:b"}'],
    [{ content: [{ type: "text" }] }, '{"type":"text"}'],
    [{ content: [{ id: 1 }], total: 9 }, '{"content":[{"id":1}],"total":9}'],
    [{ content: [null, 5] }, '{"content":[null,5]}'],
  ];
  for (const [result, content] of kinds) {
    const { seen } = await run([READ], { execute: () => result });
    const [answer] = seen[1].answers;
    assert.equal(answer.content, content);
    assert.equal(answer.result, result);
    assert.equal(answer.isError, false);
  }
});

test("a tool that fails is told as an error, whatever it throws", async () => {
  const thrown = [
    [new Error("no disk"), /^read_graph failed: no disk$/],
    [new TypeError(), /^read_graph failed: TypeError$/],
    [{ code: -32000, message: "no disk" }, /^read_graph failed: no disk$/],
    ["x".repeat(300), /^read_graph failed: x{300}$/],
    [null, /failed: null$/],
    [undefined, /failed: undefined/],
    [{}, /failed: an object$/],
    [Object.create(null), /failed: an object$/],
    [Object.assign(new Error(), { message: Object.create(null) }), /failed: Error$/],
  ];
  for (const [what, content] of thrown) {
    const { seen } = await run([READ], {
      execute: () => {
        throw what;
      },
    });
    assert.match(seen[1].answers[0].content, content);
    assert.equal(seen[1].answers[0].isError, true);
    assert.ok(!("result" in seen[1].answers[0]));
  }
});

test("what a vendor found by itself is revealed before the calls are decided, as far as it may be", async () => {
  const events = [];
  const session = (await siftOf(app)).session("chat", { scope: { servers: ["memory"] } });
  const names = ["open_nodes", "create_issue", "no_such_tool", "read_graph", "read_graph"];
  const search = { id: "s1", tool: "vendor_search", version: "2", query: "graph", names };
  const send = ({ step }) => ({ calls: step === 1 ? [READ] : [], searches: step === 1 ? [search] : undefined });
  const report = await runTools(session, { send, execute: () => "done", onEvent: (event) => void events.push(event) });
  assert.deepEqual(session.revealed, ["open_nodes", "read_graph"], "in the vendor's order");
  assert.equal(report.steps, 2);
  const [searched, revealed, dispatched] = events;
  assert.deepEqual(
    events.map(({ type, step }) => `${step} ${type}`),
    ["1 search", "1 reveal", "1 dispatch"],
  );
  assert.deepEqual(
    [searched.callId, searched.tool, searched.query, searched.ranker],
    ["s1", "vendor_search", "graph", "vendor_search"],
  );
  assert.deepEqual([searched.rankerVersion, searched.revealed], ["2", revealed.revealed]);
  assert.equal(dispatched.tool, "read_graph");
});
