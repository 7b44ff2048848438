/**
 * Tests that a tool behaves with the adapter for AI SDK as it does without it.
 * 1. Its inputs: arguments as its schema reads them, id, messages, context and abort signal, and its hooks during streaming.
 * 2. Its outputs: results in pieces, the text that the model reads, and errors; no output if the client runs the tool.
 * 3. Approval: asked, given, denied, and resumed in another call and after a restart; never asked for a call that will be
 *    refused.
 * 4. Tools that `execute` runs: texts and images from MCP, and approval.
 * 5. A tool with a name from the catalog must be the catalog's tool. Another tool is refused, and nothing is mixed.
 * 6. A copy of the tools is refused, however it is made.
 * 7. A promise is not accepted as a description or a schema, and its rejection does not end the process.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { answers, call, MAJORS, sdk, sent } from "./lib/mock-model.mjs";
import { pluck, toolsOf } from "./lib/tools.mjs";

/** A host with some tools, all of them loaded. */
async function hostOf(its, tools, { settings, loaded = Object.keys(tools), ...options } = {}) {
  const sift = new its.ToolSift({ activation: "on", ...settings });
  const sifted = await its.siftTools(sift, { tools, ...options });
  const session = sift.session("chat");
  session.reveal(loaded);
  return { sift, sifted, session };
}

function each(title, check, only = MAJORS) {
  for (const one of only) test(`${one.label}: ${title}`, async () => check({ ...(await sdk(one)), ...one }));
}

const onSeven = (title, check) => each(title, check, MAJORS.slice(1));

/** Streams to the end, and answers every part. */
async function parts(its, options) {
  const seen = [];
  for await (const part of its.ai.streamText({ prompt: "Go on.", ...options }).fullStream) seen.push(part);
  return seen;
}

each("it is given what AI SDK gives it", async (its) => {
  const { ai, z, major, model } = its;
  const given = [];
  const tool = ai.tool({
    description: "Note a day",
    inputSchema: z.object({ day: z.string().transform((text) => new Date(text)), size: z.string().transform(BigInt) }),
    ...(major === 7 && { contextSchema: z.object({ user: z.string() }) }),
    execute(input, options) {
      given.push({ input, options, self: this });
      return "noted";
    },
  });
  const ending = new AbortController();
  const context = major === 7 ? { toolsContext: { note_day: { user: "ada" } } } : { experimental_context: { user: "ada" } };
  const through = { ...context, abortSignal: ending.signal, prompt: "Go on." };
  const { sifted, session } = await hostOf(its, { note_day: tool });
  const asked = model([call("note_day", { day: "2026-01-02", size: "7" })]);
  const result = await ai.generateText({ model: asked, ...through, ...sifted.for(session) });
  await ai.generateText({
    model: model([call("note_day", { day: "2026-01-02", size: "7" })]),
    ...through,
    tools: { note_day: tool },
  });
  const [ours, plain] = given.map(({ input, options: { toolCallId, ...others }, self }) => ({
    input,
    others,
    self,
    id: typeof toolCallId,
  }));
  assert.deepEqual(ours, plain);
  assert.deepEqual(ours.input, { day: new Date("2026-01-02"), size: 7n });
  assert.equal(ours.others[major === 7 ? "context" : "experimental_context"].user, "ada");
  assert.equal(result.steps[0].toolResults[0].output, "noted");
  assert.deepEqual(answers(asked), [["note_day", { type: "text", value: "noted" }]]);
});

