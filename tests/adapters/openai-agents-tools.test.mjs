/**
 * Tests that deferred tools keep the features of the OpenAI Agents SDK.
 * 1. The agent's own tools, MCP servers and handoffs are sent together with the session's tools, and the SDK runs them.
 * 2. Deferred function tools of the SDK keep their schema, approval and errors.
 * 3. An approval interrupts the run, which continues in the same process or in another one.
 * 4. The answers of a run, and the active agent, follow handoffs and agents that are tools.
 * 5. A mistake of the program gives an error that names it, never a missing tool.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, ENTITIES, ISSUE, add, call, script } from "./lib/calls.mjs";
import { openaiAgents, withRunner } from "./lib/drives/openai-agents.mjs";
import { host, pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const NEWEST = openaiAgents.versions.at(-1);

/** The SDK, zod and the package of one application. */
async function parts(packages = NEWEST) {
  const app = await appWith(packages);
  const [sdk, { siftAgents, fromAgentItems }, { z }, { ToolSift }] = await Promise.all(
    ["@openai/agents", "toolsift/openai-agents", "zod", "toolsift"].map((name) => app.load(name)),
  );
  return { app, sdk, siftAgents, fromAgentItems, z, ToolSift };
}

/** A tool of the SDK that says what it was called with. */
async function nativeTools(more = {}) {
  const { sdk, z } = await parts();
  const ran = [];
  const ring = sdk.tool({
    name: "ring_bell",
    description: "Ring the bell of the house so many times.",
    parameters: z.object({ times: z.number().int() }),
    execute: ({ times }, runContext) => {
      ran.push({ times, context: runContext.context });
      if (times > 9) throw new Error("the rope broke");
      return `rang ${times}`;
    },
    ...more,
  });
  return { ring, ran };
}

const settings = { name: "agent", instructions: "You are an agent.", model: "gpt-5.4" };

test("own tools stand behind the discovery tools, MCP servers in front, and the SDK runs both", async () => {
  const { app, sdk, siftAgents } = await parts();
  const { ring, ran } = await nativeTools();
  const called = [];
  const server = {
    name: "house",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [{ name: "open_door", description: "Open.", inputSchema: { type: "object", properties: {} } }],
    callTool: async (name, args) => {
      called.push([name, args]);
      return [{ type: "text", text: "open" }];
    },
  };
  const web = sdk.webSearchTool();
  const agents = siftAgents(await siftOf(app), { execute: host().execute });
  const agent = new sdk.Agent(agents.with("chat", { ...settings, tools: [ring, web], mcpServers: [server] }));
  const replies = [[add("read_graph")], [call("ring_bell", { times: 2 }), call("open_door"), call("read_graph")]];
  await withRunner(
    app,
    script(...replies),
    async ({ runner, requests }) => {
      const result = await runner.run(agent, "Go.", agents.runOptions({ context: { user: "ada" } }));
      assert.equal(result.finalOutput, "All done.");
      const first = ["open_door", ...DISCOVERY, "ring_bell", "web_search"];
      assert.deepEqual(pluck(requests, "tools"), [first, [...first, "read_graph"], [...first, "read_graph"]]);
      assert.deepEqual(ran, [{ times: 2, context: { user: "ada" } }]);
      assert.deepEqual(called, [["open_door", {}]]);
      for (const text of ["memory/read_graph did it", "open", "rang 2"])
        assert.ok(JSON.stringify(requests[2].answers).includes(text));
    },
    "responses",
  );
});

test("a function tool that is held back keeps its schema, its context and its errors", async () => {
  const { app, sdk, siftAgents, ToolSift } = await parts();
  const errorFunction = (_, error) => `It failed: ${error.message}`;
  const { ring, ran } = await nativeTools({ errorFunction });
  const events = [];
  const sift = new ToolSift({ activation: "on" });
  const agents = siftAgents(sift, { tools: [ring], onEvent: (event) => void events.push(event) });
  const agent = new sdk.Agent(agents.with("chat", settings));
  const replies = [
    [add("ring_bell")],
    [{ times: 3 }, { times: 10 }, { times: "many" }].map((args) => call("ring_bell", args)),
  ];
  await withRunner(app, script(...replies), async ({ runner, requests }) => {
    await runner.run(agent, "Go.", agents.runOptions({ context: "ada" }));
    assert.deepEqual(requests[0].tools, DISCOVERY);
    assert.deepEqual(requests[1].body.tools.at(-1).function.parameters.properties.times.type, "integer");
    assert.equal(requests[1].body.tools.at(-1).function.strict, true);
    assert.deepEqual(ran, [
      { times: 3, context: "ada" },
      { times: 10, context: "ada" },
    ]);
    const [rang, broke, invalid] = requests[2].answers;
    assert.equal(rang, "rang 3");
    assert.equal(broke, "It failed: the rope broke");
    assert.match(invalid, /^It failed: .*nvalid/);
    assert.equal(events.filter(({ type }) => type === "dispatch").length, 3);
  });
});

