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

/** A tool that removes a file, by its name, and what it removed. */
function removing({ ai, z }, more, shape = {}) {
  const removed = [];
  const inputSchema = z.object({ path: z.string(), ...shape });
  const execute = (input) => (removed.push(input), `removed ${input.path}`);
  return { removed, tools: { remove_file: ai.tool({ description: "Remove a file", inputSchema, execute, ...more }) } };
}

const ASKED = { role: "user", content: "Remove it." };

/** The messages of a run that asked for approval, with the decision. */
function decided({ major }, { content, response, steps }, approved = true) {
  const { approvalId } = content.find(({ type }) => type === "tool-approval-request");
  const messages = major === 6 ? response.messages : steps.flatMap((step) => step.response.messages);
  const answer = { type: "tool-approval-response", approvalId, approved, reason: "because" };
  return [ASKED, ...messages, { role: "tool", content: [answer] }];
}

each("it is given what AI SDK gives it", async (its) => {
  const { ai, z, major, model, go } = its;
  const given = [];
  const tool = ai.tool({
    description: "Note a day",
    inputSchema: z.object({ day: z.string().transform((text) => new Date(text)), size: z.string().transform(BigInt) }),
    ...(major === 7 && { contextSchema: z.object({ user: z.string() }) }),
    execute(input, { toolCallId, ...others }) {
      given.push({ input, others, self: this, id: typeof toolCallId });
      return "noted";
    },
  });
  const context = major === 7 ? { toolsContext: { note_day: { user: "ada" } } } : { experimental_context: { user: "ada" } };
  const through = { ...context, abortSignal: new AbortController().signal, prompt: "Go on." };
  const { sifted, session } = await hostOf(its, { note_day: tool });
  const replies = [[call("note_day", { day: "2026-01-02", size: "7" })]];
  const [asked, result] = await go(replies, sifted.for(session), through);
  await ai.generateText({ model: model(...replies), ...through, tools: { note_day: tool } });
  const [ours, plain] = given;
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
  /** Streams to the end: the model, and every part. */
  const streamed = async (options) => {
    const asked = model([call("count", { to: 3 })]);
    const seen = [];
    const { fullStream } = its.ai.streamText({ prompt: "Go on.", model: asked, ...sifted.for(session, options) });
    for await (const part of fullStream) seen.push(part);
    return [asked, seen];
  };
  const [asked, seen] = await streamed({ onEvent: (event) => void events.push(event) });
  assert.deepEqual(hooks, ["start", '{"to":3}', { to: 3 }]);
  const results = seen
    .filter(({ type }) => type === "tool-result")
    .map(({ output, preliminary }) => [output.at, preliminary]);
  assert.deepEqual(JSON.stringify(results), "[[1,true],[2,true],[3,true],[3,null]]");
  assert.deepEqual(answers(asked), [["count", { type: "text", value: "at 3" }]]);
  assert.deepEqual(pluck(events, "type", "isError", "tokens"), [["dispatch", false, 2]]);

  session.conceal(["count"]);
  hooks.length = 0;
  const [early] = await streamed();
  assert.deepEqual(hooks, [], "a call that does not run is none of its");
  assert.match(answers(early)[0][1].value, /^count was not loaded/);
});

each("a tool that the client runs is left to it", async (its) => {
  const { ai, z, go } = its;
  const ask = ai.tool({
    description: "Ask the user",
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.string(),
  });
  const { sifted, session } = await hostOf(its, { ask });
  const asks = call("ask", { question: "Why?" });
  const [, { steps, toolCalls, toolResults }] = await go([[asks]], sifted.for(session));
  assert.deepEqual([steps.length, toolCalls.length, toolResults.length], [1, 1, 0]);

  session.conceal(["ask"]);
  const [early] = await go([[asks]], sifted.for(session));
  assert.match(answers(early)[0][1].value, /^ask was not loaded/);

  session.conceal(["ask"]);
  const [both] = await go([[call("add_tool", { tool_names: ["ask"] }), asks]], sifted.for(session));
  assert.match(answers(both)[1][1].value, /call it again/);
});

each("approval is asked for, given or denied in another call, and after a restart", async (its) => {
  for (const restarts of [false, true]) {
    for (const approved of [true, false]) {
      const { removed, tools } = removing(its, { needsApproval: ({ path }) => path.startsWith("/") });
      let { sifted, session } = await hostOf(its, tools);
      const calls = ["a", "/b"].map((path) => call("remove_file", { path }));
      const [, waiting] = await its.go([calls], sifted.for(session));
      assert.deepEqual([waiting.steps.length, pluck(removed, "path")], [1, ["a"]], "the other one waits");
      // A process that knows nothing but the messages: not even that the tool was loaded.
      if (restarts) ({ sifted, session } = await hostOf(its, tools, { loaded: [] }));
      const [then, { text }] = await its.go([], sifted.for(session), { messages: decided(its, waiting, approved) });
      assert.deepEqual(pluck(removed, "path"), approved ? ["a", "/b"] : ["a"]);
      const [, [, { type, value, reason }]] = answers(then);
      const expected = approved ? ["text", "removed /b"] : ["execution-denied", "because"];
      assert.deepEqual([type, value ?? reason], expected);
      assert.deepEqual([text, session.revealed], ["done", restarts && !approved ? [] : ["remove_file"]]);
    }
  }
});

