/** Tests behaviour that is specific to the Messages API. Behaviour common to all APIs is tested in apis.test.mjs. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, streamOf, whole, written } from "../apis/index.mjs";
import { client, own, search, siftProxy } from "./lib/asking.mjs";
import { definitions } from "./lib/tools.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const { messages: api } = APIS;
const typesIn = (content) => content.map(({ type }) => type);

for (const stream of [false, true]) {
  test(`a client that thinks can send its message back, ${stream ? "as a stream" : "whole"}`, async () => {
    const rounds = [
      { thinking: "one", text: "Look.", calls: [search()] },
      { thinking: "two", calls: [own] },
      { text: "Done." },
    ];
    const { ask, one, seen, told } = client("messages", rounds, { stream });
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const { content } = await ask({ thinking });
    assert.deepEqual(typesIn(content), ["thinking", "text", "thinking", "tool_use"]);
    assert.deepEqual(seen[1].body.messages.at(-2).content[0], told[0].content[0], "inside, as it was signed");
    const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: content.at(-1).id, content: "ok" }] };
    await ask({ thinking, messages: [...one.messages, { role: "assistant", content }, answer] });
    assert.deepEqual(seen[2].body.messages[1].content, told[1].content, "as the last round that thought said it");
  });
}

test("a last round without tools tells of the calls before in words", async () => {
  const { ask, seen } = client("messages", [{ text: "Hm.", calls: [search("zzzz qqqq")] }, { text: "No." }], {
    maxRounds: 1,
  });
  await ask();
  const [, called, answered] = seen[1].body.messages.slice(1).flatMap(({ content }) => content);
  assert.match(called.text, /search_tools.*zzzz qqqq/);
  assert.match(answered.text, /No tool/);
});

test("breakpoints, tools of the vendor and the system prompt stay", async () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  const web = { type: "web_search_20250305", name: "web_search", max_uses: 2 };
  const system = [{ type: "text", text: "You help.", cache_control: { type: "ephemeral" } }];
  const { ask, one, seen } = client("messages", [{ text: "Done." }]);
  await ask({ tools: [web, ...one.tools.slice(0, -1), { ...one.tools.at(-1), cache_control }], system });
  const { tools, system: said } = seen[0].body;
  assert.deepEqual(tools[0], web);
  assert.deepEqual(
    tools.filter((tool) => tool.cache_control !== undefined),
    [{ ...tools.at(-1), cache_control }],
  );
  assert.deepEqual(said[0], system[0]);
  assert.match(said[1].text, /Finding tools/);
});

/** One request to another host of the same API, where the path names the model. */
async function elsewhere(path, stream, authorization = "Bearer key") {
  const problems = [];
  const sent = api.request({ messages: [api.asks("Hi")], tools: definitions, stream });
  const answers = [{ calls: [search()] }, { calls: [own] }].map(
    (reply) => () => (stream ? streamOf(written(api, reply).join("")) : json(whole(api, reply))),
  );
  const upstream = scripted(...answers);
  const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
  const handler = siftProxy({ upstream: "https://api.example", fetch: upstream.fetch, onEvent });
  const about = { method: "POST", headers: { authorization }, body: JSON.stringify({ ...sent, model: undefined }) };
  const response = await handler(new Request(`http://proxy.local${path}`, about));
  return { sent: upstream.sent, problems, text: await response.text() };
}

test("Vertex AI's paths get tool search, plain, streamed and counted", async () => {
  const base = "/v1/projects/p/locations/us-east5/publishers/anthropic/models";
  const plain = await elsewhere(`${base}/claude-sonnet-4-5@20250929:rawPredict`, false);
  assert.deepEqual(api.collect(plain.text, false).calls, [own]);
  assert.equal(plain.sent[1].url, `https://api.example${base}/claude-sonnet-4-5@20250929:rawPredict`);
  const streamed = await elsewhere(`${base}/claude-x:streamRawPredict`, true);
  assert.deepEqual(api.collect(streamed.text, true).calls, [own]);
  const counted = await elsewhere(`${base}/count-tokens:rawPredict`, false);
  assert.deepEqual([counted.sent.length, counted.sent[0].body.tools.length], [1, 3]);
});

test("a request that AWS's clients have signed passes through as it came, with a word", async () => {
  const { sent, problems } = await elsewhere("/v1/messages", false, "AWS4-HMAC-SHA256 Credential=x");
  assert.equal(sent[0].body.tools.length, definitions.length);
  assert.match(problems[0], /signature/);
});
