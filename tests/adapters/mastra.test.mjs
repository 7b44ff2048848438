/** Does the adapter for Mastra keep the contract, and leave to Mastra what is Mastra's? */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appWith } from "./lib/app.mjs";
import { contract, script } from "./lib/contract.mjs";
import { agentOf, mastra, runOf } from "./lib/drives/mastra.mjs";
import { host, siftOf } from "./lib/tools.mjs";
import { startVendor } from "./lib/vendor.mjs";
import { chat } from "./lib/wires/chat.mjs";

contract(mastra, { variants: [{ stream: false }, { stream: true }] });

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];
const PACKAGES = mastra.versions[0];

const call = (name, args = {}) => ({ name, args });
const add = (...names) => call("add_tool", { tool_names: names });

/** What the tests need of the application's packages. */
async function parts() {
  const app = await appWith(PACKAGES);
  const [toolsift, adapter, tools, core, storage, memory, context, zod] = await Promise.all(
    ["toolsift", "toolsift/mastra", "@mastra/core/tools", "@mastra/core/mastra", "@mastra/core/storage", "@mastra/core/memory", "@mastra/core/request-context", "zod"].map(app.load),
  );
  return { app, ...toolsift, ...adapter, ...tools, ...core, ...storage, ...memory, ...context, ...zod };
}

/** A vendor for as long as the test uses it. */
async function withVendor(reply, use) {
  const vendor = await startVendor(chat, reply);
  try {
    return await use(vendor);
  } finally {
    await vendor.close();
  }
}

/** Mastra's tools for the tests: one of each kind, and what was run. */
async function natives() {
  const { createTool, z } = await parts();
  const ran = [];
  const tools = {
    measure_depth: createTool({
      id: "measure-depth",
      description: "Measure how deep the harbour is on a day.",
      inputSchema: z.object({ day: z.coerce.date(), place: z.string().default("Oslo") }),
      outputSchema: z.object({ metres: z.number(), unit: z.string().default("m") }),
      execute: async (input, context) => {
        ran.push({ name: "measure_depth", input, context });
        return { metres: 12 };
      },
      // Mastra asks it of its own refusals, too.
      toModelOutput: ({ message, metres, unit }) => ({ type: "text", value: message ?? `${metres} ${unit} deep` }),
    }),
    delete_repository: createTool({
      id: "delete-repository",
      description: "Delete a repository for good.",
      inputSchema: z.object({ repo: z.string() }),
      requireApproval: true,
      execute: async (input) => {
        ran.push({ name: "delete_repository", input });
        return { gone: input.repo };
      },
    }),
    ask_captain: createTool({
      id: "ask-captain",
      description: "Ask the captain a question and wait for the answer.",
      inputSchema: z.object({ question: z.string() }),
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ answer: z.string() }),
      execute: async ({ question }, { agent }) => {
        ran.push({ name: "ask_captain", resumed: agent.resumeData !== undefined });
        return agent.resumeData === undefined ? agent.suspend({ question }) : `The captain says ${agent.resumeData.answer}`;
      },
    }),
  };
  return { tools, ran };
}

/** A process: a catalog, a processor and an agent of its own, over storage that other processes may share. */
async function processOf(url, { tools, settings = {}, storage, memory, agentTools, ...options } = {}) {
  const { app, ToolSift, ToolSiftProcessor, Mastra, InMemoryStore } = await parts();
  const sift = new ToolSift({ activation: "on", ...settings });
  const processor = new ToolSiftProcessor(sift, { tools, ...options });
  const own = { inputProcessors: [processor], ...(memory && { memory }), ...(agentTools && { tools: agentTools }) };
  const agent = await agentOf(app, url, own);
  const instance = new Mastra({ agents: { agent }, storage: storage ?? new InMemoryStore(), logger: false });
  return { sift, processor, agent: instance.getAgent("agent") };
}