for (const packages of allOrLast(openaiAgents.versions)) {
  test(`${packages["@openai/agents"]}: an approval interrupts the run, which goes on in another process`, async () => {
    const { app, sdk, siftAgents } = await parts(packages);
    const asked = [];
    const needsApproval = ({ server, name, arguments: args }) => {
      asked.push({ server, name, args });
      return name === "create_entities";
    };
    /** What a process makes anew. */
    const process = async (snapshot) => {
      const { execute, ran } = host();
      const sift = await siftOf(app);
      if (snapshot !== undefined) sift.restore(snapshot);
      const agents = siftAgents(sift, { execute, needsApproval });
      return { sift, ran, agents, agent: new sdk.Agent(agents.with("chat", settings)) };
    };
    const replies = [[add("create_entities", "read_graph")], [call("read_graph"), call("create_entities", ENTITIES)]];
    await withRunner(app, script(...replies), async ({ runner, requests }) => {
      const one = await process();
      const held = await runner.run(one.agent, "Go.", one.agents.runOptions());
      assert.deepEqual(pluck(held.interruptions, "name"), ["create_entities"]);
      assert.deepEqual(pluck(one.ran, "name"), ["read_graph"]);
      assert.deepEqual(asked[1], { server: "memory", name: "create_entities", args: ENTITIES });
      const kept = JSON.stringify({ state: held.state.toString(), snapshot: one.sift.session("chat").snapshot() });

      const { state: text, snapshot } = JSON.parse(kept);
      const two = await process(snapshot);
      const state = await sdk.RunState.fromString(two.agent, text);
      state.approve(state.getInterruptions()[0]);
      const result = await runner.run(two.agent, state, two.agents.runOptions());
      assert.equal(result.finalOutput, "All done.");
      assert.deepEqual(two.ran, [{ server: "memory", name: "create_entities", args: ENTITIES }]);
      assert.deepEqual(requests.at(-1).answers.toSorted(), ["memory/create_entities did it", "memory/read_graph did it"]);
    });
  });
}

test("a function tool's own approval holds the call, through a bridge too, and a rejection is told", async () => {
  const { app, sdk, siftAgents, ToolSift } = await parts();
  for (const profile of ["sift", "bridge"]) {
    const { ring, ran } = await nativeTools({ needsApproval: async (_, { times }) => times > 1 });
    const agents = siftAgents(new ToolSift({ profile, activation: "on" }), { tools: [ring] });
    const agent = new sdk.Agent(agents.with("chat", settings));
    const made = (times) =>
      profile === "bridge" ? call("tool_call", { name: "ring_bell", arguments: { times } }) : call("ring_bell", { times });
    const replies = [...(profile === "bridge" ? [] : [[add("ring_bell")]]), [made(1), made(2)]];
    await withRunner(app, script(...replies), async ({ runner, requests }) => {
      const held = await runner.run(agent, "Go.", agents.runOptions());
      assert.equal(held.interruptions.length, 1, profile);
      assert.deepEqual(pluck(ran, "times"), [1]);
      held.state.reject(held.interruptions[0]);
      const result = await runner.run(agent, held.state, agents.runOptions());
      assert.equal(result.finalOutput, "All done.");
      assert.deepEqual(pluck(ran, "times"), [1]);
      assert.ok(requests.at(-1).answers.includes("rang 1"));
      assert.equal(requests.at(-1).answers.length, 2);
    });
  }
});

