/**
 * Does a client of Chat Completions get tool search without knowing of it?
 *
 * 1. The upstream is sent the discovery tools and the prompt section; everything else of the request stays byte for byte.
 * 2. Calls of discovery tools are answered by the proxy, and the client gets one message, one id, summed usage, and calls of
 *    its own tools only, whole and streamed.
 * 3. A forced choice of a tool reveals it; strict tools, structured output and parallel calls keep their meaning.
 * 4. A stream flows as soon as it can, and comes through whole wherever it is cut.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { tools } from "./lib/chat.mjs";
import { chunk as chatChunk, DONE, piece } from "./lib/streams.mjs";
import { cutAnywhere, eventsIn, json, posted, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");

const ask = (body) => posted("/v1/chat/completions", body, { authorization: "Bearer key" });
const request = (more = {}) => ({ model: "m", messages: [{ role: "user", content: "Please help me" }], tools, ...more });
const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, prompt_tokens_details: { cached_tokens: 3 } };

const call = (name, args, id = `call_${name}`) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});
const completion = (message, finish_reason = message.tool_calls ? "tool_calls" : "stop", id = "chatcmpl-1") =>
  json({
    id,
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
    usage,
  });
const searching = (content = null) =>
  completion({ content, tool_calls: [call("search_tools", { query: "create an issue" })] });
const calling = (content = null) =>
  completion({ content, tool_calls: [call("create_issue", { issue_id: "1" })] }, "tool_calls", "chatcmpl-2");

const chunk = (delta, finish_reason = null, id = "chatcmpl-1") => chatChunk(delta, finish_reason, { id });
const tail = (id = "chatcmpl-1") => chatChunk({}, null, { id, choices: [], usage }) + DONE;
const streamedSearch = (text = "") =>
  chunk({ role: "assistant", content: "" }) +
  (text ? chunk({ content: text }) : "") +
  chunk(piece(0, "search_tools", "", "call_s")) +
  chunk(piece(0, "", '{"query":"create')) +
  chunk(piece(0, "", ' an issue"}')) +
  chunk({}, "tool_calls") +
  tail();
const streamedCall = (text = "") =>
  chunk({ role: "assistant", content: "" }, null, "chatcmpl-2") +
  (text ? chunk({ content: text }, null, "chatcmpl-2") : "") +
  chunk(piece(0, "create_issue", "", "call_c"), null, "chatcmpl-2") +
  chunk(piece(0, "", '{"issue_id":'), null, "chatcmpl-2") +
  chunk(piece(0, "", '"1"}'), null, "chatcmpl-2") +
  chunk({}, "tool_calls", "chatcmpl-2") +
  tail("chatcmpl-2");
const streamedText = chunk({ role: "assistant", content: "" }) + chunk({ content: "Done." }) + chunk({}, "stop") + tail();

/** What a client accumulates. */
function accumulated(text) {
  const chunks = eventsIn(text).map(({ data }) => data);
  assert.equal(chunks.at(-1), "[DONE]");
  const calls = [];
  let content = "";
  for (const { choices } of chunks.slice(0, -1)) {
    const { delta = {} } = choices[0] ?? {};
    content += delta.content ?? "";
    for (const { index, id, function: made } of delta.tool_calls ?? []) {
      assert.ok(index <= calls.length, "no index is passed over");
      calls[index] ??= { id, name: made.name, arguments: "" };
      calls[index].arguments += made.arguments;
    }
  }
  const all = chunks.slice(0, -1);
  return {
    content,
    calls,
    ids: [...new Set(all.map(({ id }) => id))],
    finish: all.flatMap(({ choices }) => choices[0]?.finish_reason ?? []),
    usage: all.map((one) => one.usage).filter(Boolean),
  };
}

test("usage that comes behind the end, beside a choice that says nothing, is told once and summed", async () => {
  const late = (id) => chatChunk({ role: "assistant", content: "" }, null, { id, usage }) + DONE;
  const begin = (id) => chunk({ role: "assistant", content: "" }, null, id);
  const search =
    begin("r1") +
    chunk(piece(0, "search_tools", '{"query":"create an issue"}', "call_s"), null, "r1") +
    chunk({}, "tool_calls", "r1") +
    late("r1");
  const called =
    begin("r2") +
    chunk(piece(0, "create_issue", "{}", "call_c"), null, "r2") +
    chunk({ role: "assistant", content: "" }, "tool_calls", "r2") +
    late("r2");
  const { fetch } = scripted(sse(search), sse(called));
  const got = accumulated(await (await siftFetch({ fetch })(...ask(request({ stream: true })))).text());
  assert.deepEqual(
    [got.usage.map((one) => one.prompt_tokens), got.finish, got.calls.map(({ name }) => name)],
    [[20], ["tool_calls"], ["create_issue"]],
  );
  const plain = begin("r1") + chunk({ content: "Hi" }, null, "r1") + chunk({}, "stop", "r1") + late("r1");
  assert.equal(
    await (await siftFetch({ fetch: scripted(sse(plain)).fetch })(...ask(request({ stream: true })))).text(),
    plain,
  );
});