for (const stream of [false, true]) {
  test(`a tool of Mastra's is run by Mastra, with all that it has (stream ${stream})`, async () => {
    const { RequestContext } = await parts();
    const { tools, ran } = await natives();
    const replies = [[add("measure_depth")], [call("measure_depth", { day: "soon" })], [call("measure_depth", { day: "2026-03-01" })]];
    await withVendor(script(...replies), async ({ url, requests }) => {
      const { agent } = await processOf(url, { tools });
      const requestContext = new RequestContext([["user", "ada"]]);
      const { signal } = new AbortController();
      const result = await runOf(agent, "How deep?", { stream, maxSteps: 10, requestContext, abortSignal: signal });

      const { parameters } = requests[1].body.tools.at(-1).function;
      assert.deepEqual(parameters.required, ["day"]);
      assert.equal(parameters.properties.place.default, "Oslo");
      assert.match(requests[2].answers[0], /validation failed[^]*day/i, "Mastra checks the arguments, in its words");
      assert.deepEqual(requests[3].answers, ["12 m deep"], "what toModelOutput says, of what outputSchema has filled in");
      assert.equal(ran.length, 1);
      const [{ input, context }] = ran;
      assert.deepEqual(input, { day: new Date("2026-03-01"), place: "Oslo" });
      assert.equal(context.requestContext.get("user"), "ada");
      assert.ok(context.abortSignal instanceof AbortSignal);
      assert.equal(typeof context.writer.write, "function");
      assert.equal(context.agent.toolCallId, "call_3_0");
      assert.deepEqual(result.steps[2].toolResults[0].payload.result, { metres: 12, unit: "m" }, "the host has the whole result");
    });
  });
}

for (const [label, threaded] of [["of a thread", true], ["without memory", false]]) {
  for (const elsewhere of [false, true]) {
    test(`held calls of deferred tools go on ${elsewhere ? "in another process" : "where they were"}, ${label}`, async () => {
      const { InMemoryStore, MockMemory } = await parts();
      const { tools, ran } = await natives();
      const replies = [
        [add("delete_repository", "ask_captain")],
        [call("delete_repository", { repo: "engine" })],
        [call("delete_repository", { repo: "hull" })],
        [call("ask_captain", { question: "where to?" })],
      ];
      await withVendor(script(...replies), async ({ url, requests }) => {
        const storage = new InMemoryStore();
        const memory = threaded ? new MockMemory({ storage, enableMessageHistory: true }) : undefined;
        const start = () => processOf(url, { tools, storage, memory });
        let { agent } = await start();
        const next = async () => {
          if (elsewhere) ({ agent } = await start());
          return agent;
        };
        const about = threaded ? { memory: { thread: "voyage", resource: "ada" } } : {};
        const first = await agent.generate("Clean up.", { maxSteps: 10, ...about });
        assert.deepEqual([first.finishReason, first.suspendPayload.toolName], ["suspended", "delete_repository"]);
        assert.deepEqual(ran, [], "nothing runs before it is approved");

        const { runId } = first;
        const second = await (await next()).approveToolCallGenerate({ runId, toolCallId: first.suspendPayload.toolCallId });
        assert.deepEqual(ran.splice(0), [{ name: "delete_repository", input: { repo: "engine" } }]);
        const third = await (await next()).declineToolCallGenerate({ runId, toolCallId: second.suspendPayload.toolCallId });
        assert.deepEqual(third.suspendPayload.suspendPayload, { question: "where to?" });
        assert.deepEqual(ran.splice(0), [{ name: "ask_captain", resumed: false }], "what was declined did not run");
        const last = await (await next()).resumeGenerate({ answer: "north" }, { runId });
        assert.deepEqual(ran, [{ name: "ask_captain", resumed: true }]);

        assert.equal(last.text, "All done.");
        for (const { tools: sent } of requests.slice(1)) assert.deepEqual(sent, [...DISCOVERY, "delete_repository", "ask_captain"]);
        assert.match(requests[2].answers[0], /"gone":"engine"/);
        assert.match(requests[3].answers[0], /not approved/);
        assert.deepEqual(requests[4].answers, ["The captain says north"]);
      });
    });
  }
}

