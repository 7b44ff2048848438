/**
 * Tests two runs over one conversation.
 * 1. The second run is refused before anything is sent, if it has the same model or one of the same messages; the first run
 *    continues.
 * 2. After a run has ended, with or without an error, the next run may begin.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, whole } from "../apis/index.mjs";
import { appWith } from "./lib/app.mjs";
import { answers, call, MAJORS, sdk } from "./lib/mock-model.mjs";
import { siftOf } from "./lib/tools.mjs";

const app = await appWith();
const { runTools } = await app.load("toolsift");
const load = (name) => app.load(`toolsift/${name}`);

const args = { query: "read a file" };
const name = "search_tools";

const [openai, anthropic, google] = await Promise.all(["openai", "anthropic", "google"].map(load));

/** By API: the field that holds the conversation, and how the adapter's model is made over it. */
const ROADS = {
  chat: ["messages", (create, messages) => openai.chatModel({ chat: { completions: { create } } }, { messages })],
  responses: ["input", (create, input) => openai.responsesModel({ responses: { create } }, { input })],
  messages: [
    "messages",
    (make, messages) => anthropic.messagesModel({ messages: { create: make, stream: make } }, { messages }),
  ],
  gemini: [
    "contents",
    (make, contents) => google.googleModel({ models: { generateContent: make, generateContentStream: make } }, { contents }),
  ],
};

for (const [name, [key, make]] of Object.entries(ROADS)) {
  const api = APIS[name];
  const replies = [{ calls: [call("search_tools", args)] }, { text: "Done." }].map((reply) => whole(api, reply));

  test(`${name}: a second run is refused while the first goes on`, async () => {
    const sift = await siftOf(app);
    const asked = [];
    let failing = false;
    const create = async () => {
      const at = asked.push("request") - 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (failing) throw new Error("the line is broken");
      return replies[at % 2];
    };
    const conversation = [api.asks("Go.")].flat();
    const model = make(create, conversation);
    const run = (which) => runTools(sift.session("chat"), { ...which, execute: () => "done" });
    const refused = { code: "option_conflict", message: new RegExp(`params\\.${key} is the conversation of a run`) };

    const first = run(model);
    await assert.rejects(run(model), refused);
    await assert.rejects(run(make(create, conversation)), refused);
    assert.equal((await first).finish, "done");
    assert.equal(asked.length, 2);
    assert.ok(conversation.length >= 4, "question, search, answer, end");

    failing = true;
    await assert.rejects(run(model), /broken/);
    failing = false;
    asked.length = 0;
    assert.equal((await run(model)).finish, "done");
  });
}

test("what begins a run is called once, and what it returns at the end", async () => {
  const sift = await siftOf(app);
  const told = [];
  const begin = () => (told.push("begin"), () => void told.push("end"));
  await runTools(sift.session("s"), {
    begin,
    send: () => ({ calls: told.push("send") > 2 ? [] : [{ name, args }] }),
    execute: () => "",
  });
  assert.deepEqual(told, ["begin", "send", "send", "end"]);
  await assert.rejects(runTools(sift.session("s"), { begin: 1, send: () => ({ calls: [] }), execute: () => "" }), /begin/);
});

for (const one of MAJORS) {
  test(`${one.label}: one view of a session in two calls at once is refused`, async () => {
    const its = { ...(await sdk(one)), ...one };
    const { ai, z, model, ToolSift, siftTools } = its;
    const wait = ai.tool({
      description: "Wait",
      inputSchema: z.object({}),
      execute: () => new Promise((go) => setTimeout(go, 10, "ok")),
    });
    const sift = new ToolSift({ activation: "off" });
    const sifted = await siftTools(sift, { tools: { wait } });
    const go = (conversation, asked) => ai.generateText({ model: asked, prompt: "Go.", ...conversation });
    const models = [1, 2, 3, 4].map(() => model([call("wait", {})], [call("wait", {})]));
    const shared = sifted.for(sift.session("a"));
    const ends = await Promise.allSettled([go(shared, models[0]), go(shared, models[1])]);
    const [bad] = ends.filter(({ status }) => status === "rejected");
    assert.equal(bad.reason.code, "option_conflict");
    assert.match(bad.reason.message, /sifted\.for\(session\) is in two calls/);
    await go(shared, models[2]);
    assert.equal(answers(models[2]).length, 2, "one after the other may be");
  });
}
