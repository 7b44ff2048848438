/**
 * Tests the loop for programs without a framework.
 * 1. The calls of one reply run in parallel, up to a limit, and are answered in their order.
 * 2. Results of any kind become text.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { READ, run } from "./lib/loop.mjs";
import { pluck } from "./lib/tools.mjs";

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
    [{ content: [{ type: "text", text: "a" }], structuredContent: { id: 7n } }, 'a\n{"id":"7"}'],
    [{ content: [{ type: "text", text: "a" }], structuredContent: circular }, "a"],
    [{ content: [{ type: "image", data: Buffer.from("abc"), mimeType: "image/png" }] }, "(image/png, 19 bytes, not shown)"],
    [structured({ depth: 7.25 }, "1 berth"), '1 berth\n{"depth":7.25}'],
    [structured({ depth: 7.25, at: "b" }, '{ "at": "b", "depth": 7.25 }'), '{ "at": "b", "depth": 7.25 }'],
    [structured({ depth: 7.25 }, 'It is {"depth":7.25}.'), 'It is {"depth":7.25}.'],
    [structured({ depth: 7.25 }, 'It is {\n  "depth": 7.25\n}.'), 'It is {\n  "depth": 7.25\n}.'],
    [structured({ result: [1, "b"] }, "1", "b"), "1\nb"],
    [structured({ result: "b" }, "b"), "b"],
    [structured({ content: [{ type: "text", text: "b" }] }, "b"), "b"],
    [structured({ result: 7 }, "17 berths"), '17 berths\n{"result":7}'],
    [structured({}, "none"), "none"],
    [{ content: [{ type: "resource_link", uri: "a:b" }] }, '{"type":"resource_link","uri":"a:b"}'],
    [{ content: [{ type: "resource", resource: { uri: "a:b", text: "c" } }] }, "a:b:\nc"],
    [{ content: [{ type: "text" }] }, '{"type":"text"}'],
    [{ content: [{ id: 1 }], total: 9 }, '{"content":[{"id":1}],"total":9}'],
    [{ content: [null, 5] }, '{"content":[null,5]}'],
    [{ bytes: new Uint8Array(3) }, '{"bytes":"(data, 3 bytes, not shown)"}'],
    [Buffer.from("abc"), "(data, 3 bytes, not shown)"],
    ["half \ud83d", "half \ufffd"],
  ];
  for (const [result, content] of kinds) {
    const { seen } = await run([READ], { execute: () => result });
    const [answer] = seen[1].answers;
    assert.equal(answer.content, content);
    assert.equal(answer.result, result);
    assert.equal(answer.isError, false);
    const image = { mimeType: "image/png", data: "AAAA" };
    const parts = [{ text: "a" }, { text: "(image/png, 3 bytes, not shown)", image }];
    assert.deepEqual(answer.parts, result === mcp ? parts : undefined);
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