for (const elsewhere of [false, true]) {
  test(`what is called beside a held call runs once, and is told the way out ${elsewhere ? "in another process" : "where it was"}`, async () => {
    const { InMemoryStore, MockMemory, sessionOf } = await parts();
    const { tools, ran } = await natives();
    const beside = [call("measure_depth", { day: "2026-03-01" }), call("delete_repository", { repo: "engine" }), call("ask_captain"), call("nowhere")];
    await withVendor(script([add("measure_depth", "delete_repository")], beside), async ({ url, requests }) => {
      const storage = new InMemoryStore();
      const memory = new MockMemory({ storage, enableMessageHistory: true });
      const about = { memory: { thread: "t", resource: "r" }, maxSteps: 10 };
      const one = await processOf(url, { tools, storage, memory });
      const { runId, suspendPayload } = await one.agent.generate("Go.", about);
      const { agent, sift } = elsewhere ? await processOf(url, { tools, storage, memory }) : one;
      await agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId, ...about });
      assert.deepEqual(ran.map(({ name }) => name), ["measure_depth", "delete_repository"]);
      const { answers, tools: sent } = requests.at(-1);
      assert.equal(answers[0], "12 m deep");
      assert.match(answers[1], /"gone":"engine"/);
      // Elsewhere it is not known before the next step what was loaded, so that Mastra looks at the arguments first.
      assert.match(answers[2], elsewhere ? /validation failed/ : /ask_captain was loaded in the same step, so this call did not run/);
      assert.match(answers[3], /Find tools with search_tools/);
      assert.deepEqual(sent, [...DISCOVERY, "measure_depth", "delete_repository", "ask_captain"]);
      assert.deepEqual(sift.session(sessionOf("t", "r")).revealed, sent.slice(3));
    });
  });
}

test("a call that the host's execute runs is held where the host wants all of them approved", async () => {
  const { app, InMemoryStore, MockMemory, ToolSiftProcessor, Mastra } = await parts();
  const { execute, ran } = host();
  await withVendor(script([call("read_graph")], [call("read_graph")]), async ({ url, requests }) => {
    const storage = new InMemoryStore();
    const memory = new MockMemory({ storage, enableMessageHistory: true });
    const start = async () => {
      const processor = new ToolSiftProcessor(await siftOf(app), { execute });
      const agent = await agentOf(app, url, { inputProcessors: [processor], memory });
      return new Mastra({ agents: { agent }, storage, logger: false }).getAgent("agent");
    };
    const requireToolApproval = ({ toolName }) => toolName === "read_graph";
    const about = { memory: { thread: "t", resource: "r" }, maxSteps: 10, requireToolApproval };
    const { runId, suspendPayload } = await (await start()).generate("Look.", about);
    assert.deepEqual(ran, []);
    await (await start()).approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId, ...about });
    assert.deepEqual(ran, [{ server: "memory", name: "read_graph", args: {} }]);
    assert.deepEqual(requests.at(-1).answers, ["memory/read_graph did it"]);
  });
});

