/** Tests search words that a model writes for the tools in requests. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted } from "../apis/index.mjs";
import { siftFetch } from "./lib/asking.mjs";
import { call, calls, says, tools, USER } from "./lib/chat.mjs";
import { definitions } from "./lib/tools.mjs";
import { scripted } from "./lib/upstream.mjs";

const [{ name: wanted }] = definitions;
const KNOWN = new RegExp(wanted);

/** A model that has words for one tool alone. */
function writer(asked) {
  return ({ prompt }) => {
    asked.push(prompt);
    const queries = ["where is my zeppelin", "an airship please", "the zeppelin is late", "which airship flies?"];
    const written = [...prompt.matchAll(/"name":"([\w-]+)"/g)].map(([, name]) =>
      name === wanted ? { name, queries, keywords: ["zeppelin"] } : { name, queries: ["nothing of it"], keywords: [] },
    );
    return JSON.stringify({ tools: written });
  };
}

/** A client: `found()` is what its model's search for an airship found, `done` how the writing of words ended. */
function client(enrich) {
  const rounds = [() => calls(call("search_tools", { query: "zeppelin airship" })), () => says("Done.")];
  const { fetch, sent } = scripted(...Array.from({ length: 8 }, () => rounds).flat());
  let resolve;
  const done = new Promise((one) => void (resolve = one));
  const isEnd = ({ isWriting, written, kept, failed }) => !isWriting && written + kept + failed.length > 0;
  const onEvent = (event) => void ((event.type === "problem" || (event.type === "words" && isEnd(event))) && resolve(event));
  const sift = siftFetch({ fetch, enrich, onEvent });
  const found = async () => {
    await (await sift(...posted(APIS.chat, { model: "m", messages: [USER], tools }))).json();
    return sent.at(-1).body.messages.at(-1).content;
  };
  return { found, done };
}

test("requests are searched by words as they come, and each definition is asked for once", async () => {
  const records = new Map();
  const store = {
    getItem: async (key) => records.get(key) ?? null,
    setItem: async (key, value) => void records.set(key, value),
  };
  const asksFor = (asked) => asked.filter((prompt) => prompt.includes(`"name":"${wanted}"`)).length;
  const asked = [];
  const first = client({ model: writer(asked), store });
  assert.doesNotMatch(await first.found(), KNOWN);
  const { error, written, failed, kept } = await first.done;
  assert.deepEqual([error, written + failed.length + kept >= tools.length], [null, true]);
  for (const _ of [1, 2]) assert.match(await first.found(), KNOWN);
  assert.equal(asksFor(asked), 1);
  assert.ok(asked.every((prompt) => !prompt.includes(USER.content)));

  const again = [];
  const second = client({ model: writer(again), store });
  await second.found();
  await second.done;
  assert.equal(asksFor(again), 0);
  assert.match(await second.found(), KNOWN);
});

test("a model that fails, or is none, costs the requests nothing", async () => {
  const failing = () => {
    throw new Error("no credit");
  };
  for (const [model, told] of [
    [failing, /"written":0,.*no credit/],
    [7, /no words are written: options\.enrich\.model is number 7/],
  ]) {
    const { found, done } = client({ model });
    await found();
    assert.match(JSON.stringify(await done), told);
    assert.doesNotMatch(await found(), KNOWN);
  }
});
