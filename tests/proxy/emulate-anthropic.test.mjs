/** Does a client of Anthropic's tool search get it from a backend that has none? */

import assert from "node:assert/strict";
import { test } from "vitest";
import { call, ISSUE } from "../adapters/lib/calls.mjs";
import { lead, TOOLS } from "./lib/agents.mjs";
import { anthropic } from "./lib/clients/anthropic.mjs";
import { script } from "./lib/conversations.mjs";

const BM25 = { name: "tool_search_tool_bm25", type: "tool_search_tool_bm25_20251119" };
const REGEX = { name: "tool_search_tool_regex", type: "tool_search_tool_regex_20251119" };
const DEFERRED = TOOLS.map((tool) => ({ ...tool, defer_loading: true }));
const bm25 = (query) => call(BM25.name, { query });
const types = ({ content }) => content.map(({ type }) => type);

/** One run of an agent; `search` is the vendor's tool that it brings. */
const run = (options, search = BM25) =>
  lead(anthropic, {
    door: "url",
    wire: { lean: true },
    options: { emulate: true },
    tools: [search, ...DEFERRED],
    ...options,
  });

for (const stream of [false, true]) {
  const label = stream ? "streamed" : "plain";

  test(`a search is the vendor's blocks, and its history goes back, ${label}`, async () => {
    const replies = [
      { text: "Let me look.", calls: [bm25("create an issue in a repository")] },
      [call("create_issue", ISSUE)],
      [bm25("read a text file")],
      [call("create_issue", ISSUE), call("read_text_file", { path: "a" })],
    ];
    const { messages, requests, ran, text, replies: got } = await run({ stream, script: script(...replies) });
    assert.equal(text, "All done.");
    assert.deepEqual(
      ran.map(({ name }) => name),
      ["create_issue", "create_issue", "read_text_file"],
    );
    const [, first, , second] = messages;
    assert.deepEqual(types(first), ["text", "server_tool_use", "tool_search_tool_result", "tool_use"]);
    const [, used, result] = first.content;
    assert.deepEqual(used, {
      ...used,
      name: BM25.name,
      input: { query: "create an issue in a repository" },
      caller: { type: "direct" },
    });
    assert.match(used.id, /^srvtoolu_/);
    assert.equal(result.tool_use_id, used.id);
    assert.equal(result.content.type, "tool_search_tool_search_result");
    assert.deepEqual(result.content.tool_references[0], { type: "tool_reference", tool_name: "create_issue" });
    assert.ok(result.content.tool_references.length <= 5);
    assert.deepEqual(types(second), ["server_tool_use", "tool_search_tool_result", "tool_use", "tool_use"]);

    assert.deepEqual(requests[0].tools, [BM25.name]);
    for (const [at, { tools }] of requests.slice(1).entries()) {
      assert.deepEqual(tools.slice(0, requests[at].tools.length), requests[at].tools, "only appended");
      const before = JSON.stringify(requests[at].body.messages);
      const after = JSON.stringify(requests[at + 1].body.messages);
      assert.equal(after.slice(0, before.length - 1), before.slice(0, -1), "what the backend read stays as it was");
    }
    assert.equal(requests.length, 5, "no search is made again");
    const [{ usage }] = got;
    assert.ok(usage.input_tokens > requests[1].toolTokens, "the tokens of both requests");
  });

  test(`patterns find by names, ${label}`, async () => {
    const replies = [[call(REGEX.name, { pattern: "(?i)^GET_.*file", limit: 2 })]];
    const { messages } = await run({ stream, script: script(...replies) }, REGEX);
    const [, result] = messages[1].content;
    assert.deepEqual(
      result.content.tool_references.map(({ tool_name }) => tool_name),
      ["get_file_info", "get_file_contents"],
    );
  });

  test(`searches at once, beside a call, without a hit, and wrong ones, ${label}`, async () => {
    const replies = [
      [bm25("create an issue in a repository"), bm25("read a text file")],
      [bm25("open a pull request"), call("create_issue", ISSUE)],
      [bm25("x".repeat(501)), call(BM25.name, { words: 1 })],
    ];
    const { messages, text } = await run({ stream, script: script(...replies) });
    assert.equal(text, "All done.");
    assert.deepEqual(types(messages[1]), [
      "server_tool_use",
      "server_tool_use",
      "tool_search_tool_result",
      "tool_search_tool_result",
      "server_tool_use",
      "tool_use",
      "tool_search_tool_result",
    ]);
    const errors = messages[3].content
      .filter(({ type }) => type === "tool_search_tool_result")
      .map(({ content }) => content);
    assert.deepEqual(
      errors.map(({ type }) => type),
      ["tool_search_tool_result_error", "tool_search_tool_result_error"],
    );
    assert.equal(errors[0].error_code, "invalid_tool_input");
    assert.match(errors[0].error_message, /501 characters; at most 500/);
  });

  test(`a model that never stops searching is paused as the vendor pauses it, ${label}`, async () => {
    const never = () => ({ calls: [bm25("create an issue")] });
    const options = { emulate: true, maxRounds: 3 };
    const { finish, requests } = await run({ stream, script: never, options, maxSteps: 1 });
    assert.equal(finish, "pause_turn");
    assert.equal(requests.length, 4);
  });

  test(`thinking keeps its signatures, ${label}`, async () => {
    const replies = [
      { thinking: "I need a tool.", calls: [bm25("create an issue in a repository")] },
      { thinking: "There it is.", calls: [call("create_issue", ISSUE)] },
    ];
    const params = { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2048 };
    const { messages, text } = await run({ stream, script: script(...replies), params });
    assert.equal(text, "All done.");
    assert.deepEqual(types(messages[1]), ["thinking", "server_tool_use", "tool_search_tool_result", "thinking", "tool_use"]);
  });

  test(`references of the client's own search load its tools, ${label}`, async () => {
    const find = { name: "find_tools", description: "Finds tools.", inputSchema: { type: "object", properties: {} } };
    const answer = (name) => (name === "find_tools" ? [{ type: "tool_reference", tool_name: "create_issue" }] : "done");
    const replies = [[call("find_tools")], [call("create_issue", ISSUE)]];
    const { requests, text } = await run({ stream, script: script(...replies), answer }, find);
    assert.equal(text, "All done.");
    assert.deepEqual(
      requests.map(({ tools }) => tools),
      [["find_tools"], ["find_tools", "create_issue"], ["find_tools", "create_issue"]],
    );
    assert.match(requests[1].answers[0], /Loaded\. .*\n- create_issue/);
  });
}