test("threads are sessions: remembered over runs, told apart, and read from the messages after a restart", async () => {
  const { app, InMemoryStore, MockMemory, ToolSiftProcessor, sessionOf } = await parts();
  const storage = new InMemoryStore();
  const memory = new MockMemory({ storage, enableMessageHistory: true });
  const { execute, ran } = host();
  /** The first message of a run says what the model is to do in it. */
  const scripted = ({ prompt, answers }) => (answers.length > 0 ? { text: "Done." } : { calls: JSON.parse(prompt) });
  await withVendor(scripted, async ({ url, requests }) => {
    const start = async () => {
      const sift = await siftOf(app);
      const agent = await agentOf(app, url, { inputProcessors: [new ToolSiftProcessor(sift, { execute })], memory });
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
    assert.deepEqual(ran.splice(0).map(({ name }) => name), ["create_issue"]);
    const [a, b] = ["a", "b"].map((thread) => one.sift.session(sessionOf(thread, "ada")).revealed);
    assert.deepEqual([a, b], [["create_issue", "read_graph"], ["open_nodes", "read_graph"]]);

    const two = await start();
    requests.length = 0;
    await two.says("b", call("read_graph"));
    await two.says("a", call("read_graph"));
    assert.deepEqual(requests.map(({ tools }) => tools.slice(3)), [b, b, a, a], "as the messages tell, in the same order");
    assert.deepEqual(ran.map(({ name }) => name), ["read_graph", "read_graph"]);

    const three = await start();
    three.sift.session(sessionOf("a", "ada")).reveal(["fork_repository"]);
    requests.length = 0;
    await three.says("a", call("read_graph"));
    assert.deepEqual(requests[0].tools.slice(3), ["fork_repository"], "what the host has set up is left alone");
  });
});

test("no two threads share a session", async () => {
  const { sessionOf } = await parts();
  const ids = [["b/c", "a"], ["c", "a/b"], ["c", "a%2Fb"], ["c", ""], ["", "c"], ["b c", "a"], ["b%20c", "a"]];
  assert.equal(new Set(ids.map(([thread, resource]) => sessionOf(thread, resource))).size, ids.length);
});

test("without memory nothing is kept but what the host hands over", async () => {
  const { app, ToolSiftProcessor } = await parts();
  const sift = await siftOf(app, { limits: { sessions: 4 } });
  const { execute } = host();
  await withVendor((_, step) => (step % 2 === 1 ? { calls: [add("read_graph")] } : { text: "Done." }), async ({ url, requests }) => {
    const agent = await agentOf(app, url, { inputProcessors: [new ToolSiftProcessor(sift, { execute })] });
    sift.session("kept").reveal(["create_issue"]);
    let result;
    for (let run = 0; run < 10; run++) result = await agent.generate("Go.", { maxSteps: 5 });
    assert.ok(requests.every(({ tools }, at) => tools.length === (at % 2 === 0 ? 3 : 4)));
    assert.deepEqual(sift.session("kept").revealed, ["create_issue"], "sessions of runs that are over are gone");
    requests.length = 0;
    await agent.generate([{ role: "user", content: "Go." }, ...result.response.messages, { role: "user", content: "On." }], { maxSteps: 1 });
    assert.deepEqual(requests[0].tools, [...DISCOVERY, "read_graph"]);
  });
});

test("sessions of runs that nobody ends are closed at some time, and a run goes on without its own", async () => {
  const { app, ToolSiftProcessor } = await parts();
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
  const processor = new ToolSiftProcessor(sift, { execute: others });
  await withVendor(script([add("read_graph")], [call("read_graph")], [call("open_nodes", { names: [] })]), async ({ url, requests }) => {
    const agent = await agentOf(app, url, { inputProcessors: [processor] });
    const { text } = await agent.generate("Go.", { maxSteps: 10 });
    assert.ok(closed.length >= 44, "256 stay");
    assert.deepEqual(requests.map(({ tools }) => tools.slice(3)), [[], ["read_graph"], ["read_graph"], ["read_graph", "open_nodes"]]);
    assert.equal(text, "All done.");
  });
});

test("what was loaded in the same reply is called again", async () => {
  const { execute, ran } = host();
  const { app } = await parts();
  const replies = [[add("read_graph"), call("read_graph")], [call("read_graph")]];
  const { requests } = await mastra.converse({ app, sift: await siftOf(app), id: "chat", prompt: "Go.", script: script(...replies), execute });
  assert.match(requests[1].answers[1], /^read_graph was loaded in the same step.*call it again\.$/);
  assert.deepEqual(ran.map(({ name }) => name), ["read_graph"]);
});

test("the agent's own tools are sent as they are, and run what the catalog has under their names", async () => {
  const { createTool, z } = await parts();
  const ran = [];
  const own = (id) =>
    createTool({
      id,
      description: `Does ${id}.`,
      inputSchema: z.object({ times: z.number().max(3) }),
      execute: async (input) => {
        ran.push([id, input]);
        return `${id} of the agent`;
      },
    });
  const replies = [[call("ring-bell", { times: 1 }), call("raise_sail", { times: 2 })], [call("raise_sail", { times: 9 })], [call("raise_sail", { times: 2 })]];
  await withVendor(script(...replies), async ({ url, requests }) => {
    const agentTools = { ring_bell: own("ring-bell"), raise_sail: own("raise-sail") };
    const { sift, agent } = await processOf(url, { agentTools });
    sift.register({ name: "raise_sail", description: "Raise the sail.", inputSchema: { type: "object", properties: { times: { type: "number" } } } });
    sift.register({ name: "look_out", description: "Look out." });
    await agent.generate("Go.", { maxSteps: 10 });
    assert.deepEqual(requests[0].tools, [...DISCOVERY, "ring_bell"]);
    assert.equal(requests[1].answers[0], "ring-bell of the agent", "Mastra finds its own by their ids, too");
    assert.match(requests[1].answers[1], /raise_sail was not loaded/);
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "ring_bell", "raise_sail"]);
    assert.match(requests[2].answers[0], /validation failed/i);
    assert.deepEqual(ran, [["ring-bell", { times: 1 }], ["raise-sail", { times: 2 }]]);
  });
});