each("its hooks are called while it streams, and its results come in pieces", async (its) => {
  const { ai, z, model } = its;
  const hooks = [];
  const events = [];
  const count = ai.tool({
    description: "Count",
    inputSchema: z.object({ to: z.number() }),
    onInputStart: () => void hooks.push("start"),
    onInputDelta: ({ inputTextDelta }) => void hooks.push(inputTextDelta),
    onInputAvailable: ({ input }) => void hooks.push(input),
    async *execute({ to }) {
      for (let at = 1; at <= to; at++) yield { at };
    },
    toModelOutput: ({ output }) => ({ type: "text", value: `at ${output.at}` }),
  });
  const { sifted, session } = await hostOf(its, { count });
  const asked = model([call("count", { to: 3 })]);
  const seen = await parts(its, { model: asked, ...sifted.for(session, { onEvent: (event) => void events.push(event) }) });
  assert.deepEqual(hooks, ["start", '{"to":3}', { to: 3 }]);
  const results = seen.filter(({ type }) => type === "tool-result");
  const expected = [
    [1, true],
    [2, true],
    [3, true],
    [3, undefined],
  ];
  assert.deepEqual(
    results.map(({ output, preliminary }) => [output.at, preliminary]),
    expected,
  );
  assert.deepEqual(answers(asked), [["count", { type: "text", value: "at 3" }]]);
  assert.deepEqual(pluck(events, "type", "isError", "tokens"), [["dispatch", false, 2]]);

  session.conceal(["count"]);
  hooks.length = 0;
  const early = model([call("count", { to: 3 })]);
  await parts(its, { model: early, ...sifted.for(session) });
  assert.deepEqual(hooks, [], "a call that does not run is none of its");
  assert.match(answers(early)[0][1].value, /^count was not loaded/);
});

each("a tool that the client runs is left to it", async (its) => {
  const { ai, z, model } = its;
  const ask = ai.tool({
    description: "Ask the user",
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.string(),
  });
  const { sifted, session } = await hostOf(its, { ask });
  const asked = model([call("ask", { question: "Why?" })]);
  const { steps, toolCalls, toolResults } = await ai.generateText({
    model: asked,
    prompt: "Go on.",
    ...sifted.for(session),
  });
  assert.deepEqual([steps.length, toolCalls.length, toolResults.length], [1, 1, 0]);

  session.conceal(["ask"]);
  const early = model([call("ask", { question: "Why?" })]);
  await ai.generateText({ model: early, prompt: "Go on.", ...sifted.for(session) });
  assert.match(answers(early)[0][1].value, /^ask was not loaded/);

  session.conceal(["ask"]);
  const both = model([call("add_tool", { tool_names: ["ask"] }), call("ask", { question: "Why?" })]);
  await ai.generateText({ model: both, prompt: "Go on.", ...sifted.for(session) });
  assert.match(answers(both)[1][1].value, /call it again/);
});

each("approval is asked for, given or denied in another call, and after a restart", async (its) => {
  const { ai, z, model } = its;
  const removed = [];
  const remove = ai.tool({
    description: "Remove a file",
    inputSchema: z.object({ path: z.string() }),
    needsApproval: ({ path }) => path.startsWith("/"),
    execute: ({ path }) => {
      removed.push(path);
      return `removed ${path}`;
    },
  });
  const tools = { remove_file: remove };
  for (const restarts of [false, true]) {
    for (const approved of [true, false]) {
      removed.length = 0;
      let { sifted, session } = await hostOf(its, tools);
      const messages = [{ role: "user", content: "Remove it." }];
      const first = model([call("remove_file", { path: "a" }), call("remove_file", { path: "/b" })]);
      const waiting = await ai.generateText({ model: first, messages, ...sifted.for(session) });
      assert.deepEqual([waiting.steps.length, removed], [1, ["a"]], "the other one waits");
      const { approvalId } = waiting.content.find(({ type }) => type === "tool-approval-request");
      messages.push(...waiting.response.messages);
      messages.push({
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId, approved, reason: "because" }],
      });
      // A process that knows nothing but the messages: not even that the tool was loaded.
      if (restarts) ({ sifted, session } = await hostOf(its, tools, { loaded: [] }));
      const then = model();
      const { text } = await ai.generateText({ model: then, messages, ...sifted.for(session) });
      assert.deepEqual(removed, approved ? ["a", "/b"] : ["a"]);
      const [, [, output]] = answers(then);
      const expected = approved ? { type: "text", value: "removed /b" } : { type: "execution-denied", reason: "because" };
      assert.deepEqual(
        { type: output.type, ...(output.value ? { value: output.value } : { reason: output.reason }) },
        expected,
      );
      assert.deepEqual([text, session.revealed], ["done", restarts && !approved ? [] : ["remove_file"]]);
    }
  }
});

