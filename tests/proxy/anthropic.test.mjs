/**
 * Does a client of the Messages API get tool search without knowing of it?
 *
 * 1. Calls of discovery tools are answered inside; the client gets one message with summed usage and its own calls only.
 * 2. A stream has every block once, numbered without gaps, and comes through whole wherever it is cut.
 * 3. Thinking keeps its signature on the inner rounds, and the client can send its message back.
 * 4. Breakpoints of the prompt cache, tools of the vendor and the system prompt stay.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { MESSAGE_USAGE, messageEvents } from "./lib/streams.mjs";
import { asAnthropic, definitions } from "./lib/tools.mjs";
import { cutAnywhere, eventsIn, json, posted, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const tools = definitions().map(asAnthropic);
const ask = (body) => posted("/v1/messages", body, { "x-api-key": "key" });
const request = (more = {}) => ({
  model: "m",
  max_tokens: 100,
  messages: [{ role: "user", content: "Please help me" }],
  tools,
  ...more,
});
const message = (content, id = "msg_1") =>
  json({
    id,
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: MESSAGE_USAGE,
  });
const SEARCH = { type: "tool_use", id: "toolu_s", name: "search_tools", input: { query: "create an issue" } };
const CALL = { type: "tool_use", id: "toolu_c", name: "create_issue", input: { issue_id: "1" } };
const text = (said) => ({ type: "text", text: said });
const thinking = (said) => ({ type: "thinking", thinking: said, signature: `sig-${said}` });

/** What a strict client accumulates. */
function accumulated(text) {
  const all = eventsIn(text);
  for (const { event, data } of all) assert.equal(event, data.type);
  assert.equal(all[0].data.type, "message_start");
  assert.equal(all.at(-1).data.type, "message_stop");
  const message = structuredClone(all[0].data.message);
  let open;
  for (const { data } of all) {
    if (data.type === "content_block_start") {
      assert.equal(open, undefined);
      assert.equal(data.index, message.content.length);
      open = { ...data.content_block, json: "" };
      message.content.push(open);
    } else if (data.type === "content_block_delta") {
      assert.equal(data.index, message.content.length - 1);
      if (data.delta.type === "text_delta") open.text += data.delta.text;
      if (data.delta.type === "thinking_delta") open.thinking += data.delta.thinking;
      if (data.delta.type === "signature_delta") open.signature = data.delta.signature;
      if (data.delta.type === "input_json_delta") open.json += data.delta.partial_json;
    } else if (data.type === "content_block_stop") {
      if (open.type === "tool_use") open.input = JSON.parse(open.json || "{}");
      delete open.json;
      open = undefined;
    } else if (data.type === "message_delta") {
      message.stop_reason = data.delta.stop_reason;
      Object.assign(message.usage, data.usage);
    }
  }
  return message;
}

/** One request of a client, whole or streamed, of which the upstream answers the rounds. */
async function asked(isStream, rounds, more = {}, options = {}) {
  const replies = rounds.map((content, at) =>
    isStream ? sse(messageEvents(content, `msg_${at + 1}`)) : message(content, `msg_${at + 1}`),
  );
  const { fetch, sent } = scripted(...replies);
  const response = await siftFetch({ fetch, ...options })(
    ...ask(request({ ...more, ...(isStream ? { stream: true } : {}) })),
  );
  const body = await response.text();
  return { sent, response, body, message: isStream ? accumulated(body) : JSON.parse(body) };
}