test("activeTools narrows the agent's own tools only", async () => {
  const { createTool } = await parts();
  const own = (id) => createTool({ id, description: `Does ${id}.`, execute: async () => id });
  await withVendor(script([add("look_out")], [call("look_out")]), async ({ url, requests }) => {
    const { sift, agent } = await processOf(url, { agentTools: { one: own("one"), two: own("two") }, execute: () => "seen" });
    sift.register({ name: "look_out", description: "Look out." });
    await agent.generate("Go.", { maxSteps: 10, activeTools: ["two"] });
    assert.deepEqual(requests.map(({ tools }) => tools), [[...DISCOVERY, "two"], [...DISCOVERY, "two", "look_out"], [...DISCOVERY, "two", "look_out"]]);
    assert.deepEqual(requests[2].answers, ["seen"]);
  });
});

test("arguments that are no JSON are refused, and stop the run", async () => {
  const { app } = await parts();
  const { execute, ran } = host();
  const broken = (_, step) => ({ calls: step === 1 ? [add("read_graph")] : [call("read_graph", '{"a": '), call("search_tools", '{"q')] });
  const about = { app, sift: await siftOf(app), id: "chat", prompt: "Go.", script: broken, execute, patience: 3 };
  const { requests, finish } = await mastra.converse(about);
  assert.deepEqual([finish, requests.length], ["refused", 4]);
  for (const { answers } of requests.slice(2)) {
    assert.match(answers[0], /^arguments are not JSON: .* in {"a":/);
    assert.match(answers[1], /arguments are not JSON/);
  }
  assert.deepEqual(ran, []);
});

test("a stop is a tripwire that says why, and the thread goes on afterwards", async () => {
  const { InMemoryStore, MockMemory, sessionOf } = await parts();
  const { tools } = await natives();
  const memory = new MockMemory({ storage: new InMemoryStore(), enableMessageHistory: true });
  await withVendor((_, step) => (step <= 2 ? { calls: [call("nowhere")] } : { text: "Fine." }), async ({ url, requests }) => {
    const { agent } = await processOf(url, { tools, memory, patience: 2 });
    const about = { memory: { thread: "t", resource: "r" }, maxSteps: 10 };
    const { tripwire } = await agent.generate("Go.", about);
    assert.equal(tripwire.processorId, "toolsift");
    assert.match(tripwire.reason, /calls that cannot be run/);
    assert.deepEqual(tripwire.metadata, { session: sessionOf("t", "r") });
    const { text } = await agent.generate("And now?", about);
    assert.equal(text, "Fine.");
    assert.equal(requests.length, 3);
  });
});

test("a bridge runs tools of every kind, and asks first where one of them must be approved", async () => {
  const { createTool, InMemoryStore } = await parts();
  const { tools, ran } = await natives();
  const bridged = (name, args) => call("tool_call", { name, arguments: args });
  const replies = [[bridged("measure_depth", { day: "2026-03-01" })], [bridged("look_out", {}), bridged("ring_bell", {})], [call("measure_depth", { day: "2026-03-01" })]];
  const agentTools = { ring_bell: createTool({ id: "ring-bell", description: "Ring.", execute: async (_, { agent }) => `rung by ${agent.toolCallId}` }) };
  const settings = { profile: "bridge" };
  const about = { settings, agentTools, execute: ({ name }) => `${name} ran`, storage: new InMemoryStore() };
  await withVendor(script(...replies), async ({ url, requests }) => {
    const { measure_depth } = tools;
    const { sift, agent } = await processOf(url, { ...about, tools: { measure_depth } });
    sift.register([{ name: "look_out", description: "Look out." }, { name: "ring_bell", description: "Ring the bell." }]);
    await agent.generate("Go.", { maxSteps: 10 });
    assert.deepEqual(requests[0].tools, ["tool_search", "tool_describe", "tool_call"]);
    assert.deepEqual(ran[0].input, { day: new Date("2026-03-01"), place: "Oslo" });
    assert.deepEqual(requests[2].answers, ["look_out ran", "rung by call_2_1"]);
    assert.match(requests[3].answers[0], /Call it through tool_call/);
    assert.equal(requests[0].toolsText, requests[3].toolsText);
  });
  ran.length = 0;
  await withVendor(script([bridged("delete_repository", { repo: "engine" })]), async ({ url, requests }) => {
    const { agent } = await processOf(url, { ...about, tools });
    const { runId, suspendPayload } = await agent.generate("Go.", { maxSteps: 10 });
    assert.deepEqual(ran, []);
    const elsewhere = await processOf(url, { ...about, tools });
    await elsewhere.agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId });
    assert.deepEqual(ran, [{ name: "delete_repository", input: { repo: "engine" } }]);
    assert.match(requests[1].answers[0], /engine/);
  });
});

