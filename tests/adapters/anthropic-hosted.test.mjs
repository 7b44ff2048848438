/**
 * May the model call what Anthropic's own search finds, within the session's scope, and nothing else?
 *
 * The vendor here searches among the tools that it was sent.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { ISSUE, add, application, call, hosted, isSame, rebuilt, replies, run, toolsOfBody } from "./lib/anthropic.mjs";
import { sentBy } from "./lib/sent.mjs";
import { pluck, siftOf } from "./lib/tools.mjs";
import { searchResult } from "../apis/messages.mjs";

test("hosted: what Anthropic finds may be called, and its blocks stay as they came", async () => {
  for (const stream of [false, true]) {
    const steps = replies(
      { text: "Let me look.", searches: ["create_issue"], calls: [call("create_issue", ISSUE)] },
      { calls: [call("create_issue", ISSUE)] },
    );
    const events = [];
    const done = await run(hosted, steps, { stream, onEvent: (event) => void events.push(event) });
    assert.deepEqual(pluck(done.ran, "args"), [ISSUE, ISSUE]);
    assert.ok(isSame(done.requests));
    assert.deepEqual(toolsOfBody(done.requests[0])[0], "tool_search_tool_bm25");
    assert.deepEqual(done.requests[1].tools, ["tool_search_tool_bm25", "create_issue"]);
    assert.equal(done.requests[0].system, "You are an agent.", "our section tells of our own search");
    const types = done.messages[1].content.map(({ type }) => type);
    assert.deepEqual(types, ["text", "server_tool_use", "tool_search_tool_result", "tool_use"]);
    assert.deepEqual(done.requests[1].body.messages[1], JSON.parse(JSON.stringify(done.messages[1])));
    assert.deepEqual(await rebuilt(done), done.session.revealed);
    assert.deepEqual(done.reply.searches, []);
    const told = events.map(({ type, tool, step }) => `${step} ${type} ${tool}`);
    assert.deepEqual(told.slice(0, 3), [
      "1 search tool_search_tool_bm25",
      "1 reveal tool_search_tool_bm25",
      "1 dispatch create_issue",
    ]);
    const { query, ranker, rankerVersion, revealed } = events[0];
    assert.deepEqual([query, ranker, rankerVersion], ["create_issue", "tool_search_tool_bm25", "20251119"]);
    assert.deepEqual(revealed, done.session.revealed);
  }
});

test("hosted: a session's scope holds, whatever the vendor answers", async () => {
  const lying = { type: "server_tool_use", id: "srvtoolu_x", name: "tool_search_tool_bm25", input: { query: "all" } };
  const names = ["create_issue", "no_such_tool", "read_graph"];
  const references = names.map((tool_name) => ({ type: "tool_reference", tool_name }));
  const content = { type: "tool_search_tool_search_result", tool_references: references };
  const blocks = [lying, { type: "tool_search_tool_result", tool_use_id: "srvtoolu_x", content }];
  const steps = replies({ blocks, calls: [call("create_issue", ISSUE), call("read_graph"), call("no_such_tool")] });
  const { requests, ran, session } = await run(hosted, steps, { scope: { servers: ["memory"] } });
  assert.ok(!requests[0].toolsText.includes("create_issue"));
  assert.deepEqual(pluck(ran, "name"), ["read_graph"]);
  assert.deepEqual(session.revealed, ["read_graph"]);
  assert.deepEqual(requests[1].tools, ["tool_search_tool_bm25", "read_graph"]);
  assert.match(requests[1].answers[0], /There is no tool named .{0,2}create_issue/);
});

test("hosted: a failed search reveals nothing, and an early call is loaded by reference", async () => {
  const failed = { type: "tool_search_tool_result_error", error_code: "unavailable" };
  const blocks = [
    { type: "server_tool_use", id: "srvtoolu_x", name: "tool_search_tool_bm25", input: { query: "graph" } },
    { type: "tool_search_tool_result", tool_use_id: "srvtoolu_x", content: failed },
  ];
  const steps = replies({ blocks, calls: [call("read_graph")] }, { calls: [call("read_graph")] });
  const { requests, ran } = await run(hosted, steps);
  assert.deepEqual(requests[1].tools, ["tool_search_tool_bm25", "read_graph"]);
  assert.equal(ran.length, 1);
  assert.ok(isSame(requests));
});

test("an open turn takes nothing but the results, and what is found later is revealed then", async () => {
  const asked = { name: "tool_search_tool_bm25", input: { query: "read_graph" } };
  const waiting = [{ type: "server_tool_use", id: "srvtoolu_w", ...asked }];
  const steps = ({ body }, step) => {
    if (step === 1) return { waiting, calls: [add("create_issue"), call("open_nodes"), call("no_such_tool")] };
    if (step > 2) return { text: "Done." };
    return { blocks: [searchResult("srvtoolu_w", "read_graph", body.tools)], calls: [call("read_graph")] };
  };
  const events = [];
  const done = await run(hosted, steps, { onEvent: (event) => void events.push(event) });
  const [added, early, unknown, ...others] = done.messages[2].content;
  assert.deepEqual(others, []);
  assert.deepEqual(added.content, [{ type: "tool_reference", tool_name: "create_issue" }]);
  assert.match(early.content, /open_nodes was not loaded/);
  assert.equal(early.is_error && unknown.is_error, true);
  assert.deepEqual(pluck(done.ran, "name"), ["read_graph"]);
  assert.ok(done.requests[1].tools.includes("open_nodes"), "by being sent like any other tool");
  const found = events.find(({ tool, type }) => type === "search" && tool === "tool_search_tool_bm25");
  assert.deepEqual([found.query, found.step, found.revealed], ["read_graph", 2, ["read_graph"]]);
  assert.deepEqual((await rebuilt(done)).toSorted(), done.session.revealed.toSorted());
});

test("plain: a search of Anthropic's that found nothing, or is not over, is not sent", async () => {
  const app = await application();
  const { messagesModel } = await app.load("toolsift/anthropic");
  const session = (await siftOf(app)).session("chat");
  const request = { session, step: 1, ...session.assemble({ format: "anthropic" }) };
  const question = { type: "server_tool_use", id: "s", name: "tool_search_tool_regex", input: { pattern: "x" } };
  const content = { type: "tool_search_tool_search_result", tool_references: [] };
  const nothing = { type: "tool_search_tool_result", tool_use_id: "s", content };
  const failed = { ...nothing, content: { type: "tool_search_tool_result_error", error_code: "unavailable" } };
  const other = { type: "server_tool_use", id: "w", name: "web_search", input: { query: "x" } };
  const [hi, done] = [
    { role: "user", content: "Hi." },
    { type: "text", text: "Done." },
  ];
  const sent = async (...blocks) => {
    const messages = [hi, { role: "assistant", content: blocks }, hi];
    const params = { model: "glm-5", max_tokens: 10, messages };
    return (await sentBy((client) => messagesModel(client, params), request)).messages;
  };
  assert.deepEqual(await sent(question), [hi, hi]);
  for (const result of [nothing, failed]) {
    assert.deepEqual((await sent(question, result, other, done))[1].content, [other, done]);
  }
});