for (const isStream of [false, true]) {
  const how = isStream ? "as a stream" : "whole";
  test(`a search is answered inside, ${how}`, async () => {
    const { sent, message } = await asked(isStream, [
      [text("Let me look."), SEARCH],
      [text("Found it."), CALL],
    ]);
    assert.deepEqual(
      sent[0].body.tools.map(({ name }) => name),
      ["search_tools", "add_tool", "show_all_tools"],
    );
    assert.match(sent[0].body.system[0].text, /Finding tools/);
    assert.deepEqual(
      sent[1].body.tools.find(({ name }) => name === "create_issue"),
      tools[0],
    );
    assert.deepEqual(sent[1].body.messages.at(-2), { role: "assistant", content: [text("Let me look."), SEARCH] });
    assert.equal(sent[1].body.messages.at(-1).content[0].tool_use_id, "toolu_s");
    assert.deepEqual(message.content, [text("Let me look."), text("Found it."), CALL]);
    assert.equal(message.stop_reason, "tool_use");
    const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = message.usage;
    assert.deepEqual([input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens], [20, 6, 2, 4]);
  });

  test(`a last round without tools tells of the calls before in words, ${how}`, async () => {
    const nothing = { ...SEARCH, input: { query: "zzzz qqqq" } };
    const { sent } = await asked(isStream, [[text("Hm."), nothing], [text("No.")]], {}, { maxRounds: 1 });
    const { tools, messages } = sent[1].body;
    assert.equal(tools, undefined);
    const blocks = messages.slice(1).flatMap(({ content }) => content);
    assert.ok(
      blocks.every(({ type }) => type === "text"),
      "the API refuses calls in a request without tools",
    );
    assert.match(blocks[1].text, /search_tools.*zzzz qqqq/);
    assert.match(blocks[2].text, /No tool/);
  });

  test(`a discovery call beside a real one is left out, and what it found is there the next time, ${how}`, async () => {
    const search = { ...SEARCH, input: { query: "create an issue, list issues" } };
    const replies = [[text("Both."), search, CALL]];
    const history = [
      { role: "user", content: "Please help me" },
      { role: "assistant", content: [text("Earlier"), CALL] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_c", content: "ok" }] },
    ];
    const rounds = [...replies, [text("Done.")]];
    const { fetch, sent } = scripted(
      ...rounds.map((content) => (isStream ? sse(messageEvents(content)) : message(content))),
    );
    const sift = siftFetch({ fetch });
    const first = await (await sift(...ask(request({ messages: history, stream: isStream })))).text();
    const reply = isStream ? accumulated(first) : JSON.parse(first);
    assert.deepEqual(reply.content, [text("Both."), CALL]);
    await (
      await sift(
        ...ask(request({ messages: [...history, { role: "assistant", content: reply.content }], stream: isStream })),
      )
    ).text();
    const names = (at) => sent[at].body.tools.map(({ name }) => name);
    assert.deepEqual(names(0).slice(3), ["create_issue"], "called before");
    assert.ok(names(1).length > 4, "what the search found is kept under the conversation's beginning");
    assert.equal(names(1)[3], "create_issue", "what was revealed keeps its place");
  });

  test(`thinking keeps its signatures inside, and the client's message can be sent back, ${how}`, async () => {
    const rounds = [
      [thinking("one"), text("Look."), SEARCH],
      [thinking("two"), CALL],
    ];
    const { sent, message: reply } = await asked(isStream, rounds, { thinking: { type: "enabled", budget_tokens: 1024 } });
    assert.deepEqual(sent[1].body.messages.at(-2).content[0], thinking("one"));
    assert.deepEqual(
      reply.content.map(({ type }) => type),
      ["thinking", "text", "thinking", "tool_use"],
    );
    const history = [
      { role: "user", content: "Please help me" },
      { role: "assistant", content: reply.content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_c", content: "ok" }] },
    ];
    const { sent: later } = await asked(isStream, [[text("Done.")]], { messages: history });
    assert.deepEqual(later[0].body.messages[1].content, [thinking("two"), CALL], "as the last round that thought said it");
  });
}

test("a stream that needs no search is the upstream's, byte for byte", async () => {
  const { body } = await asked(true, [[thinking("one"), text("Done.")]]);
  assert.equal(body, messageEvents([thinking("one"), text("Done.")]));
});

test("a recorded stream comes through whole, wherever it is cut", async () => {
  const rounds = [
    [thinking("denk 日本"), text("Größe 🙂."), SEARCH],
    [text("ok"), CALL],
  ].map((content) => messageEvents(content));
  await cutAnywhere(siftFetch, rounds, (sift) => sift(...ask(request({ stream: true }))));
});

test("breakpoints, tools of the vendor and the system prompt stay", async () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  const vendors = { type: "web_search_20250305", name: "web_search", max_uses: 2 };
  const marked = tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, cache_control } : tool));
  const system = [{ type: "text", text: "You help.", cache_control: { type: "ephemeral" } }];
  const { sent } = await asked(false, [[text("Done.")]], { tools: [vendors, ...marked], system });
  const { tools: all, system: said } = sent[0].body;
  assert.deepEqual(all[0], vendors);
  assert.deepEqual(
    all.filter((tool) => tool.cache_control !== undefined),
    [{ ...all.at(-1), cache_control }],
  );
  assert.deepEqual(said[0], system[0]);
  assert.match(said[1].text, /Finding tools/);
});