test("a choice of the search holds once, and a choice of a deferred tool loads it", async () => {
  const tool_choice = { type: "tool", name: BM25.name };
  const { requests } = await run({ script: script([bm25("create an issue")]), params: { tool_choice }, maxSteps: 1 });
  assert.deepEqual(
    requests.map(({ body }) => body.tool_choice),
    [tool_choice, { type: "auto" }],
  );
  const other = { type: "tool", name: "create_issue" };
  const { requests: chosen } = await run({
    script: script([call("create_issue", ISSUE)]),
    params: { tool_choice: other },
    maxSteps: 1,
  });
  assert.deepEqual(chosen[0].tools, [BM25.name, "create_issue"]);
});

test("without tools nothing is chosen of them", async () => {
  const said = async (tools) => {
    const { requests } = await run({ script: script(), params: { tool_choice: { type: "auto" } }, tools });
    return requests.map(({ body }) => [body.tools?.length, body.tool_choice?.type]);
  };
  assert.deepEqual(await said(DEFERRED), [[undefined, undefined]]);
  assert.deepEqual(await said([...DEFERRED.slice(1), TOOLS[0]]), [[1, "auto"]]);
});

test("a backend that streams without end is cut off", async () => {
  const options = { emulate: true, maxReplyBytes: 4_000 };
  const talks = () => ({ text: "word ".repeat(2_000) });
  await assert.rejects(run({ stream: true, script: talks, options, maxSteps: 1 }), /more than 4000 bytes, the limit/);
});

test("a client without tool search is not touched", async () => {
  const { requests } = await run({
    tools: TOOLS,
    script: script(),
    options: { emulate: true, sift: { activation: "off" } },
  });
  assert.equal(requests[0].tools.length, 62);
});
