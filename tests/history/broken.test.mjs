/** Tests rebuilding a session from broken messages, from messages of another format, and from very many messages. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { filled, freshSession, live, one, SEND, TIDES, ToolSiftError } from "./lib/live.mjs";
import { FORMATS, SHAPES } from "./lib/write.mjs";

const search = (query) => ["search_tools", { query }];
const chat = FORMATS.get("openai");
const openai = { format: "openai" };
const tidal = () => live(filled(), [[[search("high tide times")]]]).turns;

test("what is no list of messages, and options that are none, are refused, and nothing has changed", () => {
  const cyclic = {};
  cyclic.self = cyclic;
  for (const [messages, options, code, words] of [
    ...[undefined, "Hi", {}].map((messages) => [messages, openai, "messages_invalid", "must be a list"]),
    [[{ role: "user" }, undefined], openai, "messages_invalid", "messages.1 must be an object, got null"],
    [["Hi"], openai, "messages_invalid", "Hi"],
    [[{ role: "assistant", content: cyclic }], openai, "messages_invalid", "cannot be written as JSON"],
    ...[undefined, { format: "xml" }, { format: "__proto__" }].map((one) => [[], one, "option_invalid", "openai-responses"]),
    [[], { format: "openai", formats: 1 }, "option_unknown", "formats"],
  ]) {
    const session = freshSession();
    session.reveal([SEND, TIDES]);
    const before = session.snapshot();
    assert.throws(
      () => session.fromMessages(messages, options),
      (error) => ToolSiftError.is(error) && error.code === code && error.message.includes(words),
    );
    assert.deepEqual(session.snapshot(), before);
  }
});

test("messages of another format are recognised, where there is anything to recognise", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [[TIDES]]]]);
  assert.equal(FORMATS.size, 8);
  for (const [shape, format, write] of SHAPES) {
    for (const other of [...FORMATS.keys()].filter((name) => name !== format)) {
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
      const asked = messages.slice(0, 1).filter(({ name }) => !name);
      session.fromMessages(asked, { format: other });
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
  for (const [shape, format, write] of SHAPES) {
    const session = freshSession();
    session.fromMessages([...junk, ...write(tidal()), ...junk], { format });
    assert.deepEqual(session.revealed, [TIDES], shape);
  }
  const [, call, answer] = chat(one("add_tool", { tool_names: [TIDES] }, `Added: ${TIDES}`));
  const session = freshSession();
  session.fromMessages([call, answer], openai);
  session.fromMessages(chat(one("search_tools", {}, "[".repeat(1_000_000))), openai);
  const deep = { id: "c1", function: { name: "add_tool", arguments: "{".repeat(1_000_000) } };
  session.fromMessages([{ ...call, tool_calls: [deep] }, answer], openai);
  assert.deepEqual(session.revealed, [TIDES]);
});

/** Sizes of what is large; the short form has a tenth of them. */
const TIMES = isFull ? 10 : 1;

test("as many calls as there may be, and lines that can be read in hundreds of ways each", () => {
  const many = 49_000 * TIMES;
  const calls = new Array(many).fill({ functionCall: { name: "own_tool", args: {} } });
  const answers = new Array(many).fill({ functionResponse: { name: "own_tool", response: {} } });
  const more = [
    { role: "model", parts: calls },
    { role: "user", parts: answers },
  ];
  const session = freshSession();
  session.fromMessages([...FORMATS.get("google")(tidal()), ...more], { format: "google" });
  assert.deepEqual(session.revealed, [TIDES]);
  // Each of these readings is a name that no tool has; the last line's shortest one is that of a tool.
  const lines = Array.from({ length: 30_000 }, (_, at) => `- ${at}${"(".repeat(240)}`);
  const text = ["Loaded before:", ...lines, `- ${SEND}${"(".repeat(240)}`].join("\n");
  const report = session.fromMessages(chat(one("search_tools", {}, text)), openai);
  assert.deepEqual([report.revealed, report.missing.length], [[SEND], lines.length]);
});
