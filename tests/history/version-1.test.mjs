/** Tests that answers written by version 1 are still read, because programs keep conversations for months. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { EVENTS, freshSession, SEND, TIDES } from "./lib/live.mjs";

const json = JSON.stringify;
const sift = {};
const searchAdd = { profile: "search-add" };
const tides = { query: "tides" };

/** Under which options, what a model called, what is revealed by it, and what it was answered. */
const ANSWERS = [
  [
    ...[sift, "search_tools", tides, [TIDES]],
    `Loaded. Call them from your next step on:\n- ${TIDES}(station: string): Gets the tides.\n\n` +
      `Not loaded; load what you need with add_tool:\n- ${SEND}(text: string): Sends a message.`,
  ],
  [
    ...[sift, "search_tools", tides, [SEND, EVENTS, TIDES]],
    `It is not certain that any of these fits.\n\nLoaded. Call them from your next step on:\n- ${TIDES}(): Gets.\n\n` +
      `Loaded before:\n- ${SEND}(): Sends.\n- ${EVENTS}(): Lists.`,
  ],
  [
    ...[sift, "add_tool", { tool_names: [TIDES, SEND, "x"] }, [TIDES, SEND]],
    `Added: ${TIDES}\nAlready available: ${SEND}\nNot found: x`,
  ],
  [sift, "add_tool", { tool_name: "Mcp__weather__getTides" }, [TIDES], "Already available: mcp__weather__getTides"],
  [sift, TIDES, {}, [TIDES], `${TIDES} was not loaded, so this call did not run. It is loaded now; its parameters are {}`],
  [sift, TIDES, {}, [TIDES], "High water at nine."],
  [
    ...[searchAdd, TIDES, {}, []],
    `${TIDES} is not loaded, so this call did not run. Load it first: add_tool({"tool_names": ["${TIDES}"]}).`,
  ],
  [sift, TIDES, {}, [], `"${TIDES}" is not available in this session.`],
  [sift, TIDES, {}, [], `There is no tool named "${TIDES}". Find tools with search_tools.`],
  [sift, TIDES, {}, [], `"${TIDES}" cannot be loaded: the session holds 1 tools, its limit`],
  [sift, TIDES, {}, [], "arguments are not JSON: expected a value at byte 0 in x"],
  [sift, TIDES, {}, [], "arguments must be a JSON object, got []"],
  [
    ...[{ profile: "select-load" }, "ToolSearch", tides, [TIDES]],
    json({ matches: [{ name: TIDES }, { name: SEND }], loaded: [TIDES], message: "Loaded: call them directly" }),
  ],
  [
    ...[{ profile: "stub" }, "tool_search", tides, [TIDES]],
    json({ query: "tides", tools: [{ name: TIDES, parameters: {} }], loaded: [TIDES], message: "Loaded: …" }),
  ],
  [
    ...[{ ...searchAdd, reveal: "search" }, "search_tools", tides, [TIDES]],
    json({ found: 1, message: `Loaded now: ${TIDES}.`, tools: [{ description: "", name: TIDES }] }, null, 2),
  ],
  [
    ...[{ profile: "select", deferral: "opt-out", reveal: "search" }, "ToolSearch", { query: "select:x" }, [TIDES]],
    json({ query: "tide", query_kind: "keyword", total_deferred_tools: 60, matches: [{ name: TIDES }] }),
  ],
  // Other words reveal nothing.
  ...[`I loaded ${TIDES}.`, `Loaded:\n- ${TIDES}()`, `Added ${TIDES}`, `added: ${TIDES}`, `x\nAdded: ${TIDES}`].flatMap(
    (result) => ["search_tools", "add_tool"].map((name) => [sift, name, { tool_names: [TIDES] }, [], result]),
  ),
];

const read = (options, calls) => {
  const session = freshSession(options);
  session.fromMessages(calls, { format: "mcp" });
  return session.revealed;
};

test("the answers of version 1 are read, and other words reveal nothing", () => {
  for (const [options, name, args, revealed, result] of ANSWERS)
    assert.deepEqual(read(options, [{ name, arguments: args, result }]), revealed, result);
});

test("half a surrogate pair, where a host cut an answer, costs nothing but itself", () => {
  const loaded = `Loaded before:\n- ${SEND}(): Sends \ud83d\n- ${TIDES}(): \\ud83d`;
  const calls = [
    { name: "search_tools", arguments: { query: "\udc00" }, result: loaded },
    { name: "search_tools", arguments: { "\ud800": [1] }, result: { "\udfff": ["x\ud83d"], loaded: "none" } },
    { name: `${EVENTS}\ud83d`, result: "\ud83d" },
    { name: EVENTS, result: "😀 \ud83d" },
  ];
  assert.deepEqual(read({}, calls), [SEND, TIDES, EVENTS]);
});
