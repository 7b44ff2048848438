/**
 * Does a client of the Responses API get tool search without knowing of it?
 *
 * 1. Calls of discovery tools are answered inside; the client gets one response with summed usage and its own calls only.
 * 2. A stream has every item once, with indexes and sequence numbers without gaps, and comes through whole wherever it is cut.
 * 3. Reasoning goes with what it led to, inside and for the client.
 * 4. Where the vendor keeps the conversation, the inner rounds go on from each other, and so does the client's next request.
 * 5. Structured output, tools of the vendor, and the client's instructions stay as they are.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { responseEvents, responseOf } from "./lib/streams.mjs";
import { asResponses, definitions } from "./lib/tools.mjs";
import { cutAnywhere, eventsIn, json, posted, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const tools = definitions().map(asResponses);
const ask = (body) => posted("/v1/responses", body, { authorization: "Bearer key" });
const request = (more = {}) => ({ model: "m", input: "Please help me", tools, ...more });
const call = (name, args, id) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name,
  arguments: JSON.stringify(args),
  status: "completed",
});
const SEARCH = call("search_tools", { query: "create an issue" }, "s");
const CALL = call("create_issue", { issue_id: "1" }, "c");
const said = (text, id = "m") => ({
  type: "message",
  id: `msg_${id}`,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const reasoning = (id) => ({
  type: "reasoning",
  id: `rs_${id}`,
  summary: [{ type: "summary_text", text: `thought ${id}` }],
  encrypted_content: `enc-${id}`,
});
/** What a strict client accumulates. */
function accumulated(text) {
  const all = eventsIn(text);
  for (const { event, data } of all) assert.equal(event, data.type);
  assert.deepEqual(
    all.map(({ data }) => data.sequence_number),
    all.map((_, at) => at),
  );
  assert.deepEqual([all[0].data.type, all.at(-1).data.type], ["response.created", "response.completed"]);
  const items = [];
  for (const { data } of all) {
    if (data.type === "response.output_item.added") {
      assert.equal(data.output_index, items.length);
      items.push({ id: data.item.id, text: "" });
    } else if (data.output_index !== undefined) {
      assert.ok(data.output_index < items.length);
      if (data.item_id !== undefined) assert.equal(items[data.output_index].id, data.item_id);
      if (data.type === "response.output_item.done") items[data.output_index] = data.item;
    }
  }
  const { response } = all.at(-1).data;
  assert.deepEqual(response.output, items);
  const ids = all.flatMap(({ data }) => data.response?.id ?? []);
  assert.equal(new Set(ids).size, 1, "one id");
  return response;
}

/** A client whose upstream answers with these outputs, one after the other. */
function client(isStream, rounds, options = {}) {
  const replies = rounds.map((output, at) =>
    isStream ? sse(responseEvents(output, `resp_${at + 1}`)) : json(responseOf(output, `resp_${at + 1}`)),
  );
  const { fetch, sent } = scripted(...replies);
  const sift = siftFetch({ fetch, ...options });
  const send = async (more = {}) => {
    const response = await sift(...ask(request({ ...more, ...(isStream ? { stream: true } : {}) })));
    const body = await response.text();
    return isStream ? accumulated(body) : JSON.parse(body);
  };
  return { send, sent };
}
const names = ({ body }) => body.tools.map(({ name }) => name);

