/**
 * What if the messages are not what they should be?
 *
 * 1. What is no list of messages is refused with what is wrong, and nothing has changed. 2. So are options. 3. Messages of
 * another format are recognised. 4. What is not known is passed over. 5. Large histories are read.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { filled, freshSession, live, ToolSiftError } from "./lib/live.mjs";
import { SHAPES } from "./lib/write.mjs";

const TIDES = "mcp__weather__get_tides";
const SEND = "mcp__slack__send_message";
const DELETE = "mcp__gdrive__delete_file";

const search = (query) => ["search_tools", { query }];
const chat = SHAPES.find(([, format]) => format === "openai")[2];
const one = (name, args, text, id = "c1") => [{ steps: [[{ id, name, args, text, failed: false }]] }];

/** Refuses some messages, and leaves the session as it was. */
function refused(messages, options, code, words) {
  const session = freshSession();
  session.reveal([SEND, TIDES]);
  const before = session.snapshot();
  assert.throws(
    () => session.fromMessages(messages, options),
    (error) => {
      assert.ok(ToolSiftError.is(error), `${error}`);
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.includes(words), error.message);
      return true;
    },
  );
  assert.deepEqual(session.snapshot(), before);
}

test("what is no list of messages is refused", () => {
  const openai = { format: "openai" };
  for (const messages of [undefined, null, "Hi", 7, {}, { messages: [] }, new Map(), () => [], { length: 1, 0: {} }]) {
    refused(messages, openai, "messages_invalid", "must be a list");
  }
  refused([{ role: "user" }, undefined], openai, "messages_invalid", "messages.1 must be an object, got undefined");
  refused(["Hi"], openai, "messages_invalid", "Hi");
  refused(new Array(4_000_000_000), openai, "messages_invalid", "1000000");
  const shared = new Array(90_000).fill({ type: "text" });
  refused(new Array(20).fill({ role: "assistant", tool_calls: shared }), openai, "messages_invalid", "1000000");
});

test("options are checked", () => {
  for (const options of [undefined, null, {}, { format: "xml" }, { format: 1 }, { format: "__proto__" }, "openai", []]) {
    refused([], options, "option_invalid", "openai-responses");
  }
  refused([], { format: "openai", formats: 1 }, "option_unknown", "formats");
  const sift = filled();
  const session = sift.session("s");
  sift.dispose();
  assert.throws(() => session.fromMessages([], { format: "openai" }), { code: "disposed" });
});

test("messages of another format are recognised, where there is anything to recognise", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [[TIDES]]]]);
  const formats = [...new Set(SHAPES.map(([, format]) => format))];
  assert.equal(formats.length, 9);
  for (const [shape, format, write] of SHAPES) {
    for (const other of formats.filter((one) => one !== format)) {
      const session = freshSession();
      session.reveal([SEND]);
      const messages = write(turns);
      try {
        session.fromMessages(messages, { format: other });
        assert.deepEqual(session.revealed, [TIDES], `${shape} as ${other}`);
      } catch (error) {
        assert.equal(error.code, "format_mismatch", `${shape} as ${other}: ${error.stack}`);
        assert.ok(error.message.includes(`pass format "${format}"`) || format === "langchain", error.message);
        assert.deepEqual(session.revealed, [SEND], `${shape} as ${other}`);
      }
      // Without an answered call nothing can be said of the format, and nothing is wrong.
      assert.deepEqual(
        session.fromMessages(
          messages.slice(0, 1).filter(({ name }) => !name),
          { format: other },
        ).revealed,
        [],
      );
      assert.deepEqual(session.revealed, []);
    }
  }
});