test("after a handoff the next agent has its own session, and answers calls from it", async () => {
  const { app, sdk, siftAgents } = await parts();
  const sift = await siftOf(app);
  const { execute, ran } = host();
  const agents = siftAgents(sift, { execute });
  const memories = sift.session("chat/memory", { scope: { servers: ["memory"] } });
  const keeper = new sdk.Agent(agents.with(memories, { ...settings, name: "keeper", handoffDescription: "Keeps." }));
  const first = new sdk.Agent(agents.with("chat", { ...settings, handoffs: [keeper] }));
  const replies = [
    [add("create_issue")],
    [call("transfer_to_keeper")],
    [call("create_issue", ISSUE)],
    [call("read_graph")],
    [call("read_graph")],
  ];
  await withRunner(app, script(...replies), async ({ runner, requests }) => {
    const result = await runner.run(first, "Go.", agents.runOptions());
    assert.equal(result.lastAgent.name, "keeper");
    assert.deepEqual(pluck(requests, "tools"), [
      [...DISCOVERY, "transfer_to_keeper"],
      [...DISCOVERY, "create_issue", "transfer_to_keeper"],
      DISCOVERY,
      DISCOVERY,
      [...DISCOVERY, "read_graph"],
      [...DISCOVERY, "read_graph"],
    ]);
    assert.match(requests[3].answers[0], /There is no tool named .{0,2}create_issue/);
    assert.match(requests[4].answers[0], /read_graph was not loaded/);
    assert.deepEqual(pluck(ran, "name"), ["read_graph"]);
  });
});

test("an agent that is a tool gives the turn back when it has ended", async () => {
  const { app, sdk, siftAgents } = await parts();
  const sift = await siftOf(app);
  const agents = siftAgents(sift, { execute: host().execute });
  const inner = new sdk.Agent(
    agents.with(sift.session("inner", { scope: { servers: [] } }), { ...settings, name: "inner" }),
  );
  const helper = inner.asTool({ toolName: "ask_helper", toolDescription: "Ask." });
  const outer = new sdk.Agent(agents.with("outer", { ...settings, tools: [helper] }));
  // The first reply asks the helper, and calls a tool that is not loaded: it is the outer session that must answer it.
  const replies = [
    { calls: [call("ask_helper", { input: "Well?" }), call("read_graph")] },
    { text: "Well." },
    { text: "All done." },
  ];
  await withRunner(
    app,
    (_, step) => replies[step - 1],
    async ({ runner, requests }) => {
      await runner.run(outer, "Go.", agents.runOptions());
      assert.deepEqual(pluck(requests, "tools"), [
        [...DISCOVERY, "ask_helper"],
        [],
        [...DISCOVERY, "ask_helper", "read_graph"],
      ]);
      assert.match(requests[2].answers.join(), /read_graph was not loaded/);
    },
  );
});

test("what a conversation had loaded is read from what the SDK keeps of it", async () => {
  const { app, sdk, siftAgents, fromAgentItems } = await parts();
  const memory = new sdk.MemorySession();
  const { execute, ran } = host();
  const start = async () => {
    const sift = await siftOf(app);
    const agents = siftAgents(sift, { execute });
    return { sift, agents, agent: new sdk.Agent(agents.with("chat", settings)) };
  };
  const one = await start();
  await withRunner(app, script([add("read_graph", "create_issue")], [call("read_graph")]), ({ runner }) =>
    runner.run(one.agent, "Go.", one.agents.runOptions({ session: memory })),
  );
  const two = await start();
  fromAgentItems(two.sift.session("chat"), JSON.parse(JSON.stringify(await memory.getItems())));
  assert.deepEqual(two.sift.session("chat").revealed.toSorted(), ["create_issue", "read_graph"]);
  // A vendor's ids are new in each process, too.
  const later = { ...call("create_issue", ISSUE), id: "call_later" };
  await withRunner(app, script([later]), async ({ runner, requests }) => {
    await runner.run(two.agent, "And now?", two.agents.runOptions({ session: memory }));
    assert.ok(requests[0].tools.includes("create_issue"));
    assert.equal(ran.at(-1).name, "create_issue");
  });
});