for (const isStream of [false, true]) {
  const how = isStream ? "as a stream" : "whole";
  test(`a call through a bridge is one of the tool to the end, ${how}`, async () => {
    const bridge = call("tool_call", { name: "create_issue", arguments: { issue_id: "1" } }, "c");
    const { send } = client(isStream, [[said("Hm."), bridge]], { surface: "constant" });
    const [, { name, arguments: args }] = (await send()).output;
    assert.deepEqual([name, JSON.parse(args)], ["create_issue", { issue_id: "1" }]);
  });

  test(`a search is answered inside, ${how}`, async () => {
    const { send, sent } = client(isStream, [
      [reasoning(1), SEARCH],
      [reasoning(2), CALL],
    ]);
    const reply = await send({ instructions: "You help." });
    assert.deepEqual(names(sent[0]), ["search_tools", "add_tool", "show_all_tools"]);
    assert.match(sent[0].body.instructions, /^You help\.\n\n[^]*Finding tools/);
    assert.equal(sent[0].body.input, "Please help me");
    assert.deepEqual(
      sent[1].body.tools.find(({ name }) => name === "create_issue"),
      tools[0],
    );
    assert.deepEqual(sent[1].body.input.slice(0, 3), [{ role: "user", content: "Please help me" }, reasoning(1), SEARCH]);
    assert.equal(sent[1].body.input[3].type, "function_call_output");
    assert.deepEqual(reply.output, [reasoning(2), CALL], "reasoning goes with what it led to");
    assert.equal(reply.instructions, "You help.");
    assert.deepEqual([reply.usage.input_tokens, reply.usage.input_tokens_details.cached_tokens], [20, 6]);
    assert.equal(reply.id, "resp_2");
  });

  test(`the client goes on from a reply that the vendor keeps, ${how}`, async () => {
    const { send, sent } = client(isStream, [[said("Let me look."), SEARCH], [CALL], [said("Done.")]]);
    const reply = await send({ previous_response_id: "resp_0" });
    assert.equal(sent[1].body.previous_response_id, "resp_1");
    assert.deepEqual(
      sent[1].body.input.map(({ type }) => type),
      ["function_call_output"],
    );
    assert.deepEqual(
      reply.output.map(({ type }) => type),
      ["message", "function_call"],
    );
    const output = { type: "function_call_output", call_id: "call_c", output: "ok" };
    await send({ previous_response_id: reply.id, input: [output] });
    assert.equal(sent[2].body.previous_response_id, "resp_2", "the vendor's last one, which has the search too");
    assert.deepEqual(sent[2].body.input, [output]);
    assert.ok(names(sent[2]).includes("create_issue"), "what was found stays found");
  });

  test(`a search beside a real call is answered with the next request, ${how}`, async () => {
    const { send, sent } = client(isStream, [[SEARCH, CALL], [said("Done.")], [said("More.")]]);
    const reply = await send();
    assert.deepEqual(reply.output, [CALL]);
    const output = { type: "function_call_output", call_id: "call_c", output: "ok" };
    const next = await send({ previous_response_id: reply.id, input: [output] });
    assert.deepEqual(
      sent[1].body.input.map(({ call_id }) => call_id),
      ["call_s", "call_c"],
    );
    await send({ previous_response_id: next.id, input: "And now?" });
    assert.equal(sent[2].body.input, "And now?", "it was answered once");
  });

  test(`structured output has no other text before it, ${how}`, async () => {
    const text = { format: { type: "json_schema", name: "answer", schema: { type: "object" } } };
    const { send, sent } = client(isStream, [[said("Let me look.", 1), SEARCH], [said('{"a":1}', 2)]]);
    const reply = await send({ text });
    assert.deepEqual(reply.output, [said('{"a":1}', 2)]);
    assert.deepEqual(sent[1].body.text, text);
  });
}

test("a conversation whose state is lost goes on, and the model searches again", async () => {
  const answers = ["function_call_output", "custom_tool_call_output"];
  for (const [stream, answerType] of [
    [false, answers[0]],
    [true, answers[0]],
    [true, answers[1]],
  ]) {
    const kept = new Map();
    const outputs = [
      [said("Let me look."), SEARCH],
      [CALL],
      [SEARCH, CALL],
      [said("Done.")],
      [said("Again.")],
      [said("More.")],
    ];
    const sent = [];
    // A vendor that wants each call of the reply before answered, and no other.
    const fetch = async (url, { method, body }) => {
      const path = new URL(url).pathname;
      if (method !== "POST")
        return kept.has(path.split("/").at(-1))
          ? json(kept.get(path.split("/").at(-1)))
          : json({ error: {} }, { status: 404 });
      const asked = JSON.parse(body);
      sent.push(asked);
      const input = typeof asked.input === "string" ? [] : asked.input;
      const open = (asked.previous_response_id === undefined ? input : kept.get(asked.previous_response_id).output).flatMap(
        (item) => (item.type === "function_call" ? item.call_id : []),
      );
      const answered = input.flatMap((item) => (answers.includes(item.type) ? item.call_id : []));
      if (String([...open].sort()) !== String([...answered].sort()))
        return json({ error: { message: `open ${open}, answered ${answered}` } }, { status: 400 });
      const id = `resp_${sent.length}`;
      kept.set(id, responseOf(outputs.shift(), id));
      return stream ? sse(responseEvents(kept.get(id).output, id)) : json(kept.get(id));
    };
    const restarted = () => siftFetch({ fetch });
    const send = async (more) => {
      const response = await restarted()(...ask(request({ stream, ...more })));
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return stream ? accumulated(text) : JSON.parse(text);
    };
    const output = { type: answerType, call_id: "call_c", output: "it is 42" };
    // It spoke before it searched: as a stream, the client has the id of the first round.
    const spoken = await send({});
    outputs.shift();
    if (stream) {
      const next = await send({ previous_response_id: spoken.id, input: [output] });
      assert.deepEqual(next.output, [said("Done.")]);
      assert.deepEqual(
        sent.at(-1).input.map(({ type, role }) => type ?? role),
        ["function_call_output", "user"],
      );
      assert.match(sent.at(-1).input[0].output, /Search again/);
      assert.match(sent.at(-1).input[1].content, /it is 42/);
    } else {
      assert.deepEqual((await send({ previous_response_id: spoken.id, input: [output] })).output, [said("Done.")]);
    }
    // It searched beside a call of the client's.
    outputs.unshift([SEARCH, CALL]);
    const beside = await send({});
    assert.deepEqual(beside.output, [CALL]);
    assert.deepEqual((await send({ previous_response_id: beside.id, input: [output] })).output, [said("Again.")]);
    assert.deepEqual(
      sent.at(-1).input.map(({ call_id }) => call_id),
      ["call_s", "call_c"],
    );
    // What the vendor refuses for another reason stays refused.
    const response = await restarted()(...ask(request({ stream, previous_response_id: beside.id, input: [] })));
    assert.equal(response.status, 400);
  }
});

