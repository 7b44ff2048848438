/** Does the adapter for Mastra keep the contract, and what does it say of calls and options that are wrong? */

import assert from "node:assert/strict";
import { test } from "vitest";
import { script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { agentOf, mastra } from "./lib/drives/mastra.mjs";
import { add, call, natives, parts, processOf, withVendor } from "./lib/mastra.mjs";
import { host, pluck, siftOf } from "./lib/tools.mjs";

contract(mastra, { variants: [{ stream: false }, { stream: true }, { door: true }] });

test("what was loaded in the same reply is called again", async () => {
  const { execute, ran } = host();
  const { app } = await parts();
  const replies = [[add("read_graph"), call("read_graph")], [call("read_graph")]];
  const about = { app, sift: await siftOf(app), id: "chat", prompt: "Go.", script: script(...replies), execute };
  const { requests } = await mastra.converse(about);
  assert.match(requests[1].answers[1], /^read_graph was loaded in the same step.*call it again\.$/);
  assert.deepEqual(pluck(ran, "name"), ["read_graph"]);
});

test("a stop is a tripwire that says why, and the thread goes on afterwards", async () => {
  const { InMemoryStore, MockMemory, threadSessionId } = await parts();
  const { tools } = await natives();
  const memory = new MockMemory({ storage: new InMemoryStore(), enableMessageHistory: true });
  await withVendor(
    (_, step) => (step <= 2 ? { calls: [call("nowhere")] } : { text: "Fine." }),
    async ({ url, requests }) => {
      const { agent } = await processOf(url, { tools, memory, patience: 2 });
      const about = { memory: { thread: "t", resource: "r" }, maxSteps: 10 };
      const { tripwire } = await agent.generate("Go.", about);
      assert.equal(tripwire.processorId, "toolsift");
      assert.match(tripwire.reason, /calls that cannot be run/);
      assert.deepEqual(tripwire.metadata, { session: threadSessionId("t", "r") });
      const { text } = await agent.generate("And now?", about);
      assert.equal(text, "Fine.");
      assert.equal(requests.length, 3);
    },
  );
});

test("what an MCP server answers is whole for the host, and text for the model", async () => {
  const { app, siftProcessor } = await parts();
  const content = [
    { type: "text", text: "two nodes" },
    { type: "text", text: "one edge" },
  ];
  const failure = { content: [{ type: "text", text: "no graph" }], isError: true };
  const answers = [{ content, structuredContent: { nodes: ["two nodes", "one edge"] } }, failure];
  const execute = () => answers.shift();
  const kept = [...answers];
  await withVendor(script([add("read_graph")], [call("read_graph")], [call("read_graph")]), async ({ url, requests }) => {
    const events = [];
    const processor = siftProcessor(await siftOf(app), { execute, onEvent: (event) => void events.push(event) });
    const { steps } = await (await agentOf(app, url, { inputProcessors: [processor] })).generate("Go.", { maxSteps: 10 });
    assert.deepEqual(
      requests.slice(2).map((request) => request.answers),
      [["two nodes\none edge"], ["no graph"]],
    );
    assert.deepEqual(
      steps.slice(1, 3).map(({ toolResults }) => toolResults[0].payload.result),
      kept,
    );
    assert.deepEqual(
      pluck(
        events.filter(({ type }) => type === "dispatch"),
        "isError",
      ),
      [false, true],
    );
  });
});

test("execute may answer nothing, and the run goes on", async () => {
  const { app, siftProcessor } = await parts();
  await withVendor(script([add("read_graph")], [call("read_graph")]), async ({ url, requests }) => {
    const processor = siftProcessor(await siftOf(app), { execute: () => {} });
    const { text } = await (await agentOf(app, url, { inputProcessors: [processor] })).generate("Go.", { maxSteps: 10 });
    assert.deepEqual([requests.at(-1).answers, text], [[""], "All done."]);
  });
});