onSeven(
  "what decides on approval in ai 7 is given what the schema allows, also where the call came too early",
  async (its) => {
    const { ai, z, model } = its;
    const removed = [];
    const inputSchema = z.object({ path: z.string(), age: z.string().default("7").transform(Number) });
    const tools = {
      remove_file: ai.tool({ description: "Remove a file", inputSchema, execute: (input) => void removed.push(input) }),
    };
    const { sifted, session } = await hostOf(its, tools, { loaded: [] });
    const messages = [{ role: "user", content: "Remove it." }];
    const asked = [];
    const decide = (input) => {
      asked.push(input);
      return input.path.startsWith("/") ? "user-approval" : "not-applicable";
    };
    const lead = (its) =>
      ai.generateText({ model: its, messages, toolApproval: { remove_file: decide }, ...sifted.for(session) });
    for (const input of [{}, "null", '"text"', { path: 5 }, "[1]"]) {
      const early = model([call("remove_file", input)]);
      await lead(early);
      assert.match(answers(early)[0][1].value, /^remove_file was not loaded/);
      session.conceal(["remove_file"]);
    }
    assert.deepEqual(asked, []);
    const waiting = await lead(model([call("remove_file", { path: "/a" })]));
    assert.deepEqual(asked, [{ path: "/a", age: 7 }]);
    const { approvalId } = waiting.content.find(({ type }) => type === "tool-approval-request");
    messages.push(...waiting.steps.flatMap((step) => step.response.messages));
    messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] });
    await lead(model());
    assert.deepEqual(removed, [{ path: "/a", age: 7 }]);
  },
);

each("what was approved in a user interface runs after a restart, with the defaults of its schema", async (its) => {
  const { ai, z, major, model } = its;
  const removed = [];
  const inputSchema = z.object({ path: z.string(), force: z.boolean().default(false) });
  const execute = (input) => void removed.push(input);
  const tools = { remove_file: ai.tool({ description: "Remove a file", inputSchema, needsApproval: true, execute }) };
  // As a route does that keeps nothing but the messages.
  const answer = async (messages, asked) => {
    const { sifted, session } = await hostOf(its, tools, { loaded: [] });
    const conversation = sifted.for(session);
    const history = await ai.convertToModelMessages(messages, { tools: conversation.tools });
    const result = ai.streamText({ model: asked, messages: history, ...conversation });
    let stored;
    const onEnd = ({ messages }) => void (stored = messages);
    const stream =
      major === 6
        ? result.toUIMessageStream({ originalMessages: messages, onFinish: onEnd })
        : ai.toUIMessageStream({ stream: result.stream, tools: conversation.tools, originalMessages: messages, onEnd });
    for await (const _ of stream);
    return JSON.parse(JSON.stringify(stored));
  };
  const question = { id: "1", role: "user", parts: [{ type: "text", text: "Remove it." }] };
  const replies = [[call("add_tool", { tool_names: ["remove_file"] })], [call("remove_file", { path: "a" })]];
  const messages = await answer([question], model(...replies));
  const waiting = messages.at(-1).parts.at(-1);
  assert.equal(waiting.state, "approval-requested");
  Object.assign(waiting, { state: "approval-responded", approval: { ...waiting.approval, approved: true } });
  await answer(messages, model());
  assert.deepEqual(removed, [{ path: "a", force: false }]);
});

each("an approval that does not hold runs nothing", async (its) => {
  const { ai, z, model } = its;
  const removed = [];
  const execute = ({ path }) => void removed.push(path);
  const remove = ai.tool({
    description: "Remove a file",
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute,
  });
  const sift = new its.ToolSift({ activation: "on" });
  const sifted = await its.siftTools(sift, { tools: { remove_file: remove } });
  const history = (input, toolName = "remove_file") => [
    { role: "user", content: "Remove it." },
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "c1", toolName, input },
        { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
      ],
    },
    { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }] },
  ];
  const outside = sift.session("outside", { scope: { servers: ["none"] } });
  const asked = model();
  await ai.generateText({ model: asked, messages: history({ path: "x" }), ...sifted.for(outside) });
  assert.match(answers(asked)[0][1].value, /There is no tool named/, "an approval does not widen the scope");
  const broken = model();
  await ai.generateText({ model: broken, messages: history({ town: 1 }), ...sifted.for(sift.session("chat")) });
  assert.match(answers(broken)[0][1].value, /path/);
  assert.deepEqual(removed, []);
});