test("lists of a vendor's own, such as reasoning_details, are those of all rounds", async () => {
  const said = (text, made) =>
    completion({
      reasoning: text,
      reasoning_details: [{ type: "reasoning.text", text }],
      annotations: null,
      tool_calls: [made],
    });
  const { fetch } = scripted(
    said("one", call("search_tools", { query: "create an issue" })),
    said("two", call("create_issue", {})),
  );
  const { message } = (await (await siftFetch({ fetch })(...ask(request()))).json()).choices[0];
  assert.deepEqual(
    [message.reasoning, message.reasoning_details.map(({ text }) => text), message.tool_calls.length],
    ["one\n\ntwo", ["one", "two"], 1],
  );
});

test("a search is answered inside, and the client is handed the call of its own tool", async () => {
  const { fetch, sent } = scripted(searching(), calling());
  const response = await siftFetch({ fetch })(...ask(request({ seed: 7, tool_choice: "auto" })));
  const reply = await response.json();
  assert.equal(sent.length, 2);
  assert.deepEqual(
    sent[0].body.tools.map((tool) => tool.function.name),
    ["search_tools", "add_tool", "show_all_tools"],
  );
  assert.match(sent[0].body.messages[0].content, /Finding tools/);
  assert.equal(sent[0].headers.get("authorization"), "Bearer key");
  const [found] = sent[1].body.tools.filter((tool) => tool.function.name === "create_issue");
  assert.deepEqual(found, tools[0]);
  const last = sent[1].body.messages.slice(-2);
  assert.deepEqual(
    last.map(({ role }) => role),
    ["assistant", "tool"],
  );
  assert.match(last[1].content, /create_issue/);
  assert.deepEqual(
    reply.choices[0].message.tool_calls.map((one) => one.function.name),
    ["create_issue"],
  );
  assert.equal(reply.choices[0].finish_reason, "tool_calls");
  assert.deepEqual(reply.usage, {
    prompt_tokens: 20,
    completion_tokens: 4,
    total_tokens: 24,
    prompt_tokens_details: { cached_tokens: 6 },
  });
  assert.equal(response.headers.get("x-toolsift-requests"), "2");
  assert.equal(response.headers.get("x-toolsift-tools-full"), "100");
});

test("the same as a stream", async () => {
  const { fetch } = scripted(sse(streamedSearch("Let me look.")), sse(streamedCall("Found it.")));
  const response = await siftFetch({ fetch })(...ask(request({ stream: true })));
  const got = accumulated(await response.text());
  assert.equal(got.content, "Let me look.\n\nFound it.");
  assert.deepEqual(got.calls, [{ id: "call_c", name: "create_issue", arguments: '{"issue_id":"1"}' }]);
  assert.deepEqual(got.ids, ["chatcmpl-1"]);
  assert.deepEqual(got.finish, ["tool_calls"]);
  assert.deepEqual(
    got.usage.map((one) => one.prompt_tokens),
    [20],
  );
});

test("what needs no search comes through byte for byte", async () => {
  const text = streamedText;
  const { fetch, sent } = scripted(sse(text), json({ data: [] }), completion({ content: "Done." }));
  const sift = siftFetch({ fetch });
  assert.equal(await (await sift(...ask(request({ stream: true })))).text(), text);
  assert.deepEqual(await (await sift("https://api.example/v1/models")).json(), { data: [] });
  assert.equal(sent[1].url, "https://api.example/v1/models");
  assert.equal((await (await sift(...ask(request()))).json()).choices[0].message.content, "Done.");
});

test("a recorded stream comes through whole, wherever it is cut", async () => {
  const rounds = [streamedSearch("Größe 日本 🙂."), streamedCall("ok")];
  await cutAnywhere(siftFetch, rounds, (sift) => sift(...ask(request({ stream: true }))));
});
