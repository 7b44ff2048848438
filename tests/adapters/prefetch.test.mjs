/**
 * Tests the option `prefetch`, in addition to the shared contract.
 * 1. It reads the last message, a text or parts, of each API, and AI SDK's `prompt` or `messages`.
 * 2. `"first"`, the default of the profile `sift`, applies only to a session's first request, not after a reply of the
 *    model, whether the messages, the vendor or the session show the reply.
 * 3. Profiles that copy another system search nothing unless the option is set.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";

const app = await appWith({ ...openaiAgents.versions.at(-1), ai: "ai", openai: "openai" });
const { ToolSift, runTools } = await app.load("toolsift");
const [aiSdk, anthropic, google, openai, agents] = await Promise.all(
  ["ai-sdk", "anthropic", "google", "openai", "openai-agents"].map((name) => app.load(`toolsift/${name}`)),
);

const SAID = "How is the weather in this city?";
const user = (content) => [{ role: "user", content }];
const begun = [...user("Hello."), { role: "assistant", content: "Hello." }, ...user(SAID)];
const contents = (...said) => said.map((text, at) => ({ role: at % 2 === 0 ? "user" : "model", parts: [{ text }] }));

/** A catalog with a tool for what is said. */
function catalog(options = {}) {
  const sift = new ToolSift({ activation: "on", ...options });
  const named = (name, description) => ({ name, description, inputSchema: { type: "object", properties: {} } });
  sift.register([named("get_weather", "The weather of a city."), named("list_rooms", "Lists the rooms of a hotel.")]);
  return sift;
}

/** By API: how it is asked, in a first request with the message as text or parts, and in a later one. */
const ROADS = {
  chat: {
    run: (params, make) => openai.chatModel({ chat: { completions: { create: make } } }, params),
    first: [{ messages: user(SAID) }, { messages: user([{ type: "text", text: SAID }]) }],
    later: { messages: [{ role: "system", content: "Help." }, ...begun] },
  },
  responses: {
    run: (params, make) => openai.responsesModel({ responses: { create: make } }, params),
    first: [{ input: user([{ type: "input_text", text: SAID }]) }],
    later: { input: user(SAID), previous_response_id: "resp_1" },
  },
  anthropic: {
    run: (params, make) =>
      anthropic.messagesModel({ messages: { create: make, stream: make } }, { max_tokens: 1, ...params }),
    first: [{ messages: user([{ type: "text", text: SAID }]) }],
    later: { messages: begun },
  },
  google: {
    run: (params, make) => google.googleModel({ models: { generateContent: make, generateContentStream: make } }, params),
    first: [{ contents: contents(SAID) }],
    later: { contents: contents("Hello.", "Hello.", SAID) },
  },
};

for (const [api, { run, first, later }] of Object.entries(ROADS)) {
  test(`${api}: what the last message finds is there, in the first request or in every one`, async () => {
    /** What was revealed as the vendor was asked, by a client that never answers. */
    const revealed = async (params, options = {}, sift = catalog()) => {
      const asked = new Error("asked");
      const model = run({ model: "m", ...structuredClone(params) }, () => Promise.reject(asked));
      await assert.rejects(runTools(sift.session("s"), { ...model, execute: () => "", ...options }), asked);
      return sift.session("s").revealed;
    };
    for (const params of first) assert.deepEqual(await revealed(params), ["get_weather"]);
    assert.deepEqual(await revealed(later), []);
    assert.deepEqual(await revealed(later, { prefetch: true }), ["get_weather"]);
    const published = { profile: "select-load" };
    assert.deepEqual(await revealed(first[0], {}, catalog(published)), []);
    assert.deepEqual(await revealed(first[0], { prefetch: "first" }, catalog(published)), ["get_weather"]);
  });
}

test("a model of the host's own says where the conversation is, or nothing is searched", async () => {
  for (const [conversation, expected] of [
    [{ messages: [{ role: "user", text: SAID }] }, ["get_weather"]],
    [undefined, []],
  ]) {
    const session = catalog().session("s");
    await runTools(session, { ...(conversation && { conversation }), send: () => ({ calls: [] }), execute: () => "" });
    assert.deepEqual(session.revealed, expected);
  }
});

test("AI SDK's door looks in the prompt or the last message, of a session that has made no request", async () => {
  for (const settings of [{ prompt: SAID }, { messages: user(SAID) }, { prompt: user([{ type: "text", text: SAID }]) }]) {
    const sift = catalog();
    const door = await aiSdk.toolsift({ sift, execute: () => "" });
    sift.session("old").assemble();
    for (const id of ["new", "old"]) door.with(id, { model: {}, ...settings });
    assert.deepEqual([sift.session("new").revealed, sift.session("old").revealed], [["get_weather"], []]);
  }
});

test("agents of published profiles are not asked for their input", () => {
  const guards = (sift, options) => {
    const { inputGuardrails } = agents.siftAgents(sift, { execute: () => "", ...options }).with("s", { name: "Helper" });
    return inputGuardrails?.length;
  };
  assert.deepEqual([guards(catalog()), guards(catalog(), { prefetch: false })], [1, undefined]);
  assert.equal(guards(catalog({ profile: "select-load" })), undefined);
});