onSeven(
  "what decides on approval in ai 7 is given what the schema allows, also where the call came too early",
  async (its) => {
    const { removed, tools } = removing(its, {}, { age: its.z.string().default("7").transform(Number) });
    const { sifted, session } = await hostOf(its, tools, { loaded: [] });
    const asked = [];
    const decide = (input) => {
      asked.push(input);
      return input.path.startsWith("/") ? "user-approval" : "not-applicable";
    };
    const lead = (replies, messages = [ASKED]) =>
      its.go(replies, sifted.for(session), { messages, toolApproval: { remove_file: decide } });
    for (const input of [{}, "null", '"text"', { path: 5 }, "[1]"]) {
      const [early] = await lead([[call("remove_file", input)]]);
      assert.match(answers(early)[0][1].value, /^remove_file was not loaded/);
      session.conceal(["remove_file"]);
    }
    assert.deepEqual(asked, []);
    const [, waiting] = await lead([[call("remove_file", { path: "/a" })]]);
    assert.deepEqual(asked, [{ path: "/a", age: 7 }]);
    await lead([], decided(its, waiting));
    assert.deepEqual(removed, [{ path: "/a", age: 7 }]);
  },
);

each("what was approved in a user interface runs after a restart, with the defaults of its schema", async (its) => {
  const { ai, z, major, model } = its;
  const { removed, tools } = removing(its, { needsApproval: true }, { force: z.boolean().default(false) });
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
  const { removed, tools } = removing(its, { needsApproval: true });
  const { sift, sifted, session } = await hostOf(its, tools, { loaded: [] });
  const answered = async (input, who) => {
    const asking = [
      { type: "tool-call", toolCallId: "c1", toolName: "remove_file", input },
      { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
    ];
    const response = { messages: [{ role: "assistant", content: asking }] };
    const [asked] = await its.go([], sifted.for(who), {
      messages: decided(its, { content: asking, response, steps: [{ response }] }),
    });
    return answers(asked)[0][1].value;
  };
  const outside = sift.session("outside", { scope: { servers: ["none"] } });
  assert.match(await answered({ path: "x" }, outside), /There is no tool named/, "an approval does not widen the scope");
  assert.match(await answered({ town: 1 }, session), /path/);
  assert.deepEqual(removed, []);
});

each("tools that execute runs may need approval too", async (its) => {
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
  const calls = [call("read_graph"), call("create_entities", { entities: [] }), call("open_nodes", {})];
  const [, waiting] = await its.go([calls], sifted.for(session));
  assert.deepEqual(ran, ["memory/read_graph"]);
  const needed = [
    ["memory", "read_graph", "read_graph", {}, "string"],
    ["memory", "create_entities", "create_entities", { entities: [] }, "string"],
  ];
  assert.deepEqual(asked, needed, "nobody is asked about a call that is refused");
  await its.go([], sifted.for(session), { messages: decided(its, waiting) });
  assert.deepEqual(ran, ["memory/read_graph", "memory/create_entities"]);
});

each("what MCP servers answer is read as texts and images", async (its) => {
  const { ai, go, major } = its;
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
    [{ content: [] }, { type: "text", value: "" }],
    [{ n: 1 }, { type: "json", value: { n: 1 } }],
    // What is no JSON would end the conversation.
    [10n, { type: "text", value: "10" }],
  ];
  for (const [result, expected] of kinds) {
    const sifted = await its.siftTools(sift, { execute: () => result });
    const [asked, { steps }] = await go([[call("read_graph")]], sifted.for(session));
    const [[, output]] = answers(asked);
    const plain = JSON.parse(JSON.stringify(output));
    assert.deepEqual(plain, expected);
    assert.deepEqual(steps[0].toolResults[0].output, result, "the host gets it as it was");
    if (typeof result === "bigint") continue;
    const ran = { toolName: "read_graph", toolCallId: "c", state: "output-available", input: {}, output: result };
    const part = { type: "dynamic-tool", ...ran };
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
  const [asked] = await go([[call("read_graph")]], failing.for(session));
  const [[, { type, value }]] = answers(asked);
  assert.equal(type, "error-text");
  assert.match(value, /no such graph$/);
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
  const { ai, z, go } = its;
  const make = (more) =>
    ai.tool({ description: "Long", inputSchema: z.object({}), execute: () => "x".repeat(9_000), ...more });
  const tools = { plain: make(), told: make({ toModelOutput: () => ({ type: "text", value: "y".repeat(9_000) }) }) };
  const { sifted, session } = await hostOf(its, tools, { maxAnswerChars: 1_000 });
  const [asked, { steps }] = await go([[call("plain"), call("told")]], sifted.for(session));
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
