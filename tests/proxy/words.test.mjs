/**
 * Words that a model writes for the tools of requests.
 *
 * 1. A request never waits for them; later ones with the same list are searched by them, and events say how far they are.
 * 2. Each definition is asked for once, also by another proxy with the same store. Tools of packs are not asked for.
 * 3. A model that fails costs the requests nothing. Wrong options are told.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { call, calls, says, tools } from "./lib/chat.mjs";
import { definitions } from "./lib/tools.mjs";
import { posted, scripted } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const plain = definitions();
const [wanted] = plain;

/** A model that has words for one tool alone. */
function writer(asked = []) {
  return ({ prompt }) => {
    asked.push(prompt);
    const names = [...prompt.matchAll(/"name":"([\w-]+)"/g)].map(([, name]) => name);
    const queries = ["where is my zeppelin", "an airship please", "the zeppelin is late", "which airship flies?"];
    const written = names.map((name) =>
      name === wanted.name ? { name, queries, keywords: ["zeppelin"] } : { name, queries: ["nothing of it"], keywords: [] },
    );
    return JSON.stringify({ tools: written });
  };
}

/** A client's `fetch`, which answers what the search for an airship found. */
function client(enrich) {
  const events = [];
  let end;
  const done = new Promise((resolve) => (end = resolve));
  const { fetch, sent } = scripted(
    ...Array.from({ length: 8 }, () => [calls(call("search_tools", { query: "zeppelin airship" })), says("Done.")]).flat(),
  );
  const onEvent = (event) => {
    events.push(event);
    if (
      event.type === "problem" ||
      (event.type === "words" && !event.isWriting && event.written + event.kept + event.failed.length > 0)
    )
      end(event);
  };
  const asks = siftFetch({ fetch, enrich, onEvent });
  const found = async () => {
    const messages = [{ role: "user", content: "Hello" }];
    await (await asks(...posted("/v1/chat/completions", { model: "m", messages, tools }))).json();
    return sent.at(-1).body.messages.at(-1).content;
  };
  return { found, events, done };
}

const storage = (records = new Map()) => ({
  getItem: async (key) => records.get(key) ?? null,
  setItem: async (key, value) => void records.set(key, value),
});

test("requests are searched by words as they come, and each definition is asked for once", async () => {
  const asked = [];
  const store = storage();
  const first = client({ model: writer(asked), store });
  assert.doesNotMatch(await first.found(), new RegExp(wanted.name));
  const words = await first.done;
  assert.deepEqual([words.error, words.written + words.failed.length + words.kept >= plain.length], [null, true]);
  assert.match(await first.found(), new RegExp(wanted.name));
  assert.match(await first.found(), new RegExp(wanted.name));
  const times = asked.filter((prompt) => prompt.includes(`"name":"${wanted.name}"`)).length;
  assert.equal(times, 1);
  assert.ok(asked.every((prompt) => !prompt.includes("Hello")));

  const again = [];
  const second = client({ model: writer(again), store });
  await second.found();
  await second.done;
  assert.ok(again.every((prompt) => !prompt.includes(`"name":"${wanted.name}"`)));
  assert.match(await second.found(), new RegExp(wanted.name));
});

test("a model that fails costs the requests nothing", async () => {
  const { found, done } = client({
    model: () => {
      throw new Error("no credit");
    },
  });
  await found();
  const words = await done;
  assert.equal(words.written, 0);
  assert.match(words.failed[0].reason, /no credit/);
  assert.doesNotMatch(await found(), new RegExp(wanted.name));
});

test("wrong options are told", async () => {
  assert.throws(() => siftFetch({ enrich: {} }), /options\.enrich has no model/);
  assert.throws(() => siftFetch({ enrich: "qwen3" }), /options\.enrich must be an object, got string qwen3/);
  const { found, done } = client({ model: 7 });
  await found();
  assert.match((await done).message, /no words are written: options\.enrich\.model is number 7/);
});
