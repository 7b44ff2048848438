/** Tests behaviour that is specific to the Responses API. Behaviour common to all APIs is tested in apis.test.mjs. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted, upstream } from "../apis/index.mjs";
import { responsesWire } from "../apis/responses.mjs";
import { eventsIn } from "../apis/vendor.mjs";
import { client, own, search, siftFetch } from "./lib/asking.mjs";
import { definitions } from "./lib/tools.mjs";
import { json } from "./lib/upstream.mjs";

const { responses: api } = APIS;
const done = (id) => ({ type: "function_call_output", call_id: id, output: "it is 42" });
const beside = { calls: [search(), own] };
const typesIn = ({ output }) => output.map(({ type }) => type);
const called = ({ output }) => output.find(({ type }) => type === "function_call").call_id;

for (const stream of [false, true]) {
  const how = stream ? "as a stream" : "whole";

  test(`reasoning goes with what it led to, ${how}`, async () => {
    const { ask, seen, told } = client("responses", [{ calls: [search()] }, { calls: [own] }], { stream });
    const { output } = await ask();
    assert.deepEqual(output, told[1].output);
    assert.deepEqual(seen[1].body.input.slice(1, 3), told[0].output);
  });

  test(`the client goes on from a reply that the vendor keeps, ${how}`, async () => {
    const rounds = [{ text: "Hi." }, { text: "Let me look.", calls: [search()] }, { calls: [own] }, { text: "Done." }];
    const { ask, seen, told } = client("responses", rounds, { stream });
    const { id } = await ask();
    const reply = await ask({ previous_response_id: id, input: "Open an issue" });
    assert.equal(seen[2].body.previous_response_id, told[1].id, "the inner rounds go on from each other");
    assert.deepEqual(
      seen[2].body.input.map(({ type }) => type),
      ["function_call_output"],
    );
    const output = done(called(reply));
    await ask({ previous_response_id: reply.id, input: [output] });
    assert.equal(seen[3].body.previous_response_id, told[2].id, "the vendor's last one, which has the search too");
    assert.deepEqual(seen[3].body.input, [output]);
    assert.ok(seen[3].tools.includes(own.name), "what was found stays found");
  });

  test(`a search beside a real call is answered with the next request, ${how}`, async () => {
    const { ask, seen } = client("responses", [beside, { text: "Done." }, { text: "More." }], { stream });
    const reply = await ask();
    const next = await ask({ previous_response_id: reply.id, input: [done(called(reply))] });
    assert.equal(seen[1].body.input.length, 2);
    await ask({ previous_response_id: next.id, input: "And now?" });
    assert.equal(seen[2].body.input, "And now?", "it was answered once");
  });

  test(`a conversation whose state is lost goes on, and the model searches again, ${how}`, async () => {
    const vendor = responsesWire();
    const rounds = [
      { text: "Let me look.", calls: [search()] },
      { calls: [own] },
      { text: "Done." },
      beside,
      { text: "Again." },
    ];
    const { fetch: post, seen, told } = upstream(vendor, rounds);
    const fetch = async (url, init) => {
      const id = String(url).split("/").at(-1);
      if (init.method !== "POST") return json(told.find((one) => one.id === id) ?? {}, { status: 200 });
      try {
        return await post(url, init);
      } catch (error) {
        return json({ error: { message: error.message } }, { status: error.status });
      }
    };
    /** Each request is one of a proxy of its own. */
    const send = async (more) => {
      const body = api.request({ messages: [api.asks("Please help me")], tools: definitions, stream });
      const response = await siftFetch({ fetch })(...posted(api, { ...body, ...more }));
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return vendor.collect(text, stream);
    };
    // It spoke before it searched: as a stream, the client has the id of the first round.
    const spoken = await send({});
    const next = await send({ previous_response_id: spoken.id, input: [done(called(spoken))] });
    assert.deepEqual(next.texts, ["Done."]);
    if (stream) {
      const { input } = seen.at(-1).body;
      assert.match(input[0].output, /Search again/);
      assert.match(input[1].content, /it is 42/);
    }
    const both = await send({});
    assert.deepEqual(typesIn(both), ["reasoning", "function_call"]);
    const last = await send({ previous_response_id: both.id, input: [done(called(both))] });
    assert.deepEqual([last.texts, seen.at(-1).body.input.length], [["Again."], 2]);
    // What the vendor refuses for another reason stays refused.
    const refused = { ...api.request({ messages: [], tools: definitions, stream }), previous_response_id: both.id };
    assert.equal((await siftFetch({ fetch })(...posted(api, refused))).status, 400);
  });
}

test("without a store, reasoning goes along only with its content", async () => {
  const reasoning = { type: "reasoning", summary: [], encrypted_content: null };
  const rounds = [{ reasoning: false, items: [reasoning], calls: [search()] }, { calls: [own] }];
  const lenient = { ...api, read: (body) => ({ items: body.input }) };
  const { ask, seen } = client("responses", rounds, { api: lenient });
  await ask({ store: false });
  assert.deepEqual(
    seen[1].items.map(({ type }) => type),
    [undefined, "function_call", "function_call_output"],
  );
});

test("tools of the vendor are always sent, and what they do passes", async () => {
  const web = { type: "web_search", search_context_size: "low" };
  const found = { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
  const { ask, one, seen } = client("responses", [{ items: [found], text: "Done." }]);
  const { output } = await ask({ tools: [web, ...one.tools], tool_choice: { type: "function", name: "share_photo" } });
  assert.deepEqual(seen[0].body.tools[0], web);
  assert.deepEqual(output[0], { id: output[0].id, ...found });
});

test("what a response repeats of its request is the client's in every event", async () => {
  const { fetch } = upstream(api, [{ calls: [search()] }, { calls: [own] }]);
  const body = api.request({
    system: "You help.",
    messages: [api.asks("Hi")],
    tools: definitions,
    stream: true,
    demand: "call",
  });
  const text = await (await siftFetch({ fetch })(...posted(api, body))).text();
  const told = eventsIn(text).flatMap(({ data }) => data.response ?? []);
  assert.equal(told.length, 3);
  for (const { tools, tool_choice, instructions, previous_response_id } of told) {
    assert.deepEqual([tools, tool_choice], [body.tools, "required"]);
    assert.deepEqual([instructions, previous_response_id], ["You help.", null]);
  }
});