test("a stub is sent without parameters, and its calls are checked against them", async () => {
  const { tools, ran } = await natives();
  const { measure_depth } = tools;
  const replies = [[call("measure_depth", { day: "soon" })], [call("measure_depth", { day: "2026-03-01" })]];
  await withVendor(script(...replies), async ({ url, requests }) => {
    const { agent } = await processOf(url, { tools: { measure_depth }, settings: { profile: "stub", stubWhen: "always" } });
    await agent.generate("Go.", { maxSteps: 10 });
    assert.equal(requests[0].body.tools[0].function.parameters.properties?.day, undefined);
    assert.match(requests[1].answers[0], /validation failed/i);
    assert.deepEqual(requests[2].answers, ["12 m deep"]);
    assert.equal(ran.length, 1);
  });
});

test("what an MCP server answers is whole for the host, and text for the model", async () => {
  const { app, ToolSiftProcessor } = await parts();
  const content = [{ type: "text", text: "two nodes" }, { type: "text", text: "one edge" }];
  const answers = [{ content, structuredContent: { nodes: 2 } }, { content: [{ type: "text", text: "no graph" }], isError: true }];
  const execute = () => answers.shift();
  const kept = [...answers];
  await withVendor(script([add("read_graph")], [call("read_graph")], [call("read_graph")]), async ({ url, requests }) => {
    const events = [];
    const processor = new ToolSiftProcessor(await siftOf(app), { execute, onEvent: (event) => void events.push(event) });
    const { steps } = await (await agentOf(app, url, { inputProcessors: [processor] })).generate("Go.", { maxSteps: 10 });
    assert.deepEqual(requests.slice(2).map((request) => request.answers), [["two nodes\none edge"], ["no graph"]]);
    assert.deepEqual(steps.slice(1, 3).map(({ toolResults }) => toolResults[0].payload.result), kept);
    assert.deepEqual(events.filter(({ type }) => type === "dispatch").map(({ isError }) => isError), [false, true]);
  });
});

