/**
 * Does the adapter for Anthropic keep the contract, on the roads where our own search is used?
 *
 * 1. The contract; the vendor here refuses what the API refuses. 2. Which road is taken. 3. Where the host's own prompt,
 * tools and breakpoints stand.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { add, hosted, over, run } from "./lib/anthropic.mjs";
import { contract } from "./lib/contract.mjs";
import { anthropicClient, anthropicHosted, anthropicPlain } from "./lib/drives/anthropic.mjs";

const variants = (mode) => [
  { mode, stream: false },
  { mode, stream: true },
  { mode, door: true },
];
contract(anthropicPlain, { variants: variants("plain") });
contract(anthropicClient, { variants: variants("client") });
contract(anthropicHosted, { variants: variants("hosted") });

test("which road `auto` takes is the model's name's to say, or the host's", async () => {
  const first = async (model, road) => {
    const { requests } = await run(over(road), [], { params: { model } });
    return requests[0].tools[0];
  };
  const auto = { mode: "auto" };
  const those = ["opus-5-5", "haiku-4-5-20251001", "sonnet-4-6-v1:0", "opus-4-5@20251101", "mythos-5-2"];
  for (const model of [...those.map((name) => `claude-${name}`), "anthropic.claude-opus-4-6-v1"]) {
    assert.equal(await first(model, auto), "tool_search_tool_bm25", model);
  }
  const others = ["opus-4-1-20250805", "sonnet-4-20250514", "3-5-sonnet-latest", "opus-55"];
  for (const model of [...others.map((name) => `claude-${name}`), "glm-5"]) {
    assert.equal(await first(model, auto), "search_tools", model);
  }
  const supportsHosted = (model) => model === "glm-5";
  assert.equal(await first("glm-5", { ...auto, supportsHosted }), "tool_search_tool_bm25");
  assert.equal(await first("claude-opus-5-5", { ...auto, supportsHosted: () => false }), "search_tools");
  assert.equal(await first("claude-opus-5-5", { mode: "hosted", hostedSearch: "regex" }), "tool_search_tool_regex");
  assert.equal(await first("claude-opus-5-5", undefined), "search_tools");
});

test("the host's own prompt, tools and breakpoints stand before ours", async () => {
  const cache_control = { type: "ephemeral" };
  const own = [{ type: "web_search_20250305", name: "web_search" }];
  const system = [{ type: "text", text: "You are an agent.", cache_control }];
  const params = { system, tools: own, cache_control };
  const kept = JSON.stringify(params);
  const toolsCache = { type: "ephemeral", ttl: "1h" };
  const marked = ({ body }) => body.tools.filter((tool) => tool.cache_control).map(({ name }) => name);
  const lasts = { plain: "show_all_tools", client: "show_all_tools", hosted: "tool_search_tool_bm25" };
  for (const [mode, last] of Object.entries(lasts)) {
    const { requests } = await run(over({ mode, toolsCache }), [[add("read_graph")]], { params });
    for (const request of requests) {
      assert.equal(request.body.tools[0].name, "web_search");
      assert.deepEqual(marked(request), [last], mode);
      assert.deepEqual(request.body.system[0], system[0]);
      assert.equal(request.body.system.length, mode === "hosted" ? 1 : 2);
      assert.deepEqual(request.body.cache_control, cache_control);
    }
  }
  assert.equal(JSON.stringify(params), kept);
  for (const [mode, wanted] of [
    ["plain", []],
    ["client", ["tool_search"]],
  ]) {
    const settings = { profile: "stub", activation: "on" };
    const { requests } = await run(over({ mode, toolsCache }), [], { settings });
    assert.deepEqual(marked(requests[0]), wanted, "any stub may be replaced in its place");
  }
  const mine = { ...params, tools: [{ type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" }] };
  const { requests } = await run(hosted, [], { params: mine });
  assert.deepEqual(requests[0].tools, ["tool_search_tool_regex"]);
  const none = await run(anthropicPlain, [], { params: { system: undefined } });
  assert.match(none.requests[0].system, /^## Finding tools/);
});

test("a tool choice that demands a call holds for the first request of a run", async () => {
  const single = { disable_parallel_tool_use: true };
  const choices = [
    [
      { type: "any", ...single },
      { type: "auto", ...single },
    ],
    [{ type: "tool", name: "search_tools" }, { type: "auto" }],
    [{ type: "none" }, { type: "none" }],
    [undefined, undefined],
  ];
  for (const [tool_choice, then] of choices) {
    const { requests } = await run(anthropicPlain, [[add("read_graph")]], { params: { tool_choice } });
    assert.deepEqual(
      requests.map(({ body }) => body.tool_choice),
      [tool_choice, then],
    );
  }
});
