/** What hostile data and callbacks that fail get, through the installed package. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { runTools } = await import("toolsift");
const [openai, anthropic, google] = await Promise.all(
  ["openai", "anthropic", "google"].map((name) => import(`toolsift/${name}`)),
);

test("an alias is offered for a name that vendors refuse", () => {
  const sift = new ToolSift();
  try {
    sift.register({ name: "crm.contacts/import" });
    assert.fail("was taken");
  } catch (error) {
    assert.equal(error.alias, "crm_contacts_import");
    assert.equal(sift.register({ name: error.alias }).registered[0], error.alias);
  }
  assert.throws(
    () => sift.register({ name: "" }),
    (error) => !("alias" in error),
    "other errors do not speak of one",
  );
});

test("null in the place of options, and of an option, is as if it was left out", () => {
  const sift = used();
  const session = sift.session("s", null);
  assert.deepEqual(sift.search("good", null), sift.search("good"));
  assert.deepEqual(sift.search("good", { limit: null, reasons: null }), sift.search("good"));
  assert.deepEqual(session.assemble({ format: null }).tools, session.assemble().tools);
  assert.deepEqual(new ToolSift({ profile: null, limits: null }).settings, new ToolSift().settings);
});

const boom = () => {
  throw new Error("boom");
};
const user = { role: "user", content: "hi" };
const has =
  (code, part = "") =>
  (error) =>
    ToolSiftError.is(error) && error.code === code && error.message.includes(part);

/** Leads a run with a model. */
const run = (model, execute = () => "done") => runTools(used().session("s"), { ...model, execute, maxSteps: 3 });

test("several queries at once", () => {
  const sift = used();
  sift.register([
    tool({ name: "tides", description: "Tells high water." }),
    tool({ name: "mail", description: "Sends letters." }),
  ]);
  const { query, hits } = sift.search(["  high water ", "", "send a letter"]);
  assert.equal(query, "high water\nsend a letter");
  assert.deepEqual(hits.map(({ name }) => name).sort(), ["mail", "tides"]);
  assert.deepEqual(sift.search(["high water"]), sift.search("high water"));
  assert.equal(sift.explain(["high water", "send a letter"], "mail").found, true);
});

test("a vendor's reply of any other form is an error with a code", async () => {
  const chat = (reply, stream) =>
    openai.chatModel({ chat: { completions: { create: async () => reply } } }, { model: "m", messages: [user], stream });
  const responses = (reply, stream) =>
    openai.responsesModel({ responses: { create: async () => reply } }, { model: "m", input: [user], stream });
  const messages = (reply) =>
    anthropic.messagesModel(
      { messages: { create: async () => reply, stream: boom } },
      { model: "m", max_tokens: 1, messages: [user] },
    );
  const contents = (reply, stream) =>
    google.googleModel(
      { models: { generateContent: async () => reply, generateContentStream: async () => reply } },
      { model: "m", contents: [{ role: "user", parts: [] }] },
      { stream },
    );
  const models = [
    ...[null, {}, 10n, { choices: [{ message: { tool_calls: [{}] } }] }].map((reply) => chat(reply)),
    ...[{}, [{ choices: 7 }], [null], []].map((reply) => chat(reply, true)),
    ...[null, {}, { output: [null] }, { output: [], status: "failed" }].map((reply) => responses(reply)),
    ...[{}, [{ type: "error" }], [null], []].map((reply) => responses(reply, true)),
    ...[undefined, {}, { content: [null] }, { content: [{ type: "tool_search_tool_result" }] }].map(messages),
    ...[null, { candidates: [{ content: { parts: [null] } }] }].map((reply) => contents(reply)),
    ...[{}, [null]].map((reply) => contents(reply, true)),
  ];
  for (const [at, model] of models.entries()) await assert.rejects(run(model), has("reply_invalid"), `model ${at}`);
  // What the client itself throws is not touched.
  await assert.rejects(
    run(openai.chatModel({ chat: { completions: { create: boom } } }, { model: "m", messages: [user] })),
    { message: "boom" },
  );
});

test("names that a vendor's search returns are texts, or none", async () => {
  const send =
    (names) =>
    ({ step }) => ({ calls: [], searches: step === 1 ? [{ id: "1", tool: "t", version: "1", query: null, names }] : [] });
  await assert.rejects(run({ send: send([7]) }), has("option_invalid", "searches"));
  const content = [
    {
      type: "tool_search_tool_result",
      tool_use_id: "1",
      content: { type: "tool_search_tool_search_result", tool_references: [{}, { tool_name: "good" }] },
    },
  ];
  const create = async () => ({ role: "assistant", content, stop_reason: "end_turn" });
  const client = { messages: { create, stream: create } };
  const model = anthropic.messagesModel(client, { model: "m", max_tokens: 9, messages: [user] });
  const session = used().session("searches");
  const { searches } = await model.send({ session, step: 1, tools: [], systemPrompt: "" });
  assert.deepEqual(searches[0].names, ["good"]);
});

test("a callback that throws leaves the core usable, and what a listener throws ends nothing", async () => {
  let fails = false;
  const countTokens = (text) => (fails ? boom() : text.length);
  const sift = used({ countTokens, activation: "on" });
  const session = sift.session("s");
  for (let round = 0; round < 2; round++) {
    // Counts are kept: a new tool has none.
    sift.register(tool({ name: `another_${round}` }));
    fails = true;
    for (const way of [() => session.assemble(), () => sift.size()]) assert.throws(way, has("counter_failed", "boom"));
    fails = false;
    assert.equal(session.assemble().size.full.tools, 2 + round);
  }
  assert.throws(() => used({ countTokens: async () => 1 }).size(), has("counter_failed", "a promise"));
  const meddling = new ToolSift({ countTokens: (text) => (meddling.register([tool()]), text.length) });
  meddling.register([tool()]);
  assert.throws(() => meddling.size(), has("counter_failed", "must not use the ToolSift"));
  // What a callback throws while options are read or a search is ranked reaches the host as it is.
  assert.throws(
    () =>
      sift.size({
        get format() {
          return boom();
        },
      }),
    { message: "boom" },
  );
  const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good" }] : [] });
  assert.equal((await run({ send, onEvent: boom })).finish, "done");
  await assert.rejects(run({ send: boom }), { message: "boom" });
  assert.equal(sift.search("works").searched, 3);
});

test("use after dispose", () => {
  const sift = used();
  const session = sift.session("s");
  sift.dispose();
  sift.dispose();
  for (const attempt of [() => sift.tools(), () => sift.exportIndex(), () => session.assemble(), () => session.revealed])
    assert.throws(attempt, { name: "ToolSiftError", code: "disposed" });
});
