/** Does an agent of Mastra's run its tools as Mastra does, whoever has found them? */

import assert from "node:assert/strict";
import { test } from "vitest";
import { script } from "./lib/calls.mjs";
import { runOf } from "./lib/drives/mastra.mjs";
import { add, call, DISCOVERY, natives, parts, processOf, withVendor } from "./lib/mastra.mjs";

for (const stream of [false, true]) {
  test(`a tool of Mastra's is run by Mastra, with all that it has (stream ${stream})`, async () => {
    const { RequestContext } = await parts();
    const { tools, ran } = await natives();
    const measure = (day) => [call("measure_depth", { day })];
    const replies = [[add("measure_depth")], measure("soon"), measure("2026-03-01")];
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
      const { payload } = result.steps[2].toolResults[0];
      assert.deepEqual(payload.result, { metres: 12, unit: "m" }, "the host has the whole result");
    });
  });
}

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
  const raise = (times) => call("raise_sail", { times });
  const replies = [[call("ring-bell", { times: 1 }), raise(2)], [raise(9)], [raise(2)]];
  await withVendor(script(...replies), async ({ url, requests }) => {
    const agentTools = { ring_bell: own("ring-bell"), raise_sail: own("raise-sail") };
    const { sift, agent } = await processOf(url, { agentTools });
    const inputSchema = { type: "object", properties: { times: { type: "number" } } };
    sift.register({ name: "raise_sail", description: "Raise the sail.", inputSchema });
    sift.register({ name: "look_out", description: "Look out." });
    await agent.generate("Go.", { maxSteps: 10 });
    assert.deepEqual(requests[0].tools, [...DISCOVERY, "ring_bell"]);
    assert.equal(requests[1].answers[0], "ring-bell of the agent", "Mastra finds its own by their ids, too");
    assert.match(requests[1].answers[1], /raise_sail was not loaded/);
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "ring_bell", "raise_sail"]);
    assert.match(requests[2].answers[0], /validation failed/i);
    assert.deepEqual(ran, [
      ["ring-bell", { times: 1 }],
      ["raise-sail", { times: 2 }],
    ]);
  });
});

test("a tool of a name in the catalog that is a different tool is refused, in the options and among the agent's", async () => {
  const { createTool, ToolSift, siftProcessor, z } = await parts();
  const server = {
    name: "search",
    description: "Searches the web.",
    inputSchema: { type: "object", properties: { q: { type: "string" } } },
  };
  const make = (description, inputSchema) =>
    createTool({ id: "search", description, inputSchema, execute: async () => "mine" });
  const others = [
    make("Searches orders.", z.object({ q: z.string() })),
    make("Searches the web.", z.object({ order: z.string() })),
    make("Searches the web.", z.object({ q: z.number() })),
  ];
  const both =
    /tools?\W.*search and a tool of server "web" are both called search, and differ|agent's tool search and a tool of server "web"/;
  const catalog = () => {
    const sift = new ToolSift({ activation: "on" });
    sift.register([server], { server: "web" });
    return sift;
  };
  for (const search of others) {
    const sift = catalog();
    const refused = { code: "option_conflict", message: both };
    assert.throws(() => siftProcessor(sift, { tools: { search, more: make("More.", z.object({})) } }), refused);
    assert.equal(sift.tools().length, 1, "nothing is registered");
    await withVendor(
      () => ({ text: "Never." }),
      async ({ url, requests }) => {
        const { sift: agents, agent } = await processOf(url, { agentTools: { search }, execute: () => "theirs" });
        agents.register([server], { server: "web" });
        await assert.rejects(agent.generate("Go."), (error) => both.test(`${error.message} ${error.cause?.message}`));
        assert.equal(requests.length, 0);
      },
    );
  }
  siftProcessor(catalog(), { tools: { search: make("Searches the  web.", z.object({ q: z.string() })) } });
});

test("activeTools narrows the agent's own tools only", async () => {
  const { createTool } = await parts();
  const own = (id) => createTool({ id, description: `Does ${id}.`, execute: async () => id });
  await withVendor(script([add("look_out")], [call("look_out")]), async ({ url, requests }) => {
    const { sift, agent } = await processOf(url, {
      agentTools: { one: own("one"), two: own("two") },
      execute: () => "seen",
    });
    sift.register({ name: "look_out", description: "Look out." });
    await agent.generate("Go.", { maxSteps: 10, activeTools: ["two"] });
    assert.deepEqual(
      requests.map(({ tools }) => tools.slice(3).join()),
      ["two", "two,look_out", "two,look_out"],
    );
    assert.deepEqual(requests[2].answers, ["seen"]);
  });
});

test("a bridge runs tools of every kind, and asks first where one of them must be approved", async () => {
  const { createTool, InMemoryStore } = await parts();
  const { tools, ran } = await natives();
  const bridged = (name, args) => call("tool_call", { name, arguments: args });
  const today = { day: "2026-03-01" };
  const both = [bridged("look_out", {}), bridged("ring_bell", {})];
  const replies = [[bridged("measure_depth", today)], both, [call("measure_depth", today)]];
  const execute = async (_, { agent }) => `rung by ${agent.toolCallId}`;
  const agentTools = { ring_bell: createTool({ id: "ring-bell", description: "Ring.", execute }) };
  const settings = { profile: "bridge" };
  const about = { settings, agentTools, execute: ({ name }) => `${name} ran`, storage: new InMemoryStore() };
  await withVendor(script(...replies), async ({ url, requests }) => {
    const { measure_depth } = tools;
    const { sift, agent } = await processOf(url, { ...about, tools: { measure_depth } });
    sift.register([
      { name: "look_out", description: "Look out." },
      { name: "ring_bell", description: "Ring the bell." },
    ]);
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

test("a long result of Mastra's own tool is cut for the model, and whole for the host", async () => {
  const { createTool } = await parts();
  const rows = { rows: ["x".repeat(9_000)] };
  const read_log = createTool({ id: "read-log", description: "Read the log.", execute: async () => rows });
  await withVendor(script([add("read_log")], [call("read_log", {})]), async ({ url, requests }) => {
    const { agent } = await processOf(url, { tools: { read_log }, maxAnswerChars: 1_000 });
    const { steps } = await agent.generate("Go.", { maxSteps: 10 });
    const [answer] = requests[2].answers;
    assert.match(answer, /^\{"rows":\["x{600,}\n\n\[Cut: .* of 9013 characters/);
    assert.ok(answer.length <= 1_000);
    assert.deepEqual(steps[1].toolResults[0].payload.result, rows);
  });
});