each("tools that execute runs may need approval too", async (its) => {
  const { ai, model } = its;
  const sift = new its.ToolSift({ activation: "on" });
  const annotations = { readOnlyHint: false, destructiveHint: false };
  sift.register(
    toolsOf("memory").map(({ annotations: _, ...one }) => ({ ...one, annotations })),
    { server: "memory" },
  );
  const session = sift.session("chat");
  session.reveal(["read_graph", "create_entities"]);
  const ran = [];
  const asked = [];
  const execute = ({ name, server, arguments: args, id, annotations: told }, context) => {
    ran.push(`${server}/${name}`);
    assert.deepEqual(told, annotations);
    assert.equal(id, context.toolCallId);
    return args;
  };
  const needsApproval = async ({ server, name, modelName, arguments: args, id, annotations: told }) => {
    assert.deepEqual(told, annotations);
    asked.push([server, name, modelName, args, typeof id]);
    return name.startsWith("create");
  };
  const sifted = await its.siftTools(sift, { execute, needsApproval });
  const messages = [{ role: "user", content: "Go on." }];
  const calls = [call("read_graph"), call("create_entities", { entities: [] }), call("open_nodes", {})];
  const waiting = await ai.generateText({ model: model(calls), messages, ...sifted.for(session) });
  assert.deepEqual(ran, ["memory/read_graph"]);
  const needed = [
    ["memory", "read_graph", "read_graph", {}, "string"],
    ["memory", "create_entities", "create_entities", { entities: [] }, "string"],
  ];
  assert.deepEqual(asked, needed, "nobody is asked about a call that is refused");
  const { approvalId } = waiting.content.find(({ type }) => type === "tool-approval-request");
  messages.push(...waiting.response.messages, {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId, approved: true }],
  });
  await ai.generateText({ model: model(), messages, ...sifted.for(session) });
  assert.deepEqual(ran, ["memory/read_graph", "memory/create_entities"]);
});

