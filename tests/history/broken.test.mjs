/**
 * What if the messages are not what they should be?
 *
 * 1. What is no list of messages is refused with what is wrong, and nothing has changed. 2. So are options. 3. Messages of
 * another format are recognised. 4. What is not known is passed over. 5. Large histories are read.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { DELETE, filled, freshSession, live, one, SEND, TIDES, ToolSiftError } from "./lib/live.mjs";
import { SHAPES } from "./lib/write.mjs";

const search = (query) => ["search_tools", { query }];
const chat = SHAPES.find(([, format]) => format === "openai")[2];

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
  for (const messages of [undefined, null, "Hi", 7, {}, { messages: [] }]) {
    refused(messages, openai, "messages_invalid", "must be a list");
  }
  refused([{ role: "user" }, undefined], openai, "messages_invalid", "messages.1 must be an object, got undefined");
  refused(["Hi"], openai, "messages_invalid", "Hi");
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
  assert.equal(formats.length, 8);
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
  const junk = [
    {},
    [],
    { name: "x" },
    { role: "critic", content: 7 },
    { role: "assistant", content: null, tool_calls: null },
    { role: "assistant", tool_calls: [null, 7, "x", {}, { id: 1 }, { function: null }, { id: "a", function: { name: 7 } }] },
    { role: "assistant", content: [null, "x", { type: "tool_use" }, { type: "tool-call", toolName: 1 }, { type: 7 }] },
    { role: "model", parts: [null, { functionCall: null }, { functionCall: { name: {} } }, { functionResponse: 7 }] },
    { role: "tool", tool_call_id: {}, content: {} },
    { type: "function_call" },
    { type: "function_call_output" },
    { type: "tool_search_output", tools: [null, 7, {}] },
    { type: "additional_tools", tools: "x" },
    { type: "additional_tools", tools: [{ type: "namespace", tools: 7 }, { name: 7 }] },
  ];
  const { turns } = live(filled(), [[[search("high tide times")]]]);
  for (const [shape, format, write] of SHAPES) {
    const session = freshSession();
    session.fromMessages([...junk, ...write(turns), ...junk], { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
  }
  const [, call, answer] = chat(one("add_tool", { tool_names: [TIDES] }, `Added: ${TIDES}`));
  const session = freshSession();
  session.fromMessages([call, answer], { format: "openai" });
  const deep = "[".repeat(1_000_000);
  const args = "{".repeat(1_000_000);
  session.fromMessages(chat(one("search_tools", {}, deep)), { format: "openai" });
  session.fromMessages([{ ...call, tool_calls: [{ id: "c1", function: { name: "add_tool", arguments: args } }] }, answer], {
    format: "openai",
  });
  assert.deepEqual(session.revealed, [TIDES]);
});

/** Sizes of what is large; the short form has a tenth of them. */
const TIMES = isFull ? 10 : 1;

test("large histories are read", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [[TIDES]]]]);
  const huge = `${"x".repeat(200_000 * TIMES)}\nAdded: ${DELETE}`;
  const long = [...turns, ...Array.from({ length: 800 * TIMES }, (_, at) => one("own_tool", {}, "ok", `i${at}`)[0])];
  const wide = new Array(800 * TIMES).fill({ id: "", name: "own_tool", args: {}, text: "ok", failed: false });
  for (const [shape, format, write] of SHAPES.filter(
    ([, format], at) => SHAPES.findIndex(([, one]) => one === format) === at,
  )) {
    const session = freshSession();
    session.fromMessages(write(long), { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
    session.fromMessages(write([...turns, ...one("own_tool", {}, huge), ...one("search_tools", {}, huge)]), { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
    session.fromMessages(write([...turns, { steps: [wide] }]), { format });
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

test("as many calls as there may be, and lines that can be read in hundreds of ways each", () => {
  const many = 49_000 * TIMES;
  const calls = new Array(many).fill({ functionCall: { name: "own_tool", args: {} } });
  const answers = new Array(many).fill({ functionResponse: { name: "own_tool", response: {} } });
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
