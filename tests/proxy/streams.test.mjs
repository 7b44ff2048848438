/**
 * Do streams flow as they should, however many there are?
 *
 * 1. What cannot be a discovery call flows at once, before the upstream's reply is over.
 * 2. A slow reader holds the upstream back; nothing is read ahead of it.
 * 3. Hundreds of streams at once come through whole, in bounded memory.
 * 4. A stream that breaks off, or tells of an error, ends as it did.
 * 5. Vendors that number, end or cut their chunks in their own way are read.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { entry } from "./lib/built.mjs";
import { calls as calling, call, says, tools, USER } from "./lib/chat.mjs";
import { chunk, DONE, messageEvents, piece, responseEvents } from "./lib/streams.mjs";
import { asAnthropic, asGoogle, asResponses, definitions } from "./lib/tools.mjs";
import { eventsIn, json, posted, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const ask = (more = {}) => posted("/v1/chat/completions", { model: "m", messages: [USER], tools, stream: true, ...more });
const encoder = new TextEncoder();
const SEARCH = chunk(piece(0, "search_tools", '{"query":"create an issue"}', "s")) + chunk({}, "tool_calls") + DONE;
const stream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

/** Content, calls and reasons that a client accumulates. */
function accumulated(text) {
  const all = eventsIn(text).map(({ data }) => data);
  const calls = [];
  for (const { choices = [] } of all) {
    for (const one of choices[0]?.delta?.tool_calls ?? []) {
      calls[one.index] ??= { id: one.id, name: one.function.name, args: "" };
      calls[one.index].args += one.function.arguments;
    }
  }
  const content = all.map((one) => one.choices?.[0]?.delta?.content ?? "").join("");
  return { content, calls, reasons: all.flatMap((one) => one.choices?.[0]?.finish_reason ?? []), last: all.at(-1) };
}
const got = async (upstream, more) => accumulated(await (await siftFetch({ fetch: upstream.fetch })(...ask(more))).text());

test("texts and the client's own calls flow before the reply is over", async () => {
  let controller;
  const body = new ReadableStream({ start: (one) => void (controller = one) });
  const { fetch } = scripted(sse(SEARCH), stream(body));
  const asked = siftFetch({ fetch })(...ask());
  const say = (text) => controller.enqueue(encoder.encode(text));
  say(chunk({ role: "assistant", content: "" }) + chunk({ content: "Fo" }));
  const reader = (await asked).body.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  assert.match(await read(), /"content":"Fo"/);
  say(chunk({ content: "und" }));
  assert.match(await read(), /"content":"und"/);
  say(chunk(piece(0, "create_issue", "", "c1")));
  assert.match(await read(), /"name":"create_issue"/);
  say(chunk(piece(0, "", '{"a"')));
  assert.match(await read(), /\{\\"a\\"/);
  say(chunk(piece(0, "", ":1}")) + chunk({}, "tool_calls") + DONE);
  controller.close();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    rest += new TextDecoder().decode(value);
  }
  assert.match(rest, /"finish_reason":"tool_calls"[^]*\[DONE\]/);
});

test("headers, and what keeps the connection alive, come at once, while the model only searches", {
  timeout: 10_000,
}, async () => {
  const about = {
    "/v1/chat/completions": { messages: [], tools },
    "/v1/messages": { messages: [], tools: definitions().map(asAnthropic) },
    "/v1/responses": { input: "Hi", tools: definitions().map(asResponses) },
    "/v1beta/models/m:streamGenerateContent?alt=sse": {
      contents: [],
      tools: [{ functionDeclarations: definitions().map(asGoogle) }],
    },
  };
  for (const [path, request] of Object.entries(about)) {
    let controller;
    const { fetch } = scripted(stream(new ReadableStream({ start: (one) => void (controller = one) })));
    const response = await siftFetch({ fetch })(...posted(path, { ...request, stream: true }));
    assert.equal(response.status, 200);
    const reader = response.body.getReader();
    controller.enqueue(encoder.encode(": PROCESSING\n\n"));
    assert.equal(new TextDecoder().decode((await reader.read()).value), ": PROCESSING\n\n", path);
    await reader.cancel();
  }
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  const start = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{}}}\n\n';
  const { fetch } = scripted(sse(start + ping));
  const request = { ...about["/v1/messages"], stream: true };
  assert.equal(await (await siftFetch({ fetch })(...posted("/v1/messages", request))).text(), start + ping);
});