each("what MCP servers answer is read as texts and images", async (its) => {
  const { ai, model, major } = its;
  const sift = new its.ToolSift({ activation: "on" });
  sift.register(toolsOf("memory"), { server: "memory" });
  const session = sift.session("chat");
  session.reveal(["read_graph"]);
  const text = (words) => ({ type: "text", text: words });
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  const picture =
    major === 6
      ? { type: "image-data", data: "aGk=", mediaType: "image/png" }
      : { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" };
  const kinds = [
    [
      { content: [text("a"), image, link], structuredContent: { n: 1 } },
      { type: "content", value: [text("a"), picture, text(JSON.stringify(link)), text('{"n":1}')] },
    ],
    [{ content: [text("a"), text("b")] }, { type: "text", value: "a\nb" }],
    [{ n: 1 }, { type: "json", value: { n: 1 } }],
    // What is no JSON would end the conversation.
    [10n, { type: "text", value: "10" }],
  ];
  for (const [result, expected] of kinds) {
    const sifted = await its.siftTools(sift, { execute: () => result });
    const asked = model([call("read_graph")]);
    const { steps } = await ai.generateText({ model: asked, prompt: "Go on.", ...sifted.for(session) });
    const [[, output]] = answers(asked);
    const plain = JSON.parse(JSON.stringify(output));
    assert.deepEqual(plain, expected);
    assert.deepEqual(steps[0].toolResults[0].output, result, "the host gets it as it was");
    if (typeof result === "bigint") continue;
    const part = {
      type: "dynamic-tool",
      toolName: "read_graph",
      toolCallId: "c",
      state: "output-available",
      input: {},
      output: result,
    };
    const history = await ai.convertToModelMessages([{ role: "assistant", parts: [part] }], {
      tools: sifted.for(session).tools,
    });
    assert.deepEqual(
      JSON.parse(JSON.stringify(history.at(-1).content[0].output)),
      expected,
      "out of a user interface it is the same",
    );
  }
  const failing = await its.siftTools(sift, { execute: () => ({ content: [text("no such graph")], isError: true }) });
  const asked = model([call("read_graph")]);
  await ai.generateText({ model: asked, prompt: "Go on.", ...failing.for(session) });
  assert.equal(answers(asked)[0][1].type, "error-text");
  assert.match(answers(asked)[0][1].value, /no such graph$/);
});

each("a copy of the tools is refused, and names may be read", async (its) => {
  const { ai, z, model } = its;
  const mine = ai.tool({ description: "Mine", inputSchema: z.object({}), execute: () => "mine" });
  const { sifted, session } = await hostOf(its, { weather: mine });
  const conversation = sifted.for(session);
  const refused = { code: "option_invalid", message: /copied.*pass conversation\.tools itself/ };
  assert.throws(() => ({ ...conversation.tools, mine }), refused);
  assert.throws(() => Object.assign({ mine }, conversation.tools), refused);
  assert.deepEqual(Object.keys(conversation.tools), ["weather"]);
  assert.ok("weather" in conversation.tools && Object.hasOwn(conversation.tools, "weather"));
  // Taken one by one, they are told at the second step.
  const asked = model([call("search_tools", { query: "weather" })]);
  const tools = { ...Object.fromEntries(Object.entries(conversation.tools)), mine };
  await assert.rejects(ai.generateText({ model: asked, prompt: "Go on.", ...conversation, tools }), refused);
  assert.equal(sent(asked).length, 1);
});

each("a long answer of the host's own tool is cut, unless the tool says what the model reads", async (its) => {
  const { ai, z, model } = its;
  const make = (more) =>
    ai.tool({ description: "Long", inputSchema: z.object({}), execute: () => "x".repeat(9_000), ...more });
  const tools = { plain: make(), told: make({ toModelOutput: () => ({ type: "text", value: "y".repeat(9_000) }) }) };
  const { sifted, session } = await hostOf(its, tools, { maxAnswerChars: 1_000 });
  const asked = model([call("plain", {}), call("told", {})]);
  const { steps } = await ai.generateText({ model: asked, prompt: "Go on.", ...sifted.for(session) });
  const [[, plain], [, told]] = answers(asked);
  assert.match(plain.value, /^x{600,}\n\n\[Cut: .* of 9000 characters/);
  assert.ok(plain.value.length <= 1_000);
  assert.equal(told.value, "y".repeat(9_000));
  assert.equal(steps[0].toolResults[0].output, "x".repeat(9_000), "the host has it whole");
});

each("a tool of a name in the catalog that is a different tool is refused", async (its) => {
  const { ai, z, model } = its;
  const server = {
    name: "search",
    description: "Searches the web.",
    inputSchema: { type: "object", properties: { q: { type: "string" } } },
  };
  const make = (description, inputSchema) => ai.tool({ description, inputSchema, execute: () => "mine" });
  const refused = { code: "option_conflict", message: /search and a tool/ };
  for (const [from, search, isSame] of [
    ["web", make("Searches the web.", z.object({ q: z.string() })), true],
    ["web", make("Searches orders.", z.object({ q: z.string() })), false],
    ["web", make("Searches the web.", z.object({ order: z.string() })), false],
    ["web", make("Searches the web.", z.object({ q: z.number() })), false],
    [undefined, make("Searches orders.", z.object({ q: z.string() })), true],
    [undefined, make("Searches the web.", z.object({ order: z.string() })), false],
  ]) {
    const sift = new its.ToolSift();
    sift.register([server], from === undefined ? {} : { server: from });
    const open = sift.session("open");
    const sifting = () => its.siftTools(sift, { tools: { search, more: make("More.", z.object({})) } });
    if (isSame) await sifting();
    else await assert.rejects(sifting(), refused);
    assert.equal(sift.tools().length, isSame ? 2 : 1, "all or nothing is registered");
    assert.deepEqual(open.revealed, []);
  }
  const sift = new its.ToolSift();
  const hosted = { type: "provider", id: "openai.web_search", name: "web_search", args: {}, inputSchema: z.object({}) };
  const sifted = await its.siftTools(sift, { tools: { search: hosted }, execute: () => "theirs" });
  sift.register([server], { server: "web" });
  const go = ai.generateText({ model: model([]), prompt: "Go.", ...sifted.for(sift.session("chat")) });
  await assert.rejects(go, refused, "what a provider runs is no tool of a server's");
});
