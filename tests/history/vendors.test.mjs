/** Tests tools that are loaded by reference or by value, by a vendor's own search or for it. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { DELETE, freshSession, SEND, TIDES } from "./lib/live.mjs";

function rebuilt(format, messages, revealed, { missing = [], ...options } = {}) {
  const session = freshSession(options);
  const report = session.fromMessages(messages, { format });
  assert.deepEqual([session.revealed, report.missing], [revealed, missing], JSON.stringify(messages));
}

const references = (...names) => names.map((tool_name) => ({ type: "tool_reference", tool_name }));
const bridge = { profile: "bridge", activation: "on" };

test("Anthropic: references in the answer of a discovery tool count, and in no other", () => {
  for (const [name, content, revealed, options = {}] of [
    ["search_tools", references(TIDES, SEND), [TIDES, SEND]],
    ["search_tools", [{ type: "text", text: "Found." }, ...references(TIDES)], [TIDES]],
    ["search_tools", references(TIDES, "gone", "add_tool"), [TIDES], { missing: ["gone"] }],
    ["search_tools", references(DELETE), [], { role: "assistant" }],
    ["add_tool", references(TIDES), [TIDES]],
    ["ToolSearch", references(TIDES), [TIDES], { profile: "select-load" }],
    ["ToolSearch", references(DELETE), []],
    ["ToolSearch", references(DELETE), [], { profile: "select" }],
    ["tool_search", references(DELETE), [], bridge],
    ["show_all_tools", references(DELETE), []],
    ["own_tool", references(DELETE), []],
  ]) {
    const { role = "user", ...others } = options;
    const messages = [
      { role: "user", content: [{ type: "text", text: "Hi" }, ...references(DELETE)] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input: { query: "tides" } }] },
      { role, content: [{ type: "tool_result", tool_use_id: "t1", content }] },
    ];
    rebuilt("anthropic", messages, revealed, others);
  }
});

test("Anthropic: a call that came too early is answered with a reference to its own tool", () => {
  const early = (name, content, ...expected) => {
    const text = `${name} was not loaded, so this call did not run. It is loaded now; its parameters are {}`;
    const answer = [
      { type: "tool_result", tool_use_id: "t1", content },
      { type: "text", text },
    ];
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input: {} }] };
    rebuilt("anthropic", [call, { role: "user", content: answer }], ...expected);
  };
  early(TIDES, references(TIDES), [TIDES]);
  early("gone", references("gone"), [], { missing: ["gone"] });
  // A host's own tool is in no catalog, and a reference to another tool is not an answer of toolsift to this call.
  early("own_tool", [{ type: "text", text: "Done." }], []);
  early("own_tool", references("gone", DELETE), []);
});

test("Anthropic: the hosted search", () => {
  const result = (id, content) => ({ type: "tool_search_tool_result", tool_use_id: id, content });
  const found = (id, ...names) =>
    result(id, { type: "tool_search_tool_search_result", tool_references: references(...names) });
  const use = (id, name) => ({ type: "server_tool_use", id, name, input: { query: "x" } });
  const regex = [use("s1", "tool_search_tool_regex"), found("s1", TIDES)];
  const bm25 = [use("s2", "tool_search_tool_bm25"), found("s2", SEND, TIDES)];
  const failed = result("s1", { type: "tool_search_tool_result_error", error_code: "unavailable" });
  for (const [content, revealed, { role = "assistant", ...options } = {}] of [
    [
      [...regex, { type: "text", text: "…" }, ...bm25],
      [TIDES, SEND],
    ],
    [
      [regex[1], ...bm25],
      [SEND, TIDES],
    ],
    [[regex[0], failed], []],
    [[use("w1", "web_search"), found("w1", DELETE)], []],
    [[...regex, ...bm25], [], { role: "user" }],
    [regex, [], bridge],
  ])
    rebuilt("anthropic", [{ role, content }], revealed, options);
});

test("Responses: tools by value", () => {
  const define = (name) => ({ type: "function", name, parameters: { type: "object" }, strict: false, defer_loading: true });
  const call = (call_id, execution = "client") => ({ type: "tool_search_call", call_id, execution, arguments: {} });
  const output = (call_id, tools, execution = "client") => ({ type: "tool_search_output", call_id, execution, tools });
  const space = (name, ...names) => ({ type: "namespace", name, description: "", tools: names.map(define) });
  const added = { type: "additional_tools", role: "developer", tools: [define("search_tools"), define(TIDES)] };
  const own = { type: "function_call", call_id: "c1", name: "own_tool", arguments: "{}" };
  const says = { type: "function_call_output", call_id: "c1", output: JSON.stringify({ tools: [define(DELETE)] }) };
  for (const [items, ...expected] of [
    [
      [call("c1"), output("c1", [define(TIDES), define(SEND)])],
      [TIDES, SEND],
    ],
    [
      [call("c1"), output("c1", [space(DELETE, SEND), define(TIDES)])],
      [SEND, TIDES],
    ],
    [[call(null, "server"), output(null, [define(TIDES)], "server")], [TIDES]],
    [[output("c1", [define(DELETE)])], []],
    [[call("c1"), output("c2", [define(DELETE)])], []],
    [
      [added, call("c1"), output("c1", [define(SEND)])],
      [TIDES, SEND],
    ],
    [[own, says], []],
    [[own, output("c1", [define(DELETE)])], []],
    [[added], [], { profile: "select", deferral: "opt-out" }],
  ])
    rebuilt("openai-responses", items, ...expected);
});

test("AI SDK: what its providers make of it", () => {
  const call = (toolName, providerExecuted) => ({
    type: "tool-call",
    toolCallId: "c1",
    toolName,
    input: {},
    providerExecuted,
  });
  const result = (value, type = "json") => ({
    type: "tool-result",
    toolCallId: "c1",
    toolName: "x",
    output: { type, value },
  });
  const hosted = [{ type: "tool_reference", toolName: TIDES }];
  const custom = [{ type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName: SEND } } }];
  for (const [name, value, revealed] of [
    ["toolSearch", hosted, [TIDES]],
    ["web_search", hosted, []],
    ["search_tools", [{ name: DELETE, type: "x" }], []],
  ])
    rebuilt("ai-sdk", [{ role: "assistant", content: [call(name, true), result(value)] }], revealed);
  for (const [name, revealed] of [
    ["search_tools", [SEND]],
    ["own_tool", []],
  ]) {
    const answer = { role: "tool", content: [result(custom, "content")] };
    rebuilt("ai-sdk", [{ role: "assistant", content: [call(name)] }, answer], revealed);
  }
});
