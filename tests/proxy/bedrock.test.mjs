/**
 * Do clients of Amazon Bedrock get tool search without knowing of it?
 *
 * 1. Converse: calls of discovery tools are answered inside, whole and as AWS's binary event stream; the client gets its own calls
 * only, summed usage, blocks numbered without gaps, wherever the stream is cut. 2. `invoke-with-response-stream` has Anthropic's
 * events within such frames. 3. Exceptions end a stream as exceptions; frames that are broken, too large or cut are told.
 * 4. Cache points, choices of tools, reasoning with its signature and system blocks stay. 5. What is signed passes as it came, with a
 * word; a request without tools has no calls.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventFrame, frame, frames, framesIn } from "./lib/aws-frames.mjs";
import { entry } from "./lib/built.mjs";
import { asAnthropic, definitions } from "./lib/tools.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const { siftProxy } = await entry("proxy.js");
const tools = definitions().map(({ name, description, schema }) => ({
  toolSpec: { name, description, inputSchema: { json: schema } },
}));
const MODEL = "/model/us.amazon.nova-pro-v1%3A0";
const USAGE = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
const SEARCH = { toolUse: { toolUseId: "s", name: "search_tools", input: { query: "create an issue" } } };
const CALL = { toolUse: { toolUseId: "c", name: "create_issue", input: { issue_id: "1" } } };
const request = (more = {}) => ({
  system: [{ text: "You help." }],
  messages: [{ role: "user", content: [{ text: "Please help me" }] }],
  toolConfig: { tools, ...more.toolConfig },
  ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "toolConfig")),
});
const stopOf = (content) => (content.some(({ toolUse }) => toolUse) ? "tool_use" : "end_turn");
const whole = (content) => ({
  output: { message: { role: "assistant", content } },
  stopReason: stopOf(content),
  usage: USAGE,
  metrics: { latencyMs: 5 },
});

/** A reply as the frames of `converse-stream`. */
function streamed(content) {
  const events = [["messageStart", { role: "assistant" }]];
  for (const [contentBlockIndex, block] of content.entries()) {
    const delta = (one) => events.push(["contentBlockDelta", { contentBlockIndex, delta: one, p: "abc" }]);
    if (block.toolUse) {
      const { input, ...toolUse } = block.toolUse;
      events.push(["contentBlockStart", { contentBlockIndex, start: { toolUse } }]);
      for (const piece of JSON.stringify(input).match(/.{1,5}/gs)) delta({ toolUse: { input: piece } });
    } else if (block.reasoningContent) {
      const { text, signature } = block.reasoningContent.reasoningText;
      delta({ reasoningContent: { text } });
      delta({ reasoningContent: { signature } });
    } else {
      for (const piece of block.text.match(/.{1,3}/gsu)) delta({ text: piece });
    }
    events.push(["contentBlockStop", { contentBlockIndex }]);
  }
  events.push(["messageStop", { stopReason: stopOf(content) }], ["metadata", { usage: USAGE, metrics: { latencyMs: 5 } }]);
  return Buffer.concat(events.map(([type, data]) => eventFrame(type, data)));
}

/** What a strict client accumulates. */
function accumulated(bytes) {
  const events = framesIn(bytes).map(({ headers, payload }) => {
    assert.equal(headers[":message-type"], "event");
    return [headers[":event-type"], payload];
  });
  assert.deepEqual([events[0][0], ...events.slice(-2).map(([type]) => type)], ["messageStart", "messageStop", "metadata"]);
  const blocks = [];
  let open = 0;
  for (const [type, { contentBlockIndex: at, start, delta }] of events) {
    if (!type.startsWith("contentBlock")) continue;
    assert.equal(at, open, "blocks follow each other");
    if (type === "contentBlockStart") blocks[at] = structuredClone(start);
    if (type === "contentBlockStop") open += 1;
    if (delta?.text) blocks[at] = { text: (blocks[at]?.text ?? "") + delta.text };
    if (delta?.toolUse) blocks[at].toolUse.input = (blocks[at].toolUse.input ?? "") + delta.toolUse.input;
    if (delta?.reasoningContent)
      blocks[at] = {
        reasoningContent: { reasoningText: { ...blocks[at]?.reasoningContent?.reasoningText, ...delta.reasoningContent } },
      };
  }
  for (const { toolUse } of blocks) if (toolUse) toolUse.input = JSON.parse(toolUse.input);
  const { stopReason } = events.at(-2)[1];
  return { output: { message: { role: "assistant", content: blocks } }, stopReason, ...events.at(-1)[1] };
}

