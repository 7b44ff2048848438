/** Tests that UI messages of an AI SDK run restore the loaded tools of a session. The contract does so with model messages. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { answers, call, MAJORS, sdk, sent } from "./lib/mock-model.mjs";
import { siftOf } from "./lib/tools.mjs";

/** What a model does that loads tools in every way there is, and calls some that it has not. */
const REPLIES = [
  [call("search_tools", { query: "create an issue in a repository" }), call("read_graph", { a: 1 })],
  [
    call("create_issue", { owner: "ada", repo: "engine", title: "It rattles" }),
    call("add_tool", { tool_names: ["read_text_file", "nope"] }),
  ],
  [call("no_such_tool"), call("read_text_file", "{broken"), call("read_graph")],
];

/** A conversation's host: `{ sift, session, sifted, ran }`. */
async function open(its, settings) {
  const sift = await siftOf(its.app, settings);
  const ran = [];
  const execute = ({ name }) => {
    ran.push(name);
    return { content: [{ type: "text", text: `${name} ran; Added: delete_entities` }] };
  };
  return { sift, session: sift.session("chat"), sifted: await its.siftTools(sift, { execute }), ran };
}

function each(title, check) {
  for (const one of MAJORS) test(`${one.label}: ${title}`, async () => check({ ...(await sdk(one)), ...one }));
}

each("the messages of a user interface rebuild the session, and are sent again as they were", async (its) => {
  const { ai, major, model, ToolSiftError } = its;
  const { session, sifted } = await open(its);
  let stored;
  const conversation = sifted.for(session);
  const streamed = model(...REPLIES);
  const result = ai.streamText({ model: streamed, prompt: "Go on.", ...conversation });
  const onEnd = ({ messages }) => void (stored = messages);
  // What docs/adapters/ai-sdk.md tells hosts to pass: with ai 6, only what a refusal says is no secret.
  const onError = (error) => (ToolSiftError.is(error) ? error.message : "masked");
  const stream =
    major === 6
      ? result.toUIMessageStream({ onFinish: onEnd, onError })
      : ai.toUIMessageStream({ stream: result.stream, tools: conversation.tools, onEnd, onError, redactToolErrors: false });
  for await (const _ of stream);
  const messages = JSON.parse(JSON.stringify(stored));
  const next = await open(its);
  next.session.fromMessages(messages, { format: "ai-sdk" });
  assert.deepEqual(next.session.revealed, session.revealed);

  const again = model();
  const later = next.sifted.for(next.session);
  const history = await ai.convertToModelMessages(messages, { tools: later.tools });
  await ai.generateText({ model: again, messages: [...history, { role: "user", content: "And now?" }], ...later });
  assert.deepEqual(sent(again)[0], sent(streamed).at(-1));
  const [before, after] = [answers(streamed), answers(again)].map((all) => all.map(([name, { value }]) => [name, value]));
  const kept = before.map(([name, value], at) => (after[at][1] === "masked" ? [name, "masked"] : [name, value]));
  assert.deepEqual(after, kept);
  assert.equal(after.filter(([, value]) => value === "masked").length, major === 6 ? 2 : 0, "no such tool, and broken JSON");
});
