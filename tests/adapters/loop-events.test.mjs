/**
 * Tests runs of the loop that are ended early, and their events.
 * 1. After an ended run, every call has an answer, and no rejection is unhandled.
 * 2. Events report what happened, with the names of OpenTelemetry.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { READ, run } from "./lib/loop.mjs";
import { pluck, siftOf } from "./lib/tools.mjs";

/** The rejections that nobody handled while something was done. */
async function unhandledIn(work) {
  const unhandled = [];
  const note = (reason) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  return unhandled;
}

test("an ended run leaves no call without an answer", async () => {
  const ending = new AbortController();
  const told = [];
  const ended = [];
  const execute = ({ id, signal }) => {
    if (id === "2") ending.abort(new Error("the user left"));
    ended.push(signal.reason?.message);
    return id === "1" ? new Promise(() => {}) : "quick";
  };
  const calls = [READ, { ...READ, id: "2" }, { name: "search_tools", args: { query: "graph" }, id: "3" }];
  const options = { execute, signal: ending.signal, answered: (answers) => void told.push(...answers) };
  await assert.rejects(run(calls, options), /the user left/);
  assert.deepEqual(
    told.map(({ call }) => call.id),
    ["1", "2", "3"],
  );
  assert.match(told[0].content, /read_graph failed: the user left/);
  assert.deepEqual(ended, [undefined, "the user left"], "what runs is told, too");
  await assert.rejects(run([READ], { signal: AbortSignal.abort(new Error("before")) }), /before/);
});

test("a tool that ends its own run, and fails then, ends nothing else", async () => {
  const ending = new AbortController();
  const execute = () => {
    ending.abort(new Error("the user left"));
    throw new Error("too late");
  };
  const ended = () => assert.rejects(run([READ], { execute, signal: ending.signal }), /the user left/);
  assert.deepEqual(await unhandledIn(ended), []);
});

test("events say how long the call itself took, what it cost, and what telemetry calls it", async () => {
  const events = [];
  const onEvent = (event) => {
    for (const from = performance.now(); performance.now() - from < 2; );
    events.push(event);
  };
  const smile = "\u{1f600}";
  const search = { name: "search_tools", id: "s", args: { query: "create an issue in a repository" } };
  const early = { name: "open_nodes", id: "e", args: {} };
  const replies = [{ calls: [search, READ, early] }];
  const app = await appWith();
  const { runTools } = await app.load("toolsift");
  const session = (await siftOf(app)).session("chat");
  session.reveal(["read_graph"]);
  const send = ({ step }) => replies[step - 1] ?? { calls: [] };
  await runTools(session, { send, execute: () => smile.repeat(8), onEvent });
  assert.deepEqual(pluck(events, "type"), ["search", "reveal", "refuse", "reveal", "dispatch"]);
  const [searched, searchReveal, refused, refusedReveal, dispatched] = events;
  for (const [one, reveal] of [
    [searched, searchReveal],
    [refused, refusedReveal],
  ]) {
    assert.deepEqual([reveal.startTime, reveal.duration], [one.startTime, one.duration], "listeners are not timed");
  }
  assert.equal(dispatched.tokens, 2, "a character is what the core takes for one");
  const infos = new Map(session.tools().map((tool) => [tool.name, tool]));
  for (const { revealed, tokens } of [searchReveal, refusedReveal]) {
    assert.equal(
      tokens,
      revealed.reduce((sum, name) => sum + infos.get(name).tokens, 0),
    );
  }
  const { version } = JSON.parse(readFileSync(join(app.folder, "node_modules", "toolsift", "package.json"), "utf8"));
  assert.deepEqual([searched.rankerVersion, searched.attributes["toolsift.ranker.version"]], [version, version]);

  const [operation, type] = ["gen_ai.operation.name", "gen_ai.tool.type"];
  const named = events.map(({ attributes }) => [attributes[operation], attributes[type], attributes["gen_ai.tool.call.id"]]);
  const none = [undefined, undefined];
  const executed = ["execute_tool", "function"];
  assert.deepEqual(
    named,
    [
      [...executed, "s"],
      [...none, "s"],
      [...executed, "e"],
      [...none, "e"],
      [...executed, "1"],
    ],
    "a reveal is no execution of its own",
  );
  for (const { attributes } of events) {
    for (const [key, value] of Object.entries(attributes)) {
      assert.ok(
        [value].flat().every((one) => ["string", "number", "boolean"].includes(typeof one)),
        key,
      );
    }
  }
});
