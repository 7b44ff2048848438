/**
 * Tests the adapter for Anthropic.
 * 1. The shared contract; the test vendor refuses everything that the API refuses.
 * 2. The position of the program's own prompt, tools and cache breakpoints.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { add, over, run } from "./lib/anthropic.mjs";
import { contract } from "./lib/contract.mjs";
import { anthropicDeferred, anthropicPlain } from "./lib/drives/anthropic.mjs";

const variants = [{ stream: false }, { stream: true }, { door: true }];
contract(anthropicPlain, { variants });
contract(anthropicDeferred, { variants });

test("the host's own prompt, tools and breakpoints stand before ours", async () => {
  const cache_control = { type: "ephemeral" };
  const own = [{ type: "web_search_20250305", name: "web_search" }];
  const system = [{ type: "text", text: "You are an agent.", cache_control }];
  const params = { system, tools: own, cache_control };
  const kept = JSON.stringify(params);
  const toolsCache = { type: "ephemeral", ttl: "1h" };
  const marked = ({ body }) => body.tools.filter((tool) => tool.cache_control).map(({ name }) => name);
  const { requests } = await run(over({ toolsCache }), [[add("read_graph")]], { params });
  for (const request of requests) {
    assert.equal(request.body.tools[0].name, "web_search");
    assert.deepEqual(marked(request), ["show_all_tools"]);
    assert.deepEqual(request.body.system[0], system[0]);
    assert.equal(request.body.system.length, 2);
    assert.deepEqual(request.body.cache_control, cache_control);
  }
  assert.equal(JSON.stringify(params), kept);
  const settings = { profile: "stub", activation: "on" };
  const stubs = await run(over({ toolsCache }), [], { settings });
  assert.deepEqual(marked(stubs.requests[0]), [], "any stub may be replaced in its place");
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