test("a slow reader holds the upstream back", async () => {
  let produced = 0;
  const body = new ReadableStream(
    { pull: (one) => (++produced > 5_000 ? one.close() : one.enqueue(encoder.encode(chunk({ content: "more " })))) },
    { highWaterMark: 0 },
  );
  const { fetch } = scripted(stream(body));
  const reader = (await siftFetch({ fetch })(...ask())).body.getReader();
  for (let nth = 0; nth < 10; nth++) await reader.read();
  await new Promise((done) => setTimeout(done, 50));
  assert.ok(produced <= 12, `${produced} chunks were read for 10`);
  await reader.cancel();
});

test("hundreds of streams at once come through whole, in bounded memory", async () => {
  const count = isFull ? 1_000 : 250;
  const said = Array.from({ length: 12 }, (_, at) => `word${at} `);
  const answer = said.map((content) => chunk({ content })).join("") + chunk({}, "stop") + DONE;
  let open = 0;
  const fetch = async (_, { body }) => {
    open += 1;
    return sse(JSON.parse(body).messages.some(({ role }) => role === "tool") ? answer : SEARCH, { size: 600 });
  };
  const sift = siftFetch({ fetch });
  await (await sift(...ask())).text();
  global.gc?.();
  const before = process.memoryUsage().rss;
  const responses = await Promise.all(Array.from({ length: count }, () => sift(...ask())));
  for (const text of await Promise.all(responses.map((response) => response.text()))) {
    assert.equal(accumulated(text).content, said.join(""));
  }
  const grown = (process.memoryUsage().rss - before) / 1_048_576;
  assert.equal(open, 2 + 2 * count);
  assert.ok(grown < 100 + count / 2, `memory has grown by ${Math.round(grown)} MiB`);
});