test("what is not known is passed over", () => {
  const cyclic = { role: "assistant", type: "x" };
  Object.assign(cyclic, { content: [cyclic], parts: [cyclic], tool_calls: [cyclic], output: cyclic, kwargs: cyclic });
  const junk = [
    ...[{}, [], cyclic, { role: "critic", content: 7 }, { role: "assistant", content: null, tool_calls: null }],
    { role: "assistant", tool_calls: [null, 7, "x", {}, { id: 1 }, { function: null }, { id: "a", function: { name: 7 } }] },
    { role: "assistant", content: [null, "x", { type: "tool_use" }, { type: "tool-call", toolName: 1 }, { type: 7 }] },
    ...[{ role: "model", parts: [null, { functionCall: null }, { functionCall: { name: {} } }, { functionResponse: 7 }] }],
    ...[
      { type: "function_call" },
      { type: "function_call_output" },
      { type: "tool_search_output", tools: [null, 7, cyclic] },
    ],
    ...[
      { type: "additional_tools", tools: "x" },
      { type: "additional_tools", tools: [{ type: "namespace", tools: 7 }, { name: 7 }] },
    ],
    ...[{ name: "x" }, { role: "tool", tool_call_id: {}, content: cyclic }, new Date(0), Object.create(null)],
  ];
  const { turns } = live(filled(), [[[search("high tide times")]]]);
  for (const [shape, format, write] of SHAPES) {
    const session = freshSession();
    session.fromMessages([...junk, ...write(turns), ...junk], { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
  }
  const [, call, answer] = chat(one("add_tool", { tool_names: [TIDES] }, `Added: ${TIDES}`));
  const loop = [answer.content];
  loop.push(...new Array(100).fill(loop), ...Array.from({ length: 100 }, () => ({ content: loop })));
  const session = freshSession();
  session.fromMessages([call, { ...answer, content: loop }], { format: "openai" });
  assert.deepEqual(session.revealed, [TIDES]);
  const deep = "[".repeat(1_000_000);
  const args = "{".repeat(1_000_000);
  session.fromMessages(chat(one("search_tools", {}, deep)), { format: "openai" });
  session.fromMessages([{ ...call, tool_calls: [{ id: "c1", function: { name: "add_tool", arguments: args } }] }, answer], {
    format: "openai",
  });
  assert.deepEqual(session.revealed, [TIDES]);
});

test("large histories are read", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [[TIDES]]]]);
  const huge = `${"x".repeat(2_000_000)}\nAdded: ${DELETE}`;
  const long = [...turns, ...Array.from({ length: 8_000 }, (_, at) => one("own_tool", {}, "ok", `i${at}`)[0])];
  const wide = Array.from({ length: 8_000 }, () => ["own_tool", {}, "ok"]);
  for (const [shape, format, write] of SHAPES.filter(
    ([, format], at) => SHAPES.findIndex(([, one]) => one === format) === at,
  )) {
    const session = freshSession();
    session.fromMessages(write(long), { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
    session.fromMessages(write([...turns, ...one("own_tool", {}, huge), ...one("search_tools", {}, huge)]), { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
    const calls = wide.map(([name, args, text]) => ({ id: "", name, args, text, failed: false }));
    session.fromMessages(write([...turns, { steps: [calls] }]), { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
  }
  const names = Array.from({ length: 100_000 }, (_, at) => `tool_${at}`);
  const session = freshSession();
  const report = session.fromMessages(chat(one("add_tool", {}, `Added: ${TIDES}, ${names.join(", ")}`)), {
    format: "openai",
  });
  assert.deepEqual(report.revealed, [TIDES]);
  assert.equal(report.missing.length, names.length);
});

/** As many calls as there may be; the short form has a tenth of them. */
const MANY_CALLS = isFull ? 490_000 : 49_000;

test("as many calls as there may be, and lines that can be read in hundreds of ways each", () => {
  const calls = new Array(MANY_CALLS).fill({ functionCall: { name: "own_tool", args: {} } });
  const answers = new Array(MANY_CALLS).fill({ functionResponse: { name: "own_tool", response: {} } });
  const { turns } = live(filled(), [[[search("high tide times")]]]);
  const [, , write] = SHAPES.find(([, format]) => format === "google");
  const session = freshSession();
  session.fromMessages([...write(turns), { role: "model", parts: calls }, { role: "user", parts: answers }], {
    format: "google",
  });
  assert.deepEqual(session.revealed, [TIDES]);
  // Each of these readings is a name that no tool has; the last line's shortest one is that of a tool.
  const lines = Array.from({ length: 30_000 }, (_, at) => `- ${at}${"(".repeat(240)}`);
  const text = ["Loaded before:", ...lines, `- ${SEND}${"(".repeat(240)}`].join("\n");
  const report = session.fromMessages(chat(one("search_tools", {}, text)), { format: "openai" });
  assert.deepEqual(report.revealed, [SEND]);
  assert.equal(report.missing.length, lines.length);
});
