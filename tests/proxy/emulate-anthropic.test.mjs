/** Tests a client that uses Anthropic's own tool search, with a backend that does not have it. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { call, DISCOVERY, ISSUE, script, search } from "../adapters/lib/calls.mjs";
import { lead, TOOLS } from "./lib/agents.mjs";
import { siftProxy } from "./lib/asking.mjs";
import { anthropic } from "./lib/clients/javascript.mjs";

const BM25 = { name: "tool_search_tool_bm25", type: "tool_search_tool_bm25_20251119" };
const FIND = { name: "find_tools", description: "Finds tools.", inputSchema: { type: "object", properties: {} } };
const DEFERRED = TOOLS.map((tool) => ({ ...tool, defer_loading: true }));

/** One run of an agent; `own` is the search that it brings. */
const run = (options, own = BM25) =>
  lead(anthropic, { door: "url", wire: { lean: true }, options: { emulate: true }, tools: [own, ...DEFERRED], ...options });

for (const stream of [false, true]) {
  const label = stream ? "streamed" : "plain";
  test(`the vendor's search is toolsift's, ${label}`, async () => {
    const replies = [[search("create an issue in a repository")], [call("create_issue", ISSUE)]];
    const { requests, ran, messages, text } = await run({ stream, script: script(...replies) });
    assert.deepEqual(
      [requests[0].tools, requests[1].tools[DISCOVERY.length], text],
      [DISCOVERY, "create_issue", "All done."],
    );
    assert.match(requests[1].answers[0], /^Loaded\. .*\n- create_issue\(/);
    assert.deepEqual(ran, [{ name: "create_issue", args: ISSUE }]);
    const types = messages.flatMap(({ content }) => [content].flat().map(({ type }) => type ?? "text"));
    assert.deepEqual([...new Set(types)].sort(), ["text", "tool_result", "tool_use"]);
  });

  test(`references of the client's own search load its tools, ${label}`, async () => {
    const answer = (name) => (name === "find_tools" ? [{ type: "tool_reference", tool_name: "create_issue" }] : "done");
    const replies = [[call("find_tools")], [call("create_issue", ISSUE)]];
    const { requests, text } = await run({ stream, script: script(...replies), answer }, FIND);
    assert.equal(text, "All done.");
    assert.deepEqual(
      requests.map(({ tools }) => tools),
      [["find_tools"], ["find_tools", "create_issue"], ["find_tools", "create_issue"]],
    );
    assert.match(requests[1].answers[0], /Loaded\. .*\n- create_issue/);
  });
}

test("a tool that the client does not defer is always there", async () => {
  const [first, ...others] = DEFERRED;
  const { requests } = await run({ script: script(), tools: [BM25, TOOLS[0], ...others] });
  assert.deepEqual(requests[0].tools, [...DISCOVERY, first.name]);
});

/** A choice of tools, its own search, and what the backend is sent of both. */
const CHOICES = [
  [{ type: "tool", name: BM25.name }, BM25, DISCOVERY, undefined],
  [{ type: "tool", name: "create_issue" }, BM25, [...DISCOVERY, "create_issue"], "create_issue"],
  [{ type: "tool", name: "create_issue" }, FIND, ["find_tools", "create_issue"], "create_issue"],
];

for (const [tool_choice, own, tools, name] of CHOICES) {
  test(`a choice of ${tool_choice.name} beside ${own.name}`, async () => {
    const { requests } = await run({ script: script([search("a file")]), params: { tool_choice }, maxSteps: 1 }, own);
    assert.deepEqual([requests[0].tools, requests[0].body.tool_choice?.name], [tools, name]);
  });
}

test("what the vendor's own search left in a conversation goes, and what it found is there", async () => {
  const sent = [];
  const fetch = async (_, { body, headers }) => (sent.push([JSON.parse(body), headers]), Response.json({ content: [] }));
  const handler = siftProxy({ upstream: "https://backend.example", fetch, emulate: true });
  const asked = { type: "server_tool_use", id: "srvtoolu_1", name: BM25.name, input: { query: "issue" } };
  const tool_references = [{ type: "tool_reference", tool_name: "create_issue" }];
  const found = { type: "tool_search_tool_search_result", tool_references };
  const called = { type: "tool_use", id: "c1", name: "create_issue", input: ISSUE };
  const messages = [
    { role: "user", content: "Report it." },
    { role: "assistant", content: [asked] },
    {
      role: "assistant",
      content: [
        asked,
        { type: "tool_search_tool_result", tool_use_id: asked.id, content: found },
        { ...called, caller: { type: "direct" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "done" }] },
  ];
  const tools = [
    BM25,
    ...TOOLS.map(({ inputSchema, ...tool }) => ({ ...tool, input_schema: inputSchema, defer_loading: true })),
  ];
  const headers = { "x-api-key": "none", "anthropic-beta": "tool-search-tool-2025-10-19,other-2025" };
  const body = JSON.stringify({ model: "m", max_tokens: 9, messages, tools });
  await handler(new Request("http://proxy.local/v1/messages", { method: "POST", body, headers }));
  const [[{ messages: read, tools: listed }, { get }]] = [[sent[0][0], { get: (key) => new Headers(sent[0][1]).get(key) }]];
  assert.deepEqual(read, [messages[0], { role: "assistant", content: [called] }, messages[3]]);
  assert.ok(listed.some(({ name }) => name === "create_issue"));
  assert.equal(get("anthropic-beta"), "other-2025");
});

test("a client without tool search is not touched", async () => {
  const options = { emulate: true, sift: { activation: "off" } };
  const { requests } = await run({ tools: TOOLS, script: script(), options });
  assert.equal(requests[0].tools.length, 62);
});
