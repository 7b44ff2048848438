/**
 * Conversations are kept for months: is what an earlier version answered still read?
 *
 * 1. The answers and refusals of version 1, as they were written, say the same under every later version. 2. What they say is
 * read from the words of src/markers.rs alone: an answer in other words reveals nothing. 3. Half a surrogate pair, where a
 * host cut an answer, costs nothing but itself.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENTS, freshSession, SEND, TIDES } from "./lib/live.mjs";

/** What a model called, and what it was answered: under which options, and what is revealed by it. */
const ANSWERS = [
  [
    {},
    "search_tools",
    { query: "high tide times" },
    `Loaded. Call them from your next step on:\n- ${TIDES}(station: string): Gets the tides.\n\n` +
      `Not loaded; load what you need with add_tool:\n- ${SEND}(text: string): Sends a message.`,
    [TIDES],
  ],
  [
    {},
    "search_tools",
    { query: "tides and messages" },
    `It is not certain that any of these fits.\n\nLoaded. Call them from your next step on:\n- ${TIDES}(): Gets.\n\n` +
      `Loaded before:\n- ${SEND}(): Sends.\n- ${EVENTS}(): Lists.`,
    [SEND, EVENTS, TIDES],
  ],
  [
    {},
    "add_tool",
    { tool_names: [TIDES, SEND, "x"] },
    `Added: ${TIDES}\nAlready available: ${SEND}\nNot found: x`,
    [TIDES, SEND],
  ],
  [{}, "add_tool", { tool_name: "Mcp__weather__getTides" }, "Already available: mcp__weather__getTides", [TIDES]],
  [{}, TIDES, {}, `${TIDES} was not loaded, so this call did not run. It is loaded now; its parameters are {}`, [TIDES]],
  [{}, TIDES, {}, "High water at nine.", [TIDES]],
  [
    { profile: "search-add" },
    TIDES,
    {},
    `${TIDES} is not loaded, so this call did not run. Load it first: add_tool({"tool_names": ["${TIDES}"]}).`,
    [],
  ],
  [{}, TIDES, {}, `"${TIDES}" is not available in this session.`, []],
  [{}, TIDES, {}, `There is no tool named "${TIDES}". Find tools with search_tools.`, []],
  [{}, TIDES, {}, `"${TIDES}" cannot be loaded: the session holds 1 tools, its limit`, []],
  [{}, TIDES, {}, "arguments are not JSON: expected a value at byte 0 in x", []],
  [{}, TIDES, {}, "arguments must be a JSON object, got []", []],
  [
    { profile: "select-load" },
    "ToolSearch",
    { query: "tides" },
    JSON.stringify({ matches: [{ name: TIDES }, { name: SEND }], loaded: [TIDES], message: "Loaded: call them directly" }),
    [TIDES],
  ],
  [
    { profile: "stub" },
    "tool_search",
    { query: "tides" },
    JSON.stringify({ query: "tides", tools: [{ name: TIDES, parameters: {} }], loaded: [TIDES], message: "Loaded: …" }),
    [TIDES],
  ],
  [
    { profile: "search-add", reveal: "search" },
    "search_tools",
    { query: "tide" },
    JSON.stringify({ found: 1, message: `Loaded now: ${TIDES}.`, tools: [{ description: "", name: TIDES }] }, null, 2),
    [TIDES],
  ],
  [
    { profile: "select", deferral: "opt-out", reveal: "search" },
    "ToolSearch",
    { query: "select:x" },
    JSON.stringify({ query: "tide", query_kind: "keyword", total_deferred_tools: 60, matches: [{ name: TIDES }] }),
    [TIDES],
  ],
];

const read = (options, calls) => {
  const session = freshSession(options);
  session.fromMessages(calls, { format: "mcp" });
  return session.revealed;
};

test("the answers of version 1 are read", () => {
  for (const [options, name, args, result, revealed] of ANSWERS) {
    assert.deepEqual(read(options, [{ name, arguments: args, result }]), revealed, result);
  }
});

test("other words reveal nothing", () => {
  for (const result of [
    `I loaded ${TIDES}.`,
    `Loaded:\n- ${TIDES}()`,
    `Added ${TIDES}`,
    `added: ${TIDES}`,
    `x\nAdded: ${TIDES}`,
  ]) {
    for (const name of ["search_tools", "add_tool"]) {
      assert.deepEqual(read({}, [{ name, arguments: { tool_names: [TIDES] }, result }]), [], `${name}: ${result}`);
    }
  }
});

test("half a surrogate pair costs nothing but itself", () => {
  const loaded = `Loaded before:\n- ${SEND}(): Sends \ud83d\n- ${TIDES}(): \\ud83d`;
  const calls = [
    { name: "search_tools", arguments: { query: "\udc00" }, result: loaded },
    { name: "search_tools", arguments: { "\ud800": [1] }, result: { "\udfff": ["x\ud83d"], loaded: "none" } },
    { name: `${EVENTS}\ud83d`, result: "\ud83d" },
    { name: EVENTS, result: "😀 \ud83d" },
  ];
  assert.deepEqual(read({}, calls), [SEND, TIDES, EVENTS]);
});