test("a run that is aborted ends what execute works on", async () => {
  const { app, ToolSiftProcessor } = await parts();
  const controller = new AbortController();
  let ended = 0;
  const execute = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason, ended++));
      controller.abort(new Error("enough"));
    });
  await withVendor(script([add("read_graph")], [call("read_graph")]), async ({ url, requests }) => {
    const processor = new ToolSiftProcessor(await siftOf(app), { execute });
    const agent = await agentOf(app, url, { inputProcessors: [processor] });
    await agent.generate("Go.", { maxSteps: 10, abortSignal: controller.signal }).catch(() => {});
    assert.deepEqual([ended, requests.length], [1, 2], "no request follows");
  });
});

test("session and scope may depend on the request", async () => {
  const { app, RequestContext, ToolSiftProcessor } = await parts();
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
    const agent = await agentOf(app, url, { inputProcessors: [new ToolSiftProcessor(sift, options)] });
    for (const server of ["memory", "github"]) {
      const requestContext = new RequestContext([["chat", `chat of ${server}`], ["server", server]]);
      await agent.generate("Go.", { maxSteps: 10, requestContext });
    }
    assert.deepEqual(requests.map(({ tools }) => tools.slice(3)), [[], ["read_graph"], ["read_graph"], [], ["create_issue"], ["create_issue"]]);
    assert.deepEqual(sift.session("chat of memory", { scope: { servers: ["memory"] } }).revealed, ["read_graph"]);
    assert.ok(asked.length > 0 && asked.every((about) => about.threadId === undefined));
    assert.deepEqual(ran, []);
  });
});

test("what a host gets wrong is said at once", async () => {
  const { app, ToolSift, ToolSiftProcessor, ToolSiftError, createTool, z } = await parts();
  const { tools } = await natives();
  const refused = (code, message, make) =>
    assert.throws(make, (error) => ToolSiftError.is(error) && error.code === code && message.test(error.message));
  refused("option_invalid", /ToolSift/, () => new ToolSiftProcessor({}));
  refused("option_unknown", /"tool".*tools/, () => new ToolSiftProcessor(new ToolSift(), { tool: tools }));
  refused("option_invalid", /execute/, () => new ToolSiftProcessor(new ToolSift(), { execute: "run" }));
  refused("limit_out_of_range", /patience is 0/, () => new ToolSiftProcessor(new ToolSift(), { patience: 0 }));
  for (const wrong of [null, {}, { description: "no tool" }, { type: "provider-defined", id: "a.b", description: "d", execute() {} }]) {
    refused("tool_shape_unknown", /options\.tools\.one/, () => new ToolSiftProcessor(new ToolSift(), { tools: { one: wrong } }));
  }
  refused("option_invalid", /tools/, () => new ToolSiftProcessor(new ToolSift(), { tools: "all" }));
  refused("name_unsafe", /bad name/, () => new ToolSiftProcessor(new ToolSift(), { tools: { "bad name": tools.ask_captain } }));
  refused("name_reserved", /search_tools/, () => new ToolSiftProcessor(new ToolSift(), { tools: { search_tools: tools.ask_captain } }));

  const sift = new ToolSift();
  new ToolSiftProcessor(sift, { tools });
  new ToolSiftProcessor(sift, { tools });
  assert.equal(sift.tools().length, 3, "tools that are there already are not registered again");

  const reserved = createTool({ id: "search", description: "Mine.", inputSchema: z.object({}), execute: async () => "" });
  for (const [options, cause] of [[{ agentTools: { add_tool: reserved }, tools }, /add_tool has the name of a discovery tool/], [{ settings: { preDiscovered: ["read_graph"] } }, /nothing runs read_graph/]]) {
    await withVendor(() => ({ text: "Never." }), async ({ url, requests }) => {
      const { sift: catalog, agent } = await processOf(url, options);
      catalog.register({ name: "read_graph", description: "Read." });
      await assert.rejects(agent.generate("Go."), (error) => cause.test(`${error.message} ${error.cause?.message}`));
      assert.equal(requests.length, 0);
    });
  }
  assert.ok(app);
});