test("without a store, reasoning goes along only with its content", async () => {
  const bare = { ...reasoning(1), encrypted_content: null };
  const { send, sent } = client(false, [[bare, SEARCH], [CALL]]);
  await send({ store: false });
  assert.deepEqual(
    sent[1].body.input.map(({ type }) => type),
    [undefined, "function_call", "function_call_output"],
  );
});

test("tools of the vendor are always sent, and what they do passes", async () => {
  const web = { type: "web_search", search_context_size: "low" };
  const found = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } };
  const { send, sent } = client(false, [[found, said("Done.")]]);
  const reply = await send({ tools: [web, ...tools], tool_choice: { type: "function", name: "share_photo" } });
  assert.deepEqual(sent[0].body.tools[0], web);
  assert.ok(names(sent[0]).includes("share_photo"));
  assert.deepEqual(reply.output[0], found);
});

test("a recorded stream comes through whole, wherever it is cut", async () => {
  const rounds = [
    [reasoning(1), said("Größe 🙂 日本."), SEARCH],
    [reasoning(2), CALL],
  ].map((output, at) => responseEvents(output, `resp_${at}`));
  const whole = await cutAnywhere(siftFetch, rounds, (sift) => sift(...ask(request({ stream: true }))));
  accumulated(whole);
});

test("what a response repeats of its request is the client's, not what was sent", async () => {
  const repeats = {
    tools: [{ type: "function", name: "search_tools" }],
    tool_choice: "auto",
    instructions: "sent upstream",
    previous_response_id: "resp_inner",
  };
  const own = { tools, tool_choice: "required", instructions: null, previous_response_id: null };
  const steps = [responseOf([SEARCH], "resp_1", repeats), responseOf([CALL], "resp_2", repeats)];
  const { fetch } = scripted(...steps.map((one) => json(one)), json(responseOf([said("Done.")], "resp_3", repeats)));
  const sift = siftFetch({ fetch });
  for (const _ of ["searches", "does not"]) {
    const got = await (await sift(...ask(request({ tool_choice: "required" })))).json();
    for (const [key, value] of Object.entries(own)) assert.deepEqual(got[key], value, key);
  }
  const stream = (output, id) =>
    responseEvents(output, id).replaceAll('"instructions":"sent upstream"', JSON.stringify(repeats).slice(1, -1));
  const streamed = siftFetch({ fetch: scripted(sse(stream([SEARCH], "resp_1")), sse(stream([CALL], "resp_2"))).fetch });
  const told = eventsIn(await (await streamed(...ask(request({ tool_choice: "required", stream: true })))).text());
  const responses = told.flatMap(({ data }) => data.response ?? []);
  assert.equal(responses.length, 3);
  for (const response of responses)
    for (const [key, value] of Object.entries(own)) assert.deepEqual(response[key], value, key);
});
