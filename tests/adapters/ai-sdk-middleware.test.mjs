/**
 * Tests the middleware for AI SDK models: a wrapped model searches by itself, and the program's code does not change.
 * 1. The program sees only calls of real tools. Calls of discovery tools are answered inside, in a limited number of further
 *    model calls.
 * 2. Loaded tools are stored with the messages, also as JSON and for a further turn. Without metadata, the calls restore
 *    them.
 * 3. `doStream` does the same as `doGenerate`, and passes on text immediately.
 * 4. The vendor's tools, tools that the catalog refuses, the program's tool choice, usage and metadata are kept.
 * 5. Tools that fit the user's message are loaded ahead.
 * 6. Catalogs of tools that are no longer used are disposed of.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { DISCOVERY, add, call, search } from "./lib/calls.mjs";
import { MAJORS, sdk, sent } from "./lib/mock-model.mjs";
import { pluck, toolsOf } from "./lib/tools.mjs";

const TOKENS = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const FINISH = { calls: { unified: "tool-calls", raw: undefined }, text: { unified: "stop", raw: undefined } };
const made = ({ name, args }, at = 0) => ({
  type: "tool-call",
  toolCallId: `id-${name}-${at}`,
  toolName: name,
  input: JSON.stringify(args),
});

for (const one of MAJORS) {
  const { app, ai, model } = await sdk(one);
  const { siftModelMiddleware } = await app.load("toolsift/ai-sdk-middleware");
  const mocks = await app.load("ai/test");
  const Mock = one.major === 6 ? mocks.MockLanguageModelV3 : mocks.MockLanguageModelV4;
  const wrapped = (mock, options = {}) =>
    ai.wrapLanguageModel({
      model: mock,
      middleware: siftModelMiddleware({ ...options, sift: { activation: "on", ...options.sift } }),
    });

  /** The host's tools: those of two real servers, which say what they were called with. */
  const toolset = () => {
    const ran = [];
    const all = [...toolsOf("memory"), ...toolsOf("github")].map(({ name, description, inputSchema }) => [
      name,
      ai.dynamicTool({
        description,
        inputSchema: ai.jsonSchema(inputSchema),
        execute: async (args) => (ran.push({ name, args }), `${name} did it`),
      }),
    ]);
    return { ran, tools: Object.fromEntries(all) };
  };

  /** One run of an agent that knows nothing of toolsift: its result, generated or streamed. */
  async function agent(by, options) {
    const about = { stopWhen: ai.stepCountIs(10), maxRetries: 0, ...options };
    if (by === "generate") return ai.generateText(about);
    const failures = [];
    const result = ai.streamText({ ...about, onError: ({ error }) => failures.push(error) });
    await result.consumeStream();
    if (failures.length > 0) throw failures[0];
    const keys = ["steps", "text", "totalUsage", "response", "responseMessages"];
    return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await result[key]])));
  }

  const messagesOf = (result) => JSON.parse(JSON.stringify(result.responseMessages ?? result.response.messages));

  for (const by of ["generate", "stream"]) {
    const label = `${one.label}, ${by}: `;

    test(`${label}the model searches inside, and the host sees calls of real tools only`, async () => {
      const { ran, tools } = toolset();
      const mock = model(
        [search("read the whole knowledge graph")],
        [call("read_graph")],
        [add("create_issue")],
        [call("read_graph")],
      );
      const result = await agent(by, { model: wrapped(mock), tools, system: "You are an agent.", prompt: "Go." });
      assert.deepEqual([result.text, result.steps.length], ["done", 3]);
      const calls = result.steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName));
      assert.deepEqual(calls, ["read_graph", "read_graph"]);
      assert.deepEqual(pluck(ran, "name"), ["read_graph", "read_graph"]);
      const [first, second, third, fourth] = sent(mock);
      assert.deepEqual(first, DISCOVERY);
      assert.ok(second.includes("read_graph"));
      assert.deepEqual(third, second, "what was found is there in the host's next step");
      assert.deepEqual(fourth, [...third, "create_issue"]);
      const prompts = (by === "generate" ? mock.doGenerateCalls : mock.doStreamCalls).map(({ prompt }) => prompt);
      assert.match(prompts[0][0].content, /^You are an agent\.\n\n[^]*## Finding tools/);
      assert.deepEqual(pluck(prompts[1].slice(-2), "role"), ["assistant", "tool"]);
      assert.match(prompts[1].at(-1).content[0].output.value, /^Loaded\./);
      assert.ok(!JSON.stringify(messagesOf(result)).includes("search_tools"), "no message of the host's holds a search");
      assert.equal(
        result.totalUsage.totalTokens ?? result.totalUsage.inputTokens + result.totalUsage.outputTokens,
        10,
        "all five calls count",
      );
    });

    test(`${label}what the user's first message clearly finds is there at once, and what later ones find by wish`, async () => {
      const { tools } = toolset();
      const ask = { role: "user", content: "Read the whole knowledge graph." };
      const later = [{ role: "user", content: "Go." }, { role: "assistant", content: "Yes?" }, ask];
      for (const [messages, prefetch, found] of [
        [[ask], undefined, true],
        [[ask], false, false],
        [later, undefined, false],
        [later, true, true],
      ]) {
        const mock = model([call("read_graph")]);
        await agent(by, { model: wrapped(mock, prefetch === undefined ? {} : { prefetch }), tools, messages });
        assert.equal(sent(mock)[0].includes("read_graph"), found, `${messages.length} messages, ${prefetch}`);
      }
    });

    test(`${label}what was revealed goes along with the messages, as JSON too, and a foreign store may drop it`, async () => {
      const { tools } = toolset();
      const first = model([add("read_graph", "create_issue")], [call("read_graph")]);
      const user = { role: "user", content: "Go." };
      const messages = [user, ...messagesOf(await agent(by, { model: wrapped(first), tools, messages: [user] })), user];
      const second = model();
      await agent(by, { model: wrapped(second), tools, messages });
      assert.deepEqual(sent(second), [[...DISCOVERY, "read_graph", "create_issue"]]);

      const bare = JSON.parse(JSON.stringify(messages, (key, value) => (key === "providerOptions" ? undefined : value)));
      const third = model();
      await agent(by, { model: wrapped(third), tools, messages: bare });
      assert.deepEqual(sent(third), [[...DISCOVERY, "read_graph"]], "what the messages call");
    });

    test(`${label}a call that comes too early, and one of no tool, are answered inside`, async () => {
      const { ran, tools } = toolset();
      const events = [];
      const mock = model(
        [call("create_entities", { names: ["Ada"] }), call("no_such_tool")],
        [call("create_entities", { entities: [] })],
      );
      const onEvent = ({ type, tool, step }) => void events.push(`${step} ${type} ${tool}`);
      const result = await agent(by, { model: wrapped(mock, { onEvent }), tools, prompt: "Go." });
      assert.deepEqual(ran, [{ name: "create_entities", args: { entities: [] } }]);
      assert.equal(result.steps.length, 2);
      const { prompt } = (by === "generate" ? mock.doGenerateCalls : mock.doStreamCalls)[1];
      const [early, none] = prompt.at(-1).content.map(({ output }) => output);
      assert.match(early.value, /create_entities was not loaded, so this call did not run/);
      assert.match(none.value, /no tool named .{0,2}no_such_tool/);
      assert.deepEqual([early.type, none.type], ["error-text", "error-text"]);
      assert.deepEqual(events, ["1 refuse create_entities", "1 reveal create_entities", "1 refuse no_such_tool"]);
    });

    test(`${label}a reply with a search and a real call is the host's, without the search`, async () => {
      const { ran, tools } = toolset();
      const mock = model(
        [add("read_graph")],
        [call("read_graph"), add("create_issue")],
        [call("create_issue", { title: "x" })],
      );
      await agent(by, { model: wrapped(mock), tools, prompt: "Go." });
      assert.deepEqual(pluck(ran, "name"), ["read_graph", "create_issue"]);
      assert.deepEqual(sent(mock)[2], [...DISCOVERY, "read_graph", "create_issue"]);
    });

    test(`${label}a model that never stops searching is stopped`, async () => {
      const { tools } = toolset();
      const mock = model(() => [search("anything")]);
      const result = await agent(by, { model: wrapped(mock, { maxRounds: 2 }), tools, prompt: "Go." });
      assert.equal(sent(mock).length, 3, "two further calls");
      assert.ok(!sent(mock)[2].some((name) => DISCOVERY.includes(name)), "the last one cannot search");
      assert.deepEqual(
        result.steps.map(({ toolCalls, finishReason }) => [toolCalls.length, finishReason]),
        [[0, "other"]],
      );
    });

    test(`${label}tools of the vendor, and a tool that must be called, are sent`, async () => {
      const hosted = { type: "provider", id: "vendor.web", name: "web", args: {} };
      const params = { prompt: [{ role: "user", content: [{ type: "text", text: "Go." }] }] };
      const read = { type: "function", name: "read_graph", description: "Read.", inputSchema: { type: "object" } };
      const unsafe = { type: "function", name: "not a name", description: "Odd.", inputSchema: { type: "object" } };
      const mock = model();
      const run = async (more) => {
        const call = wrapped(mock)[by === "generate" ? "doGenerate" : "doStream"];
        const { stream } = await call({ ...params, ...more });
        if (stream) for await (const _ of stream);
        return sent(mock).at(-1);
      };
      assert.deepEqual(await run({ tools: [read, hosted, unsafe] }), [...DISCOVERY, "web", "not a name"]);
      assert.deepEqual(await run({ tools: [read], toolChoice: { type: "tool", toolName: "read_graph" } }), [
        ...DISCOVERY,
        "read_graph",
      ]);
      const cached = { ...read, strict: true, providerOptions: { vendor: { cache: "1h" } } };
      await run({ tools: [cached], toolChoice: { type: "tool", toolName: "read_graph" } });
      const calls = by === "generate" ? mock.doGenerateCalls : mock.doStreamCalls;
      assert.deepEqual(calls.at(-1).tools.at(-1), cached, "as this call brings it, though an equal one was there before");
      assert.deepEqual(await run({ tools: [hosted] }), ["web"]);
      assert.deepEqual(await run({}), []);
      await assert.rejects(run({ tools: [read, { ...hosted, name: "add_tool" }] }), { code: "name_reserved" });
    });
  }

  test(`${one.label}: texts are passed on as they come, and the vendor's metadata stays with what is the host's`, async () => {
    const block = (type, id, text, meta) => [
      { type: `${type}-start`, id, providerMetadata: { vendor: { id: meta } } },
      ...text.map((delta) => ({ type: `${type}-delta`, id, delta })),
      { type: `${type}-end`, id },
    ];
    let release;
    const gate = new Promise((resolve) => (release = resolve));
    const rounds = [
      [...block("reasoning", "0", ["hm"], "r1"), ...block("text", "1", ["Let me ", "look."], "t1"), made(add("read_graph"))],
      [...block("reasoning", "0", ["aha"], "r2"), ...block("text", "1", ["Found."], "t2"), made(call("read_graph"))],
    ];
    const seen = [];
    const mock = new Mock({
      doStream: async () => {
        const parts = rounds.shift();
        const stream = (async function* () {
          yield { type: "stream-start", warnings: [] };
          for (const part of parts) {
            if (part.type === "tool-call" && rounds.length === 1) await gate;
            yield part;
          }
          yield { type: "finish", finishReason: FINISH.calls, usage: TOKENS };
        })();
        return { stream: ReadableStream.from(stream) };
      },
    });
    const functions = [{ type: "function", name: "read_graph", description: "Read.", inputSchema: { type: "object" } }];
    const prompt = [{ role: "user", content: [{ type: "text", text: "Go." }] }];
    const { stream } = await wrapped(mock).doStream({ prompt, tools: functions });
    for await (const part of stream) {
      seen.push(part);
      if (part.type === "text-delta" && part.delta === "look.") release();
    }
    assert.deepEqual(pluck(seen, "type"), [
      "stream-start",
      "reasoning-start",
      "reasoning-delta",
      "text-start",
      "text-delta",
      "text-delta",
      "reasoning-end",
      "text-end",
      "reasoning-start",
      "reasoning-delta",
      "text-start",
      "text-delta",
      "reasoning-end",
      "text-end",
      "tool-call",
      "finish",
    ]);
    const metadata = seen
      .filter(({ type }) => type.endsWith("-end") || type === "tool-call")
      .map(({ providerMetadata }) => providerMetadata);
    assert.deepEqual(metadata, [
      undefined,
      undefined,
      { vendor: { id: "r2" } },
      { vendor: { id: "t2" } },
      { toolsift: { revealed: ["read_graph"] } },
    ]);
    const ids = seen.filter(({ type }) => type.endsWith("-start") && type !== "stream-start").map(({ id }) => id);
    assert.equal(new Set(ids).size, 4);
    const inner = mock.doStreamCalls[1].prompt.at(-2).content;
    assert.deepEqual(inner.slice(0, 2), [
      { type: "reasoning", text: "hm", providerOptions: { vendor: { id: "r1" } } },
      { type: "text", text: "Let me look.", providerOptions: { vendor: { id: "t1" } } },
    ]);
  });

  test(`${one.label}: a host that stops reading ends the vendor's stream, and a failure of a later round fails the stream`, async () => {
    const functions = [{ type: "function", name: "read_graph", description: "Read.", inputSchema: { type: "object" } }];
    const prompt = [{ role: "user", content: [{ type: "text", text: "Go." }] }];
    let cancelled = 0;
    const endless = new Mock({
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue({ type: "stream-start", warnings: [] }),
          cancel: () => void (cancelled += 1),
        }),
      }),
    });
    const { stream } = await wrapped(endless).doStream({ prompt, tools: functions });
    const reader = stream.getReader();
    await reader.read();
    const waiting = reader.read();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await reader.cancel();
    assert.deepEqual([(await waiting).done, cancelled, endless.doStreamCalls.length], [true, 1, 1]);

    let step = 0;
    const failing = new Mock({
      doStream: async () => {
        if ((step += 1) > 1) throw new Error("overloaded");
        const parts = [made(add("read_graph")), { type: "finish", finishReason: FINISH.calls, usage: TOKENS }];
        return { stream: ReadableStream.from(parts) };
      },
    });
    const { stream: broken } = await wrapped(failing).doStream({ prompt, tools: functions });
    await assert.rejects(async () => {
      for await (const _ of broken);
    }, /overloaded/);
  });

  const half = (id, toolName) => [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: '{"na' },
  ];
  const finish = (unified) => ({ type: "finish", finishReason: { unified, raw: unified }, usage: TOKENS });
  /** What the streams of the rounds hold, and the types of the parts with which the host's ends. */
  const CUT = {
    "in a call of ours": [[[...half("s", "add_tool")]], ["error"]],
    "in a call of ours, and the SDK makes an end of it": [
      [[...half("s", "add_tool"), finish("other")]],
      ["error", "finish"],
    ],
    "in a call of ours, told as a success": [[[...half("s", "add_tool"), finish("tool-calls")]], ["error", "finish"]],
    "in a call of the host's": [
      [[add("read_graph"), finish("tool-calls")], half("s", "read_graph")],
      ["tool-input-delta", "error"],
    ],
    "behind a whole call": [[[call("read_graph")]], ["error"]],
    "in a later round": [[[add("read_graph"), finish("tool-calls")], []], ["error"]],
    "with an error of its own": [
      [[...half("s", "add_tool"), { type: "error", error: "gone" }, finish("error")]],
      ["error", "finish"],
    ],
    "at the bound of tokens": [[[...half("s", "add_tool"), finish("length")]], ["finish"]],
  };
  for (const [where, [streams, types]] of Object.entries(CUT)) {
    test(`${one.label}: a stream that ends in the middle of a reply is an error, and no empty success: ${where}`, async () => {
      let at = 0;
      const parts = () => streams[at++].map((part) => (part.type === undefined ? made(part) : part));
      const mock = new Mock({ doStream: async () => ({ stream: ReadableStream.from(parts()) }) });
      const functions = [{ type: "function", name: "read_graph", description: "Read.", inputSchema: { type: "object" } }];
      const prompt = [{ role: "user", content: [{ type: "text", text: "Go." }] }];
      const { stream } = await wrapped(mock).doStream({ prompt, tools: functions });
      const seen = [];
      for await (const part of stream) seen.push(part);
      assert.deepEqual(pluck(seen, "type").slice(-types.length), types);
      assert.equal(seen.filter(({ type }) => type === "tool-call").length, 0);
      assert.equal(seen.filter(({ type }) => type === "error").length, types.includes("error") ? 1 : 0);
      const last = seen.at(-1);
      if (last.type === "finish") assert.match(last.finishReason.unified, types.includes("error") ? /^error$/ : /^length$/);
    });
  }

  test(`${one.label}: the host's options hold: its ranker, its limit of tools, and a bridge`, async () => {
    const { ran, tools } = toolset();
    const asked = async (options, ...replies) => {
      const mock = model(...replies);
      await agent("generate", { model: wrapped(mock, options), tools, prompt: "Go." });
      return sent(mock);
    };
    assert.deepEqual((await asked({ rank: { rerank: () => ["read_graph"] } }, [search("graph zzz")]))[1], [
      ...DISCOVERY,
      "read_graph",
    ]);
    const added = [[add("read_graph", "create_issue", "open_nodes")], [add("search_nodes", "list_issues")]];
    assert.deepEqual((await asked({ maxTools: 5 }, ...added)).at(-1), [...DISCOVERY, "search_nodes", "list_issues"]);
    const through = [call("tool_call", { name: "create_issue", arguments: { title: "x" } })];
    await asked({ sift: { profile: "bridge" } }, through);
    assert.deepEqual(ran, [{ name: "create_issue", args: { title: "x" } }], "the host gets the call of the real tool");
  });

  test(`${one.label}: the catalog of tools that come no more is disposed of, once no call uses it`, async () => {
    const { ToolSift } = await app.load("toolsift");
    const { dispose } = ToolSift.prototype;
    let disposed = 0;
    ToolSift.prototype.dispose = function () {
      disposed += 1;
      dispose.call(this);
    };
    const reply = { content: [{ type: "text", text: "Done." }], finishReason: FINISH.text, usage: TOKENS, warnings: [] };
    let goOn;
    const waiting = new Promise((resolve) => (goOn = resolve));
    const mock = new Mock({
      doGenerate: async ({ prompt }) => {
        if (JSON.stringify(prompt).includes("Wait.")) await waiting;
        return reply;
      },
    });
    const middle = wrapped(mock);
    const asked = (text, nth) => {
      const tool = { type: "function", name: `tool_${nth}`, description: "Does it.", inputSchema: { type: "object" } };
      return middle.doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text }] }], tools: [tool] });
    };
    try {
      const first = asked("Wait.", 0);
      for (let nth = 1; nth <= 10; nth++) await asked("Go.", nth);
      assert.equal(disposed, 2, "eight are kept, and one is in use");
      goOn();
      await first;
      assert.equal(disposed, 3);
    } finally {
      ToolSift.prototype.dispose = dispose;
    }
  });
}