test("it is required as well as imported", async () => {
  const { folder } = await appWith(PACKAGES);
  const require = createRequire(join(folder, "program.cjs"));
  const app = { load: async (name) => require(name) };
  const { execute, ran } = host();
  const about = { app, sift: await siftOf(app), id: "chat", prompt: "Go.", script: script([call("read_graph")], [call("read_graph")]), execute };
  const { finish, requests } = await mastra.converse(about);
  assert.match(requests[1].answers[0], /was not loaded/);
  assert.deepEqual([finish, ran.length], ["done", 1]);
});

const PROGRAM = `
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { type Execute, ToolSift, ToolSiftError } from "toolsift";
import { type AboutRun, sessionOf, ToolSiftProcessor } from "toolsift/mastra";
import { z } from "zod";

const ring = createTool({
  id: "ring",
  description: "Ring the bell.",
  inputSchema: z.object({ times: z.number() }),
  outputSchema: z.object({ rung: z.boolean() }),
  suspendSchema: z.object({ why: z.string() }),
  resumeSchema: z.object({ go: z.boolean() }),
  requireApproval: ({ times }) => times > 3,
  execute: async ({ times }, { agent }) => ({ rung: times > 0 && agent?.resumeData?.go !== false }),
});
const wait = createTool({ id: "wait", description: "Wait.", execute: async () => {} });
const execute: Execute = ({ server, name, arguments: args }) => \`\${server}/\${name} \${JSON.stringify(args)}\`;
const sift = new ToolSift();
const processor = new ToolSiftProcessor(sift, {
  tools: { ring, wait },
  execute,
  session: ({ requestContext, threadId }: AboutRun) => (threadId === undefined ? requestContext?.get("chat") : undefined),
  scope: () => ({ servers: ["github"] }),
  patience: 3,
  onEvent: ({ type, attributes }) => console.log(type, attributes["gen_ai.tool.name"]),
});
export const agent = new Agent({ id: "a", name: "A", instructions: "", model: "openai/gpt-5.4", inputProcessors: [processor] });
export const id: string = sessionOf("thread", "resource");
export const wrong = (error: unknown) => ToolSiftError.is(error) && error.code;
// @ts-expect-error a number is no tool
new ToolSiftProcessor(sift, { tools: { ring: 5 } });
// @ts-expect-error there is no such option
new ToolSiftProcessor(sift, { tool: {} });
`;

for (const name of ["program.mts", "program.cts"]) {
  test(`types: ${name} with Mastra's own`, async () => {
    const { folder } = await appWith(PACKAGES);
    writeFileSync(join(folder, name), PROGRAM);
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    // Mastra's declarations do not pass a check of their own.
    const modules = { target: "es2022", module: "nodenext", moduleResolution: "nodenext", types: [], noEmit: true, skipLibCheck: true };
    const lib = ["ES2023", "DOM", "DOM.AsyncIterable"];
    const config = join(folder, `tsconfig.${name}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...modules, lib }, files: [name] }));
    await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
  });
}
