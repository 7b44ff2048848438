/** Is a thread of Mastra's memory a session, and a run without memory one by itself? */

import assert from "node:assert/strict";
import { test } from "vitest";
import { script } from "./lib/calls.mjs";
import { agentOf } from "./lib/drives/mastra.mjs";
import { add, call, DISCOVERY, parts, withVendor } from "./lib/mastra.mjs";
import { host, pluck, siftOf } from "./lib/tools.mjs";

test("threads are sessions: remembered over runs, told apart, and read from the messages after a restart", async () => {
  const { app, InMemoryStore, MockMemory, siftProcessor, threadSessionId } = await parts();
  const storage = new InMemoryStore();
  const memory = new MockMemory({ storage, enableMessageHistory: true });
  const { execute, ran } = host();
  /** The first message of a run says what the model is to do in it. */
  const scripted = ({ prompt, answers }) => (answers.length > 0 ? { text: "Done." } : { calls: JSON.parse(prompt) });
  await withVendor(scripted, async ({ url, requests }) => {
    const start = async () => {
      const sift = await siftOf(app);
      // The messages are calls, which nobody searches for.
      const processor = siftProcessor(sift, { execute, prefetch: false });
      const agent = await agentOf(app, url, { inputProcessors: [processor], memory });
      const says = (thread, ...calls) =>
        agent.generate(JSON.stringify(calls), { memory: { thread, resource: "ada" }, maxSteps: 5 });
      return { sift, says };
    };
    const one = await start();
    await Promise.all([
      one.says("a", add("create_issue"), call("read_graph"), call("no_such_tool")),
      one.says("b", call("open_nodes"), add("read_graph")),
    ]);
    await one.says("a", call("create_issue", { owner: "a", repo: "b", title: "c" }));
    assert.deepEqual(pluck(ran.splice(0), "name"), ["create_issue"]);
    const [a, b] = ["a", "b"].map((thread) => one.sift.session(threadSessionId(thread, "ada")).revealed);
    assert.deepEqual(
      [a, b],
      [
        ["create_issue", "read_graph"],
        ["open_nodes", "read_graph"],
      ],
    );

    const two = await start();
    requests.length = 0;
    await two.says("b", call("read_graph"));
    await two.says("a", call("read_graph"));
    assert.deepEqual(
      requests.map(({ tools }) => tools.slice(3)),
      [b, b, a, a],
      "as the messages tell, in the same order",
    );
    assert.deepEqual(pluck(ran, "name"), ["read_graph", "read_graph"]);

    const three = await start();
    three.sift.session(threadSessionId("a", "ada")).reveal(["fork_repository"]);
    requests.length = 0;
    await three.says("a", call("read_graph"));
    assert.deepEqual(requests[0].tools.slice(3), ["fork_repository"], "what the host has set up is left alone");
  });
});

test("no two threads share a session", async () => {
  const { threadSessionId } = await parts();
  const ids = [
    ["b/c", "a"],
    ["c", "a/b"],
    ["c", "a%2Fb"],
    ["c", ""],
    ["", "c"],
    ["b c", "a"],
    ["b%20c", "a"],
  ];
  assert.equal(new Set(ids.map(([thread, resource]) => threadSessionId(thread, resource))).size, ids.length);
});

test("without memory nothing is kept but what the host hands over", async () => {
  const { app, siftProcessor } = await parts();
  const sift = await siftOf(app, { limits: { sessions: 4 } });
  const { execute } = host();
  const scripted = (_, step) => (step % 2 === 1 ? { calls: [add("read_graph")] } : { text: "Done." });
  await withVendor(scripted, async ({ url, requests }) => {
    const agent = await agentOf(app, url, { inputProcessors: [siftProcessor(sift, { execute })] });
    sift.session("kept").reveal(["create_issue"]);
    let result;
    for (let run = 0; run < 10; run++) result = await agent.generate("Go.", { maxSteps: 5 });
    assert.ok(requests.every(({ tools }, at) => tools.length === (at % 2 === 0 ? 3 : 4)));
    assert.deepEqual(sift.session("kept").revealed, ["create_issue"], "sessions of runs that are over are gone");
    requests.length = 0;
    const says = (content) => ({ role: "user", content });
    await agent.generate([says("Go."), ...result.response.messages, says("On.")], { maxSteps: 1 });
    assert.deepEqual(requests[0].tools, [...DISCOVERY, "read_graph"]);
  });
});

test("sessions of runs that nobody ends are closed at some time, and a run goes on without its own", async () => {
  const { app, siftProcessor } = await parts();
  const sift = await siftOf(app);
  const closed = [];
  const open = sift.session.bind(sift);
  sift.session = (id, settings) => {
    const session = open(id, settings);
    const close = session.close.bind(session);
    return Object.assign(session, { close: () => void closed.push(id) ?? close() });
  };
  const messageList = { get: { all: { db: () => [] } }, clearSystemMessages() {}, addSystem() {} };
  const others = () => {
    for (let run = 0; run < 300; run++) processor.processInputStep({ messageList, state: {} });
    return "done";
  };
  const processor = siftProcessor(sift, { execute: others });
  const replies = [[add("read_graph")], [call("read_graph")], [call("open_nodes", { names: [] })]];
  await withVendor(script(...replies), async ({ url, requests }) => {
    const agent = await agentOf(app, url, { inputProcessors: [processor] });
    const { text } = await agent.generate("Go.", { maxSteps: 10 });
    assert.ok(closed.length >= 44, "256 stay");
    const loaded = requests.map(({ tools }) => tools.slice(3).join());
    assert.deepEqual(loaded, ["", "read_graph", "read_graph", "read_graph,open_nodes"]);
    assert.equal(text, "All done.");
  });
});

test("session and scope may depend on the request", async () => {
  const { app, RequestContext, siftProcessor } = await parts();
  const sift = await siftOf(app);
  const { execute, ran } = host();
  const asked = [];
  const options = {
    execute,
    session: (about) => void asked.push(about) ?? about.requestContext.get("chat"),
    scope: ({ requestContext }) => ({ servers: [requestContext.get("server")] }),
  };
  const scripted = (_, step) => (step % 3 === 0 ? { text: "Done." } : { calls: [add("read_graph", "create_issue")] });
  await withVendor(scripted, async ({ url, requests }) => {
    const agent = await agentOf(app, url, { inputProcessors: [siftProcessor(sift, options)] });
    for (const server of ["memory", "github"]) {
      const requestContext = new RequestContext([
        ["chat", `chat of ${server}`],
        ["server", server],
      ]);
      await agent.generate("Go.", { maxSteps: 10, requestContext });
    }
    const loaded = requests.map(({ tools }) => tools.slice(3).join());
    assert.deepEqual(loaded, ["", "read_graph", "read_graph", "", "create_issue", "create_issue"]);
    assert.deepEqual(sift.session("chat of memory", { scope: { servers: ["memory"] } }).revealed, ["read_graph"]);
    assert.ok(asked.length > 0 && asked.every((about) => about.threadId === undefined));
    assert.deepEqual(ran, []);
  });
});
