/**
 * Tools that are given by reference or by value, by a vendor's own search or to it.
 *
 * 1. Anthropic: references in the answer of a discovery tool of ours, and those of the hosted search, count; in the answer of
 * another tool, or from the user, they do not. 2. Responses: the output of its tool search and added tools count, in
 * namespaces too. 3. AI SDK: the same through its providers. 4. Where nothing is ever revealed they change nothing.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DELETE, freshSession, SEND, TIDES } from "./lib/live.mjs";

function rebuilt(format, messages, expected, options) {
  const session = freshSession(options);
  const report = session.fromMessages(messages, { format });
  assert.deepEqual(session.revealed, expected, JSON.stringify(messages));
  return report;
}

const references = (...names) => names.map((tool_name) => ({ type: "tool_reference", tool_name }));

test("Anthropic: references in a tool's answer", () => {
  const conversation = (name, content, role = "user") => [
    { role: "user", content: [{ type: "text", text: "Hi" }, ...references(DELETE)] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input: { query: "tides" } }] },
    { role, content: [{ type: "tool_result", tool_use_id: "t1", content }] },
  ];
  rebuilt("anthropic", conversation("search_tools", references(TIDES, SEND)), [TIDES, SEND]);
  rebuilt("anthropic", conversation("search_tools", [{ type: "text", text: "Found." }, ...references(TIDES)]), [TIDES]);
  rebuilt("anthropic", conversation("add_tool", references(TIDES)), [TIDES]);
  rebuilt("anthropic", conversation("ToolSearch", references(TIDES)), [TIDES], { profile: "select-load" });
  rebuilt("anthropic", conversation("show_all_tools", references(DELETE)), []);
  rebuilt("anthropic", conversation("own_tool", references(DELETE)), []);
  rebuilt("anthropic", conversation("ToolSearch", references(DELETE)), []);
  rebuilt("anthropic", conversation("search_tools", references(DELETE), "assistant"), []);
  rebuilt("anthropic", conversation("ToolSearch", references(DELETE)), [], { profile: "select" });
  rebuilt("anthropic", conversation("tool_search", references(DELETE)), [], { profile: "bridge" });
  const { missing } = rebuilt("anthropic", conversation("search_tools", references(TIDES, "gone", "add_tool")), [TIDES]);
  assert.deepEqual(missing, ["gone"]);
});

test("Anthropic: a call that came too early is answered with a reference to its own tool", () => {
  const early = (name, content) => [
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content },
        { type: "text", text: `${name} was not loaded, so this call did not run. It is loaded now; its parameters are {}` },
      ],
    },
  ];
  assert.deepEqual(rebuilt("anthropic", early(TIDES, references(TIDES)), [TIDES]).missing, []);
  assert.deepEqual(rebuilt("anthropic", early("gone", references("gone")), []).missing, ["gone"]);
  // A host's own tool is in no catalog, and a reference to another tool is not an answer of toolsift to this call.
  assert.deepEqual(rebuilt("anthropic", early("own_tool", [{ type: "text", text: "Done." }]), []).missing, []);
  assert.deepEqual(rebuilt("anthropic", early("own_tool", references("gone", DELETE)), []).missing, []);
});

test("Anthropic: the hosted search", () => {
  const found = (...names) => ({ type: "tool_search_tool_search_result", tool_references: references(...names) });
  const result = (id, content) => ({ type: "tool_search_tool_result", tool_use_id: id, content });
  const use = (id, name) => ({ type: "server_tool_use", id, name, input: { query: "x" } });
  const says = (...content) => [{ role: "assistant", content }];
  const regex = [use("s1", "tool_search_tool_regex"), result("s1", found(TIDES))];
  const bm25 = [use("s2", "tool_search_tool_bm25"), result("s2", found(SEND, TIDES))];
  rebuilt("anthropic", says(...regex, { type: "text", text: "…" }, ...bm25), [TIDES, SEND]);
  rebuilt("anthropic", says(...regex.slice(1), ...bm25), [SEND, TIDES]);
  const failed = { type: "tool_search_tool_result_error", error_code: "unavailable" };
  rebuilt("anthropic", says(use("s1", "tool_search_tool_regex"), result("s1", failed)), []);
  rebuilt("anthropic", says(use("w1", "web_search"), result("w1", found(DELETE))), []);
  rebuilt("anthropic", [{ role: "user", content: [...regex, ...bm25] }], []);
  rebuilt("anthropic", says(...regex), [], { profile: "bridge", activation: "on" });
});

test("Responses: tools by value", () => {
  const define = (name) => ({ type: "function", name, parameters: { type: "object" }, strict: false, defer_loading: true });
  const call = (call_id, execution = "client") => ({
    type: "tool_search_call",
    call_id,
    execution,
    status: "completed",
    arguments: {},
  });
  const output = (call_id, tools, execution = "client") => ({
    type: "tool_search_output",
    call_id,
    execution,
    status: "completed",
    tools,
  });
  const space = (name, ...names) => ({ type: "namespace", name, description: "", tools: names.map(define) });
  rebuilt("openai-responses", [call("c1"), output("c1", [define(TIDES), define(SEND)])], [TIDES, SEND]);
  rebuilt("openai-responses", [call("c1"), output("c1", [space(DELETE, SEND), define(TIDES)])], [SEND, TIDES]);
  rebuilt("openai-responses", [call(null, "server"), output(null, [define(TIDES)], "server")], [TIDES]);
  rebuilt("openai-responses", [output("c1", [define(DELETE)])], []);
  rebuilt("openai-responses", [call("c1"), output("c2", [define(DELETE)])], []);
  const added = { type: "additional_tools", role: "developer", tools: [define("search_tools"), define(TIDES)] };
  const { missing } = rebuilt("openai-responses", [added, call("c1"), output("c1", [define(SEND)])], [TIDES, SEND]);
  assert.deepEqual(missing, []);
  const own = { type: "function_call", call_id: "c1", name: "own_tool", arguments: "{}" };
  const says = { type: "function_call_output", call_id: "c1", output: JSON.stringify({ tools: [define(DELETE)] }) };
  rebuilt("openai-responses", [own, says], []);
  rebuilt("openai-responses", [own, output("c1", [define(DELETE)])], []);
  rebuilt("openai-responses", [added], [], { profile: "select", deferral: "opt-out" });
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
  rebuilt("ai-sdk", [{ role: "assistant", content: [call("toolSearch", true), result(hosted)] }], [TIDES]);
  rebuilt("ai-sdk", [{ role: "assistant", content: [call("web_search", true), result(hosted)] }], []);
  rebuilt(
    "ai-sdk",
    [{ role: "assistant", content: [call("search_tools", true), result([{ name: DELETE, type: "x" }])] }],
    [],
  );
  const custom = [{ type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName: SEND } } }];
  const answered = (name) => [
    { role: "assistant", content: [call(name)] },
    { role: "tool", content: [result(custom, "content")] },
  ];
  rebuilt("ai-sdk", answered("search_tools"), [SEND]);
  rebuilt("ai-sdk", answered("own_tool"), []);
});