test("a choice that names a tool reveals it, and one that demands a call stays on every round", async () => {
  const named = { type: "tool", name: "share_photo" };
  const { sent } = await asked(false, [[{ ...CALL, name: "share_photo" }]], { tool_choice: named });
  assert.deepEqual(sent[0].body.tool_choice, named);
  assert.ok(sent[0].body.tools.some(({ name }) => name === "share_photo"));
  const { sent: both } = await asked(false, [[SEARCH], [CALL]], { tool_choice: { type: "any" } });
  assert.deepEqual(
    both.map(({ body }) => body.tool_choice),
    [{ type: "any" }, { type: "any" }],
  );
});

const { siftProxy } = await entry("proxy.js");
/** One request to another host of the same API. */
async function elsewhere(path, more, replies, { authorization = "Bearer key" } = {}) {
  const problems = [];
  const { fetch, sent } = scripted(...replies);
  const handler = siftProxy({
    upstream: "https://api.example",
    fetch,
    onEvent: ({ type, message: said }) => type === "problem" && problems.push(said),
  });
  const { model: _, ...body } = request(more);
  const response = await handler(
    new Request(`http://proxy.local${path}`, { method: "POST", headers: { authorization }, body: JSON.stringify(body) }),
  );
  return { sent, problems, body: await response.text() };
}

test("Vertex AI's paths get tool search, plain, streamed and counted", async () => {
  const base = "/v1/projects/p/locations/us-east5/publishers/anthropic/models";
  const anthropic_version = "vertex-2023-10-16";
  const plain = await elsewhere(`${base}/claude-sonnet-4-5@20250929:rawPredict`, { anthropic_version }, [
    message([SEARCH]),
    message([CALL]),
  ]);
  assert.deepEqual(JSON.parse(plain.body).content, [CALL]);
  assert.equal(plain.sent[1].url, `https://api.example${base}/claude-sonnet-4-5@20250929:rawPredict`);
  const streamed = await elsewhere(`${base}/claude-x:streamRawPredict`, { anthropic_version, stream: true }, [
    sse(messageEvents([SEARCH])),
    sse(messageEvents([CALL])),
  ]);
  assert.match(streamed.body, /"name":"create_issue"/);
  assert.doesNotMatch(streamed.body, /search_tools/);
  const counted = await elsewhere(`${base}/count-tokens:rawPredict`, { anthropic_version }, [json({ input_tokens: 7 })]);
  assert.deepEqual([counted.sent[0].body.tools.length, counted.body], [3, '{"input_tokens":7}']);
});

test("a request that AWS's clients have signed passes through as it came, with a word", async () => {
  const { sent, problems } = await elsewhere("/v1/messages", {}, [message([CALL])], {
    authorization: "AWS4-HMAC-SHA256 Credential=x",
  });
  assert.equal(sent[0].body.tools.length, tools.length);
  assert.match(problems[0], /signature/);
});