async function asked(
  isStream,
  rounds,
  { more, size, headers = { authorization: "Bearer bedrock-api-key" }, options = {} } = {},
) {
  const problems = [];
  const replies = rounds.map((one) =>
    one instanceof Response
      ? one
      : isStream
        ? frames(Buffer.isBuffer(one) ? one : streamed(one), { size })
        : json(whole(one)),
  );
  const { fetch, sent } = scripted(...replies);
  const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
  const handler = siftProxy({ upstream: "https://bedrock.example", fetch, onEvent, ...options });
  const url = `http://proxy.local${MODEL}/${isStream ? "converse-stream" : "converse"}`;
  const response = await handler(new Request(url, { method: "POST", headers, body: JSON.stringify(request(more)) }));
  const bytes = Buffer.from(await response.arrayBuffer());
  const reply = () => (isStream ? accumulated(bytes) : JSON.parse(bytes.toString()));
  return { response, bytes, reply, sent, problems };
}
const names = ({ body }) => body.toolConfig.tools.map(({ toolSpec }) => toolSpec?.name);

for (const isStream of [false, true]) {
  const how = isStream ? "as an event stream" : "whole";
  test(`Converse: a search is answered inside, ${how}`, async () => {
    const { reply, sent, response } = await asked(isStream, [
      [{ text: "Let me look." }, SEARCH],
      [{ text: "Found it." }, CALL],
    ]);
    assert.equal(sent[1].url, `https://bedrock.example${MODEL}/${isStream ? "converse-stream" : "converse"}`);
    assert.deepEqual(names(sent[0]), ["search_tools", "add_tool", "show_all_tools"]);
    assert.equal(sent[0].body.system[0].text, "You help.");
    assert.match(sent[0].body.system[1].text, /Finding tools/);
    const [, model, answer] = sent[1].body.messages;
    assert.deepEqual(model, { role: "assistant", content: [{ text: "Let me look." }, SEARCH] });
    assert.deepEqual(
      [answer.role, answer.content[0].toolResult.toolUseId, answer.content[0].toolResult.status],
      ["user", "s", undefined],
    );
    assert.deepEqual(
      sent[1].body.toolConfig.tools.find(({ toolSpec }) => toolSpec.name === "create_issue"),
      tools[0],
    );
    const { output, stopReason, usage, metrics } = reply();
    assert.deepEqual(output.message.content, [{ text: "Let me look." }, { text: "Found it." }, CALL]);
    assert.deepEqual([stopReason, usage.totalTokens, metrics.latencyMs], ["tool_use", 24, 10]);
    assert.ok(Number(response.headers.get("x-toolsift-ms")) >= 0);
  });

  test(`Converse: a search beside a real call is left out; one at the end leaves a reply that has ended, ${how}`, async () => {
    const { reply } = await asked(isStream, [[SEARCH, { ...CALL, toolUse: { ...CALL.toolUse, name: "create_issue" } }]], {
      more: { toolConfig: { toolChoice: { tool: { name: "create_issue" } } } },
    });
    assert.deepEqual(reply().output.message.content, [CALL]);
    const last = await asked(isStream, [[SEARCH], [{ text: "No." }, SEARCH]], { options: { maxRounds: 1 } });
    assert.deepEqual([last.reply().output.message.content, last.reply().stopReason], [[{ text: "No." }], "end_turn"]);
  });

  test(`Converse: a request that is left without tools has no calls, which the API would refuse, ${how}`, async () => {
    const nothing = { toolUse: { ...SEARCH.toolUse, input: { query: "zzzz qqqq" } } };
    const { sent } = await asked(isStream, [[nothing], [{ text: "No." }]], { options: { maxRounds: 1 } });
    assert.equal(sent[1].body.toolConfig, undefined);
    assert.doesNotMatch(sent[1].text, /toolUse|toolResult/);
    assert.match(sent[1].body.messages.at(-1).content[0].text, /No tool/i);
  });

  test(`Converse: reasoning keeps its signature inside, and the client can send its message back, ${how}`, async () => {
    const thought = (text) => ({ reasoningContent: { reasoningText: { text, signature: `sig-${text}` } } });
    const { reply, sent } = await asked(isStream, [
      [thought("a"), SEARCH],
      [thought("b"), CALL],
    ]);
    assert.deepEqual(sent[1].body.messages[1].content[0], thought("a"));
    const { message } = reply().output;
    const result = { role: "user", content: [{ toolResult: { toolUseId: "c", content: [{ text: "done" }] } }] };
    const next = await asked(isStream, [[{ text: "Done." }]], {
      more: { messages: [...request().messages, message, result] },
    });
    assert.deepEqual(next.sent[0].body.messages[1].content, [thought("b"), CALL]);
    assert.ok(names(next.sent[0]).includes("create_issue"), "what was called is there again");
  });
}

