/**
 * `prefetch` of what sees the user's message: what it clearly finds is in the first request.
 *
 * 1. OpenAI's two APIs, Anthropic's and Google's, by the last message, a text or parts. 2. AI SDK, by `prompt` or `messages`.
 * 3. Nothing is loaded behind an answer of a tool, or with `false`. 4. Another value is refused. 5. OpenAI's agents,
 * LangChain's agents and graphs, and Mastra's agents: the model calls what was loaded at once, and later steps keep it, also in
 * a run without a thread. 6. `onEvent` is told once of what was loaded ahead and of its tokens, before the first reply.
 * 7. `"first"` does so in a session's first request alone: not behind a reply of the model's, whether the messages, the vendor or the
 * session know of it. That is the default of the profile `sift`; with the others nothing is searched unless the option says so.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { langchain } from "./lib/drives/langchain.mjs";
import { langgraph } from "./lib/drives/langgraph.mjs";
import { mastra } from "./lib/drives/mastra.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";

const FRAMEWORKS = { openaiAgents, langchain, langgraph, mastra };
const app = await appWith({
  ...Object.assign({}, ...Object.values(FRAMEWORKS).map(({ versions }) => versions.at(-1))),
  ai: "ai",
  openai: "openai",
  "@anthropic-ai/sdk": "@anthropic-ai/sdk",
  "@google/genai": "@google/genai",
});
const { load } = app;
const { runTools, ToolSift } = await load("toolsift");
const [aiSdk, anthropic, google, openai] = await Promise.all(
  ["ai-sdk", "anthropic", "google", "openai"].map((name) => load(`toolsift/${name}`)),
);

const SAID = "How is the weather in this city?";
const user = (content) => [{ role: "user", content }];

/** A catalog with a tool for what is said. */
function catalog(options = {}) {
  const sift = new ToolSift({ activation: "on", ...options });
  const named = (name, description) => ({ name, description, inputSchema: { type: "object", properties: {} } });
  sift.register([named("get_weather", "The weather of a city."), named("list_rooms", "Lists the rooms of a hotel.")]);
  return sift;
}

/** What was revealed as the vendor was asked, by a client that never answers. */
async function revealed(door, run, options, sift = catalog()) {
  const made = await door.toolsift({ sift, ...options, execute: () => "" });
  const asked = new Error("asked");
  await assert.rejects(
    run(made, () => Promise.reject(asked)),
    asked,
  );
  return sift.session("s").revealed;
}

/** What `onEvent` was told is one reveal ahead of the first reply, or begins with it. */
function toldOnce([event, ...others], session) {
  const { attributes, startTime, duration, ...told } = event;
  const expected = { type: "reveal", session, step: 0, callId: undefined, tool: "prefetch", revealed: ["get_weather"] };
  assert.deepEqual(told, { ...expected, tokens: catalog().session("s").named(["get_weather"]).get("get_weather").tokens });
  assert.ok(told.tokens > 10 && duration >= 0 && startTime > 1.7e12);
  assert.deepEqual(attributes["toolsift.revealed"], told.revealed);
  assert.ok(others.every(({ type, step }) => type !== "reveal" && step > 0));
}

const chat = (messages) => (door, create) => door.run("s", { chat: { completions: { create } } }, { model: "m", messages });

test("the vendors' doors load what the last message finds", async () => {
  const runs = [
    [openai, chat(user(SAID))],
    [openai, chat(user([{ type: "text", text: SAID }]))],
    [
      openai,
      (door, create) =>
        door.runResponses("s", { responses: { create } }, { model: "m", input: user([{ type: "input_text", text: SAID }]) }),
    ],
    [
      anthropic,
      (door, create) =>
        door.run(
          "s",
          { messages: { create, stream: create } },
          { model: "m", max_tokens: 1, messages: user([{ type: "text", text: SAID }]) },
        ),
    ],
    [
      google,
      (door, generateContent) =>
        door.run(
          "s",
          { models: { generateContent, generateContentStream: generateContent } },
          { model: "m", contents: [{ role: "user", parts: [{ text: SAID }] }] },
        ),
    ],
  ];
  for (const [at, [door, run]] of runs.entries()) {
    for (const options of [{}, { prefetch: true }, { prefetch: "first" }])
      assert.deepEqual(await revealed(door, run, options), ["get_weather"], `${at} ${JSON.stringify(options)}`);
    assert.deepEqual(await revealed(door, run, { prefetch: false }), [], `${at}, false`);
    const published = () => catalog({ profile: "select-load" });
    assert.deepEqual(await revealed(door, run, {}, published()), [], `${at}, a published profile`);
    assert.deepEqual(
      await revealed(door, run, { prefetch: "first" }, published()),
      ["get_weather"],
      `${at}, which is told so`,
    );
  }
  const events = [];
  await revealed(...runs[0], { onEvent: (event) => events.push(event) });
  toldOnce(events, "s");
  const answered = [...user(SAID), { role: "assistant", content: SAID }];
  assert.deepEqual(await revealed(openai, chat(answered), { prefetch: true }), [], "the last message is not the user's");
});