test("images are shown where the host says so, and named elsewhere", async () => {
  const { app, sdk, siftAgents } = await parts();
  const execute = () => ({
    content: [
      { type: "text", text: "A cat:" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ],
  });
  for (const [images, expected] of [
    [false, /A cat:\n\(image\/png, 2 bytes, not shown\)/],
    [true, /"type":"input_image","image_url":"data:image\/png;base64,aGk="/],
  ]) {
    const agents = siftAgents(await siftOf(app), { execute, images });
    const agent = new sdk.Agent(agents.with("chat", settings));
    await withRunner(
      app,
      script([add("read_graph")], [call("read_graph")]),
      async ({ runner, requests }) => {
        await runner.run(agent, "Go.", agents.runOptions());
        const { output } = requests[2].body.input.findLast(({ type }) => type === "function_call_output");
        assert.match(typeof output === "string" ? output : JSON.stringify(output), expected);
      },
      "responses",
    );
  }
});

test("an agent that stops at its first tool does not stop at a search", async () => {
  const { app, sdk, siftAgents } = await parts();
  const asked = [];
  const ask = (_, results) => {
    asked.push(results.map(({ tool }) => tool.name));
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: `final: ${results[0].output}` };
  };
  for (const [toolUseBehavior, expected] of [
    ["stop_on_first_tool", "memory/read_graph did it"],
    [{ stopAtToolNames: ["read_graph"] }, "memory/read_graph did it"],
    [ask, "final: memory/read_graph did it"],
    ["run_llm_again", "All done."],
    [undefined, "All done."],
  ]) {
    const agents = siftAgents(await siftOf(app), { execute: host().execute });
    const agent = new sdk.Agent(agents.with("chat", { ...settings, toolUseBehavior }));
    await withRunner(app, script([add("read_graph")], [add("create_issue"), call("read_graph")]), async ({ runner }) => {
      const { finalOutput } = await runner.run(agent, "Go.", agents.runOptions());
      assert.equal(finalOutput, expected);
    });
  }
  assert.deepEqual(asked, [["read_graph"]]);
});

test("an agent's tools must not have the names of others, and somebody runs each tool", async () => {
  const { app, sdk, siftAgents, ToolSift } = await parts();
  const sift = await siftOf(app);
  const { ring } = await nativeTools();
  const { execute } = host();
  const wrong = (code, words, act) => assert.throws(act, { code, message: words });
  const agents = siftAgents(sift, { execute });
  const named = (name) => ({ ...ring, name });
  const own = (...tools) => ({ ...settings, tools });
  wrong("option_invalid", /session must be an id/, () => agents.with({}, settings));
  wrong("option_conflict", /add_tool has the name of a discovery tool/, () => agents.with("chat", own(named("add_tool"))));
  wrong("option_conflict", /create_issue has the name of a tool of server github/, () =>
    agents.with("chat", own(named("create_issue"))),
  );
  const scoped = sift.session("narrow", { scope: { servers: ["memory"] } });
  assert.ok(agents.with(scoped, own(named("create_issue"))).tools.some(({ name }) => name === "create_issue"));
  wrong("option_invalid", /nothing runs read_graph/, () => {
    const pinned = new ToolSift({ activation: "on", preDiscovered: ["read_graph"] });
    pinned.register(toolsOf("memory"), { server: "memory" });
    siftAgents(pinned).with("chat", settings);
  });

  await withRunner(
    app,
    () => ({ text: "Never." }),
    async ({ runner, requests }) => {
      const given = agents.with("chat", settings);
      const spread = new sdk.Agent({ ...given, tools: [...given.tools, ring] });
      await assert.rejects(runner.run(spread, "Go.", agents.runOptions()), {
        code: "option_conflict",
        message: /agent\.tools\.push/,
      });
      assert.equal(requests.length, 0);
    },
  );
});

test("where the session of an id is evicted, a scope is not lost with it", async () => {
  const { app, sdk, siftAgents } = await parts();
  const sift = await siftOf(app);
  sift.session("chat", { scope: { servers: ["memory"] } });
  const agents = siftAgents(sift, { execute: host().execute });
  const agent = new sdk.Agent(agents.with("chat", settings));
  sift.session("chat").close();
  await withRunner(
    app,
    () => ({ text: "Never." }),
    async ({ runner, requests }) => {
      await assert.rejects(runner.run(agent, "Go.", agents.runOptions()), { code: "session_closed", message: /chat/ });
      assert.equal(requests.length, 0);
    },
  );
});

test("instructions may be a function, and a copy of an agent works like it", async () => {
  const { app, sdk, siftAgents } = await parts();
  const agents = siftAgents(await siftOf(app), { execute: host().execute });
  const { maxTurns, toolNotFoundBehavior } = agents.runOptions({ maxTurns: 7, toolNotFoundBehavior: "raise_error" });
  assert.deepEqual([maxTurns, toolNotFoundBehavior], [7, "raise_error"], "the host's own run options are kept");
  const instructions = ({ context }, { name }) => `You are ${name} of ${context}.`;
  const agent = new sdk.Agent(agents.with("chat", { ...settings, instructions })).clone({ name: "twin" });
  await withRunner(app, script([add("read_graph")]), async ({ runner, requests }) => {
    await runner.run(agent, "Go.", agents.runOptions({ context: "Ada" }));
    for (const { system } of requests) assert.match(system, /^You are twin of Ada\.\n\n## Finding tools/);
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "read_graph"]);
  });
});