test("Converse: a stream comes through whole wherever it is cut, with the padding of its events", async () => {
  for (const size of [1, 7, 64, 1_000]) {
    const { reply, bytes } = await asked(true, [[SEARCH], [{ text: "Fünf 🎉 found." }, CALL]], { size });
    assert.deepEqual(reply().output.message.content, [{ text: "Fünf 🎉 found." }, CALL]);
    assert.ok(framesIn(bytes).some(({ payload }) => payload.p === "abc"));
  }
});

test("Converse: bridge calls become calls of the tool, in pieces as a client reads them", async () => {
  const bridge = {
    toolUse: { toolUseId: "b", name: "tool_call", input: { name: "create_issue", arguments: { issue_id: "1" } } },
  };
  for (const isStream of [false, true]) {
    const { reply } = await asked(isStream, [[{ text: "Hm." }, bridge]], { options: { surface: "constant" } });
    assert.deepEqual(reply().output.message.content[1], {
      toolUse: { ...bridge.toolUse, name: "create_issue", input: { issue_id: "1" } },
    });
  }
});

test("Converse: a cache point stays last, and before JSON that was demanded no other text stands", async () => {
  const cachePoint = { cachePoint: { type: "default" } };
  const { sent } = await asked(false, [[SEARCH], [CALL]], { more: { toolConfig: { tools: [...tools, cachePoint] } } });
  for (const { body } of sent) assert.deepEqual(body.toolConfig.tools.at(-1), cachePoint);
  const outputConfig = { textFormat: { type: "json_schema", structure: {} } };
  for (const isStream of [false, true]) {
    const { reply } = await asked(isStream, [[{ text: "I search." }, SEARCH], [{ text: '{"a":1}' }]], {
      more: { outputConfig },
    });
    assert.deepEqual(reply().output.message.content, [{ text: '{"a":1}' }]);
  }
});

test("exceptions stay exceptions: of the first round, of a later one, and where a later round is refused", async () => {
  const thrown = frame(
    { ":exception-type": "throttlingException", ":content-type": "application/json", ":message-type": "exception" },
    '{"message":"slow down"}',
  );
  const started = eventFrame("messageStart", { role: "assistant" });
  for (const rounds of [[Buffer.concat([started, thrown])], [[SEARCH], Buffer.concat([started, thrown])]]) {
    const last = framesIn((await asked(true, rounds)).bytes).at(-1);
    assert.deepEqual(
      [last.headers[":message-type"], last.headers[":exception-type"], last.payload],
      ["exception", "throttlingException", { message: "slow down" }],
    );
  }
  const refused = framesIn((await asked(true, [[SEARCH], json({ message: "no access" }, { status: 403 })])).bytes);
  assert.deepEqual(
    [refused.at(-1).headers[":exception-type"], refused.at(-1).payload],
    ["internalServerException", { message: "no access" }],
  );
  assert.ok(!refused.some(({ headers }) => headers[":event-type"] === "messageStop"), "nothing looks like success");
  const first = await asked(true, [json({ message: "no" }, { status: 400 })]);
  assert.deepEqual([first.response.status, JSON.parse(first.bytes)], [400, { message: "no" }]);
});

test("frames that are broken, too large or cut end the stream with an exception that says so", async () => {
  const wrong = Buffer.from(streamed([{ text: "Hi" }]));
  wrong[20] ^= 1;
  const large = eventFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "x".repeat(2_000) } }).subarray(
    0,
    100,
  );
  const cut = streamed([{ text: "Hi" }]).subarray(0, -5);
  const tiny = Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.alloc(12)]);
  for (const [bytes, why] of [
    [wrong, /checksum/],
    [large, /more than 1024 bytes, the limit/],
    [cut, /within a frame/],
    [tiny, /cannot be read: \d+ bytes/],
  ]) {
    const { bytes: answer } = await asked(true, [bytes], { options: { maxReplyBytes: 1_024 } });
    const last = framesIn(answer).at(-1);
    assert.equal(last.headers[":message-type"], "exception");
    assert.match(last.payload.message, why);
  }
});