test("in a later request nothing is loaded by the first message alone", async () => {
  const begun = [
    { role: "system", content: "Help." },
    ...user("Hello."),
    { role: "assistant", content: "Hello." },
    ...user(SAID),
  ];
  const parts = (role, text) => ({ role, parts: [{ text }] });
  const runs = [
    [openai, chat(begun)],
    [
      openai,
      (door, create) =>
        door.runResponses("s", { responses: { create } }, { model: "m", input: user(SAID), previous_response_id: "resp_1" }),
    ],
    [
      anthropic,
      (door, create) =>
        door.run("s", { messages: { create, stream: create } }, { model: "m", max_tokens: 1, messages: begun.slice(1) }),
    ],
    [
      google,
      (door, generateContent) =>
        door.run(
          "s",
          { models: { generateContent, generateContentStream: generateContent } },
          { model: "m", contents: [parts("user", "Hello."), parts("model", "Hello."), parts("user", SAID)] },
        ),
    ],
  ];
  for (const [at, [door, run]] of runs.entries()) {
    assert.deepEqual(await revealed(door, run), [], `${at}`);
    assert.deepEqual(await revealed(door, run, { prefetch: true }), ["get_weather"], `${at}, in every request`);
  }
  const sift = catalog();
  const door = await aiSdk.toolsift({ sift, execute: () => "" });
  sift.session("s").assemble();
  door.with("s", { model: {}, prompt: SAID });
  assert.deepEqual(sift.session("s").revealed, [], "the session has made a request");
  door.with("new", { model: {}, prompt: SAID });
  assert.deepEqual(sift.session("new").revealed, ["get_weather"]);
});

test("runTools loads what the conversation finds, with the model of an adapter or of the host", async () => {
  const messages = user(SAID);
  const client = {
    chat: { completions: { create: async () => ({ choices: [{ message: { role: "assistant", content: "Done." } }] }) } },
  };
  const models = [
    openai.chatModel(client, { model: "m", messages: [...messages] }),
    { conversation: { messages: [{ role: "user", text: SAID }] }, send: () => ({ calls: [] }) },
  ];
  for (const model of models) {
    for (const [options, expected] of [
      [{}, ["get_weather"]],
      [{ prefetch: false }, []],
    ]) {
      const session = catalog().session("s");
      await runTools(session, { ...model, execute: () => "", ...options });
      assert.deepEqual(session.revealed, expected);
    }
  }
  const session = catalog().session("s");
  await runTools(session, { send: () => ({ calls: [] }), execute: () => "" });
  assert.deepEqual(session.revealed, [], "nobody says where the conversation is");
  await assert.rejects(runTools(session, { ...models[1], execute: () => "", prefetch: "last" }), { code: "option_invalid" });
});

test("agents of published profiles are not asked for their input", async () => {
  const settings = { name: "Helper", instructions: "You help." };
  const { siftAgents } = await load("toolsift/openai-agents");
  const guards = (sift, options) =>
    siftAgents(sift, { execute: () => "", ...options }).with("s", settings).inputGuardrails?.length;
  assert.equal(guards(catalog()), 1);
  assert.equal(guards(catalog(), { prefetch: false }), undefined);
  assert.equal(guards(catalog({ profile: "select-load" })), undefined);
});

test("AI SDK's door loads what the prompt or the last message finds", async () => {
  for (const settings of [{ prompt: SAID }, { messages: user(SAID) }, { prompt: user([{ type: "text", text: SAID }]) }]) {
    const sift = catalog();
    const events = [];
    const door = await aiSdk.toolsift({ sift, prefetch: true, onEvent: (event) => events.push(event), execute: () => "" });
    door.with("s", { model: {}, ...settings });
    toldOnce(events, "s");
    assert.deepEqual(sift.session("s").revealed, ["get_weather"], JSON.stringify(settings));
  }
});

/** The tools of the first request, and what ran, of a model that calls one at once and ends in the third step. */
async function conversed({ converse }, options) {
  const ran = [];
  const sift = catalog();
  const { requests, finish } = await converse({
    app,
    sift,
    id: "s",
    prompt: SAID,
    execute: ({ name }) => ran.push(name),
    script: (_, step) => (step > 2 ? { text: "Sunny." } : { calls: [{ name: "get_weather", args: {} }] }),
    ...options,
  });
  return { first: requests[0].tools, last: requests.at(-1).tools, ran, finish };
}

for (const [name, drive] of Object.entries(FRAMEWORKS)) {
  test(`${name}: the first request has what the message finds, and so has the last`, async () => {
    for (const id of name.startsWith("lang") ? ["s", undefined] : ["s"]) {
      const events = [];
      const onEvent = (event) => events.push(event);
      const { first, last, ran, finish } = await conversed(drive, { id, prefetch: true, onEvent });
      toldOnce(events, id ?? "langchain (no thread)");
      assert.equal(first.at(-1), "get_weather");
      assert.deepEqual(last, first);
      assert.deepEqual([ran, finish], [["get_weather", "get_weather"], "done"]);
    }
    for (const options of [{}, { prefetch: "first" }])
      assert.equal((await conversed(drive, options)).last.at(-1), "get_weather");
    const { first } = await conversed(drive, { prefetch: false });
    assert.equal(first.includes("get_weather"), false);
  });
}

test("another value is refused", async () => {
  for (const door of [openai, aiSdk]) {
    await assert.rejects(door.toolsift({ sift: catalog(), prefetch: 3 }), { code: "option_invalid" });
    const message = 'options.prefetch is string last; it must be true, false or "first"';
    await assert.rejects(door.toolsift({ sift: catalog(), prefetch: "last" }), { code: "option_invalid", message });
  }
});