test("a stream that breaks off, or tells of an error, ends as it did", async () => {
  const text = chunk({ role: "assistant", content: "" }) + chunk({ content: "Hal" });
  assert.equal(await (await siftFetch({ fetch: scripted(sse(text)).fetch })(...ask())).text(), text, "broken off");
  const error = `data: {"error":{"message":"overloaded","code":529}}\n\n`;
  assert.equal(await (await siftFetch({ fetch: scripted(sse(text + error)).fetch })(...ask())).text(), text + error);
  let nth = 0;
  const dying = new ReadableStream(
    { pull: (one) => (nth++ === 0 ? one.enqueue(encoder.encode(text)) : one.error(new Error("socket"))) },
    { highWaterMark: 0 },
  );
  const told = await (await siftFetch({ fetch: scripted(stream(dying)).fetch })(...ask())).text();
  assert.ok(told.startsWith(text));
  assert.match(told, /"error":\{"message":"the upstream's stream broke off/);
});

const SEARCHED = { query: "create an issue" };
/** Of each API a request, what the upstream sends until the connection ends in a call, and how its clients are told of an error. */
const CUT = {
  "Chat Completions": {
    asked: ask(),
    sent: chunk({ role: "assistant", content: "" }) + chunk(piece(0, "search_tools", '{"query":"crea', "s")),
    told: /^data: \{"error":\{"message":"the upstream's stream broke off/,
  },
  "Chat Completions, a call of the client's own": {
    asked: ask(),
    sent: chunk({ role: "assistant", content: "" }) + chunk(piece(0, "create_issue", '{"issue', "s")),
    told: /^data: \{"error":\{"message":"the upstream's stream broke off/,
  },
  Messages: {
    asked: posted("/v1/messages", {
      ...{ model: "m", max_tokens: 100, stream: true, messages: [USER], tools: definitions().map(asAnthropic) },
    }),
    sent: halfOf(messageEvents([{ type: "tool_use", id: "s", name: "search_tools", input: SEARCHED }]), "input_json_delta"),
    told: /^event: error\ndata: \{"type":"error","error":\{.*"the upstream's stream broke off/,
  },
  Responses: {
    asked: posted("/v1/responses", { model: "m", stream: true, input: "hi", tools: definitions().map(asResponses) }),
    sent: halfOf(
      responseEvents([
        {
          type: "function_call",
          id: "fc_1",
          call_id: "s",
          name: "search_tools",
          arguments: JSON.stringify(SEARCHED),
          status: "completed",
        },
      ]),
      "response.output_item.done",
    ),
    told: /^event: error\ndata: \{"type":"error",.*"the upstream's stream broke off/,
  },
  Gemini: {
    asked: posted("/v1beta/models/m:streamGenerateContent?alt=sse", {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      tools: [{ functionDeclarations: definitions().map(asGoogle) }],
    }),
    sent: `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ functionCall: { name: "search_tools", args: SEARCHED } }] } }] })}\n\n`,
    told: /^data: \{"error":\{.*"the upstream's stream broke off/,
  },
};

/** The events before the first one that says `mark`. */
function halfOf(text, mark) {
  return text.slice(0, text.lastIndexOf("event: ", text.indexOf(mark)));
}

for (const [api, { asked, sent, told }] of Object.entries(CUT)) {
  test(`a stream that ends in the middle of a call ends with an error, not as an empty success: ${api}`, async () => {
    const { fetch } = scripted(sse(sent));
    const text = await (await siftFetch({ fetch })(...asked)).text();
    const last = text.trimEnd().split("\n\n").at(-1);
    assert.match(last, told);
  });
}

test("what is no stream is read as a whole reply", async () => {
  const { fetch, sent } = scripted(calling(call("search_tools", { query: "issue" })), says("Done."));
  const response = await siftFetch({ fetch })(...ask());
  assert.equal((await response.json()).choices[0].message.content, "Done.");
  assert.equal(sent.length, 2);
});

test("vendors that number and end their chunks in their own way are read", async () => {
  const whole = {
    tool_calls: [
      { index: 0, id: "s", type: "function", function: { name: "search_tools", arguments: '{"query":"create an issue"}' } },
    ],
  };
  // The whole call and the end in one chunk; indexes missing; usage in the last chunk with a choice; comments and \r\n.
  const rounds = [
    [chunk({ role: "assistant", ...whole }, "tool_calls") + DONE, chunk({ content: "Done." }, "stop") + DONE],
    [
      (chunk(piece(undefined, "search_tools", '{"query":"create an issue"}', "s")) + chunk({}, "tool_calls")).replaceAll(
        "\n",
        "\r\n",
      ),
      (": keep-alive\n\n" + chunk({ content: "Done." }) + chunk({}, "stop", { usage: { total_tokens: 3 } })).replaceAll(
        "\n",
        "\r\n",
      ),
    ],
  ];
  for (const texts of rounds) {
    const { content, calls, reasons } = await got(scripted(...texts.map((text) => sse(text))));
    assert.deepEqual([content, calls, reasons], ["Done.", [], ["stop"]]);
  }
});

test("parallel calls are renumbered, whatever stands between them", async () => {
  const mixed =
    chunk(piece(0, "search_tools", '{"query":"create an issue"}', "a")) +
    chunk(piece(1, "share_photo", '{"x":', "b")) +
    chunk(piece(1, "", "1}")) +
    chunk(piece(2, "add_tool", '{"tool_names":["list_recipe"]}', "c")) +
    chunk(piece(3, "delete_branch", "{}", "d")) +
    chunk({}, "tool_calls") +
    DONE;
  const used = (name) => [
    { role: "assistant", content: null, tool_calls: [{ id: name, type: "function", function: { name, arguments: "{}" } }] },
    { role: "tool", tool_call_id: name, content: "ok" },
  ];
  const messages = [{ role: "user", content: "Go" }, ...used("share_photo"), ...used("delete_branch")];
  const { calls, reasons } = await got(scripted(sse(mixed)), { messages });
  assert.deepEqual(calls, [
    { id: "b", name: "share_photo", args: '{"x":1}' },
    { id: "d", name: "delete_branch", args: "{}" },
  ]);
  assert.deepEqual(reasons, ["tool_calls"]);
});

test("what only one vendor's chunks say comes through in every round", async () => {
  const details = (text) => ({ reasoning_details: [{ type: "reasoning.text", text }] });
  const first = chunk({ role: "assistant", content: "" }) + chunk(details("look")) + SEARCH;
  const annotation = { annotations: [{ type: "url_citation", url_citation: { url: "https://a.example" } }] };
  const image = { images: [{ type: "image_url", image_url: { url: "data:," } }] };
  const audio = { audio: { id: "a", data: "AAAA" } };
  const rest = [details("done"), { content: "Here." }, annotation, image, audio];
  const second = rest.map((delta) => chunk(delta)).join("") + chunk({}, "stop") + DONE;
  const { fetch } = scripted(sse(first), sse(second));
  const text = await (await siftFetch({ fetch })(...ask())).text();
  const deltas = eventsIn(text).flatMap(({ data }) => data.choices?.[0]?.delta ?? []);
  for (const said of [details("look"), ...rest]) {
    const [[key, value]] = Object.entries(said);
    assert.ok(
      deltas.some((delta) => JSON.stringify(delta[key]) === JSON.stringify(value)),
      `${key}: ${text}`,
    );
  }
});

test("structured output begins with itself", async () => {
  const format = { response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } } };
  const prose = chunk({ content: "Let me " }) + chunk({ content: "look." }) + SEARCH;
  const answer = chunk({ content: '{"a"' }) + chunk({ content: ":1}" }) + chunk({}, "stop") + DONE;
  assert.equal((await got(scripted(sse(prose), sse(answer)), format)).content, '{"a":1}');
  assert.equal((await got(scripted(sse(prose), sse(answer)))).content, 'Let me look.\n\n{"a":1}');
});

const CALL = {
  type: "function_call",
  id: "fc",
  call_id: "s",
  name: "search_tools",
  arguments: '{"query":"issue"}',
  status: "completed",
};
const SAID = {
  type: "message",
  id: "m",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Let me look.", annotations: [] }],
};
const BRIDGED = { name: "tool_call", args: { name: "create_issue", arguments: { issue_id: "1" } } };
const WHOLE = JSON.stringify(BRIDGED.args.arguments);

for (const [api, path, body, events, pieces] of [
  [
    "messages",
    "/v1/messages",
    { max_tokens: 100, messages: [USER], tools: definitions().map(asAnthropic) },
    messageEvents([{ type: "tool_use", id: "b", name: BRIDGED.name, input: BRIDGED.args }]),
    [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "b", name: "create_issue", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: WHOLE } },
      { type: "content_block_stop", index: 0 },
    ],
  ],
  [
    "responses",
    "/v1/responses",
    { input: "Please help me", tools: definitions().map(asResponses) },
    responseEvents([{ ...CALL, name: BRIDGED.name, arguments: JSON.stringify(BRIDGED.args) }], "r"),
    [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...CALL, name: "create_issue", arguments: "", status: "in_progress" },
      },
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc", delta: WHOLE },
      {
        type: "response.function_call_arguments.done",
        output_index: 0,
        item_id: "fc",
        name: "create_issue",
        arguments: WHOLE,
      },
      { type: "response.output_item.done", output_index: 0, item: { ...CALL, name: "create_issue", arguments: WHOLE } },
    ],
  ],
]) {
  test(`${api}: a call through a bridge comes as one of the tool, in pieces`, async () => {
    const { fetch } = scripted(sse(events));
    const response = await siftFetch({ fetch, surface: "constant" })(...posted(path, { model: "m", stream: true, ...body }));
    const all = eventsIn(await response.text()).map(({ data: { sequence_number: _, ...data } }) => data);
    const types = new Set(pieces.map(({ type }) => type));
    assert.deepEqual(
      all.filter(({ type }) => types.has(type)),
      pieces,
    );
  });
}

/** The first round of each API, which says something and searches; what ends a reply; and a request for it. */
const APIS = {
  chat: {
    path: "/v1/chat/completions",
    body: { messages: [USER], tools },
    first: chunk({ content: "Let me look." }) + SEARCH,
    end: /"finish_reason":"(stop|tool_calls)"|\[DONE\]/,
  },
  messages: {
    path: "/v1/messages",
    body: { max_tokens: 100, messages: [USER], tools: definitions().map(asAnthropic) },
    first: messageEvents([
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "s", name: "search_tools", input: { query: "issue" } },
    ]),
    end: /message_stop|message_delta/,
  },
  responses: {
    path: "/v1/responses",
    body: { input: "Please help me", tools: definitions().map(asResponses) },
    first: responseEvents([SAID, CALL], "r"),
    end: /response\.completed|search_tools/,
    // The item says it once more.
    said: /"delta":"[^"]*Let/g,
  },
  gemini: {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: {
      contents: [{ role: "user", parts: [{ text: "Please help me" }] }],
      tools: [{ functionDeclarations: definitions().map(asGoogle) }],
    },
    first: [
      { content: { role: "model", parts: [{ text: "Let me look." }] } },
      {
        content: { role: "model", parts: [{ functionCall: { id: "s", name: "search_tools", args: { query: "issue" } } }] },
        finishReason: "STOP",
      },
    ]
      .map((candidate) => `data: ${JSON.stringify({ candidates: [{ index: 0, ...candidate }] })}\n\n`)
      .join(""),
    end: /STOP|search_tools/,
  },
};

for (const [api, { path, body, first, end, said = /Let/g }] of Object.entries(APIS)) {
  const asked = (fetch) => siftFetch({ fetch })(...posted(path, { model: "m", stream: true, ...body }));
  const busy = () =>
    json({ error: { message: "slow down", type: "rate_limit_error" } }, { status: 429, headers: { "retry-after": "0" } });

  test(`${api}: a round that stays refused is one error, and looks like no success`, async () => {
    const { fetch, sent } = scripted(sse(first), busy, busy, busy);
    const text = await (await asked(fetch)).text();
    assert.match(text, /Let/);
    assert.equal(text.match(/slow down/g)?.length, 1, text);
    assert.doesNotMatch(text, end);
    assert.equal(sent.length, 4, "the round is asked again twice");
  });

  test(`${api}: a round that is refused for now is asked again, and a long pause is the client's to take`, async () => {
    const { fetch, sent } = scripted(sse(first), busy, sse(first), () =>
      json({}, { status: 503, headers: { "retry-after": "3600" } }),
    );
    const text = await (await asked(fetch)).text();
    assert.equal(text.match(said)?.length, 2, text);
    assert.equal(sent.length, 4);
    assert.equal(sent[2].text, sent[1].text);
  });
}

test("a client that goes between two rounds ends the next one too", async () => {
  let answer;
  const second = new Promise((resolve) => void (answer = resolve));
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    return asked === 1 ? stream(chunk({ content: "Let me see." }) + SEARCH) : second;
  };
  const reader = (await siftFetch({ fetch })(...ask())).body.getReader();
  await reader.read();
  void reader.read();
  while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  void reader.cancel();
  answer(stream(body));
  for (let turns = 0; turns < 100 && !isCancelled; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(isCancelled, "the second round's body is still open");
});