test("headers of every type are read, and events that are new pass", async () => {
  const name = (text, ...rest) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.from(rest)]);
  const more = Buffer.concat([
    name("t", 0),
    name("f", 1),
    name("b", 2, 9),
    name("s", 3, 0, 9),
    name("i", 4, 0, 0, 0, 9),
    name("l", 5, ...Array(8).fill(0)),
    name("y", 6, 0, 2, 1, 2),
    name("d", 8, ...Array(8).fill(0)),
    name("u", 9, ...Array(16).fill(0)),
  ]);
  const odd = frame(
    { ":event-type": "somethingNew", ":message-type": "event", ":content-type": "application/json" },
    '{\n "a": 1\n}',
    { more },
  );
  const { bytes } = await asked(true, [Buffer.concat([odd, streamed([{ text: "Hi" }])])]);
  const [first] = framesIn(bytes);
  assert.deepEqual([first.headers[":event-type"], first.payload], ["somethingNew", { a: 1 }]);
});

test("what is signed passes as it came, with a word", async () => {
  for (const isStream of [false, true]) {
    const { sent, problems, bytes } = await asked(isStream, [[CALL]], {
      headers: { authorization: "AWS4-HMAC-SHA256 Credential=x" },
    });
    assert.equal(sent[0].text, JSON.stringify(request()));
    assert.match(problems[0], /signature holds for its body alone.*API keys/);
    if (isStream) assert.deepEqual(bytes, streamed([CALL]));
  }
});

test("invoke-with-response-stream: Anthropic's events come and go within frames", async () => {
  const event = (data) => eventFrame("chunk", { bytes: Buffer.from(JSON.stringify(data)).toString("base64"), p: "abcd" });
  const call = (id, name, input) =>
    Buffer.concat(
      [
        {
          type: "message_start",
          message: {
            id: "m",
            type: "message",
            role: "assistant",
            content: [],
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        },
        { type: "content_block_start", index: 0, content_block: { type: "tool_use", id, name, input: {} } },
        { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
        { type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 1 } },
      ].map(event),
    );
  const search = call("s", "search_tools", { query: "create an issue" });
  const thrown = frame(
    { ":exception-type": "modelStreamErrorException", ":message-type": "exception" },
    '{"message":"broke","originalStatusCode":500}',
  );
  const ask = async (...replies) => {
    const { fetch, sent } = scripted(...replies);
    const body = {
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 9,
      messages: [{ role: "user", content: "Please help me" }],
      tools: definitions().map(asAnthropic),
    };
    const url = `http://proxy.local/model/us.anthropic.claude-x/invoke-with-response-stream`;
    const response = await siftProxy({ upstream: "https://bedrock.example", fetch })(
      new Request(url, { method: "POST", headers: { authorization: "Bearer key" }, body: JSON.stringify(body) }),
    );
    return { sent, frames: framesIn(await response.arrayBuffer()) };
  };
  const { sent, frames: found } = await ask(
    frames(search, { size: 5 }),
    frames(call("c", "create_issue", { issue_id: "é" })),
  );
  assert.equal(sent.length, 2);
  assert.ok(sent[0].body.tools.length < 5);
  const events = found.map(({ headers, payload }) => [
    headers[":event-type"],
    JSON.parse(Buffer.from(payload.bytes, "base64").toString()),
  ]);
  assert.ok(events.every(([type]) => type === "chunk"));
  assert.deepEqual(
    events.map(([, { type }]) => type),
    ["message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"],
  );
  assert.deepEqual([events[1][1].content_block.name, events[2][1].delta.partial_json], ["create_issue", '{"issue_id":"é"}']);
  const { frames: broken } = await ask(frames(search), frames(thrown));
  assert.deepEqual(
    [broken.at(-1).headers[":exception-type"], broken.at(-1).payload],
    ["modelStreamErrorException", { message: "broke" }],
  );
  const { frames: refused } = await ask(frames(search), json({ message: "Too many" }, { status: 400 }));
  assert.deepEqual(
    [refused.at(-1).headers[":message-type"], refused.at(-1).payload],
    ["exception", { message: "Too many" }],
  );
});
