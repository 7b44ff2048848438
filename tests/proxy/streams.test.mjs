/**
 * Do streams flow as they should, however many there are?
 *
 * 1. What cannot be a discovery call flows at once, before the upstream's reply is over.
 * 2. A slow reader holds the upstream back; nothing is read ahead of it.
 * 3. A thousand streams at once come through whole, in bounded memory.
 * 4. A stream that breaks off, or tells of an error, ends as it did.
 * 5. Vendors that number, end or cut their chunks in their own way are read.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { asAnthropic, asChat, asGoogle, asResponses, definitions } from "./lib/tools.mjs";
import { eventsIn, json, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const tools = definitions().map(asChat);
const ask = (more = {}) => [
  "https://api.example/v1/chat/completions",
  {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "Please help me" }],
      tools,
      stream: true,
      ...more,
    }),
  },
];
const encoder = new TextEncoder();
const chunk = (delta, finish_reason = null, more = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
const piece = (index, id, name, args) => ({
  tool_calls: [
    {
      ...(index === undefined ? {} : { index }),
      ...(id ? { id, type: "function" } : {}),
      function: { ...(name ? { name } : {}), arguments: args },
    },
  ],
});
const SEARCH =
  chunk(piece(0, "s", "search_tools", '{"query":"create an issue"}')) + chunk({}, "tool_calls") + "data: [DONE]\n\n";
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
  say(chunk(piece(0, "c1", "create_issue", "")));
  assert.match(await read(), /"name":"create_issue"/);
  say(chunk(piece(0, "", "", '{"a"')));
  assert.match(await read(), /\{\\"a\\"/);
  say(chunk(piece(0, "", "", ":1}")) + chunk({}, "tool_calls") + "data: [DONE]\n\n");
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
    const response = await siftFetch({ fetch })(`https://api.example${path}`, {
      method: "POST",
      body: JSON.stringify({ ...request, stream: true }),
    });
    assert.equal(response.status, 200);
    const reader = response.body.getReader();
    controller.enqueue(encoder.encode(": PROCESSING\n\n"));
    assert.equal(new TextDecoder().decode((await reader.read()).value), ": PROCESSING\n\n", path);
    await reader.cancel();
  }
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  const start = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{}}}\n\n';
  const { fetch } = scripted(sse(start + ping));
  assert.equal(
    await (
      await siftFetch({ fetch })("https://api.example/v1/messages", {
        method: "POST",
        body: JSON.stringify({ ...about["/v1/messages"], stream: true }),
      })
    ).text(),
    start + ping,
  );
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

test("a thousand streams at once come through whole, in bounded memory", async () => {
  const rounds = 1;
  const pieces = 12;
  const answer =
    Array.from({ length: pieces }, (_, at) => chunk({ content: `word${at} ` })).join("") +
    chunk({}, "stop") +
    "data: [DONE]\n\n";
  let open = 0;
  const fetch = async (_, { body }) => {
    open += 1;
    return sse(JSON.parse(body).messages.some(({ role }) => role === "tool") ? answer : SEARCH, { size: 600 });
  };
  const sift = siftFetch({ fetch });
  const expected = Array.from({ length: pieces }, (_, at) => `word${at} `).join("");
  await (await sift(...ask())).text();
  global.gc?.();
  const before = process.memoryUsage().rss;
  for (let round = 0; round < rounds; round++) {
    const responses = await Promise.all(Array.from({ length: 1_000 }, () => sift(...ask())));
    const texts = await Promise.all(responses.map((response) => response.text()));
    for (const text of texts) assert.equal(accumulated(text).content, expected);
  }
  const grown = (process.memoryUsage().rss - before) / 1_048_576;
  assert.equal(open, 2 + rounds * 2_000);
  assert.ok(grown < 600, `memory has grown by ${Math.round(grown)} MiB`);
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

test("what is no stream is read as a whole reply", async () => {
  const reply = {
    id: "c",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          tool_calls: [{ id: "s", type: "function", function: { name: "search_tools", arguments: '{"query":"issue"}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  };
  const done = { id: "c", choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] };
  const { fetch, sent } = scripted(json(reply), json(done));
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
    [
      chunk({ role: "assistant", ...whole }, "tool_calls") + "data: [DONE]\n\n",
      chunk({ content: "Done." }, "stop") + "data: [DONE]\n\n",
    ],
    [
      (chunk(piece(undefined, "s", "search_tools", '{"query":"create an issue"}')) + chunk({}, "tool_calls")).replaceAll(
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
    chunk(piece(0, "a", "search_tools", '{"query":"create an issue"}')) +
    chunk(piece(1, "b", "share_photo", '{"x":')) +
    chunk(piece(1, "", "", "1}")) +
    chunk(piece(2, "c", "add_tool", '{"tool_names":["list_recipe"]}')) +
    chunk(piece(3, "d", "delete_branch", "{}")) +
    chunk({}, "tool_calls") +
    "data: [DONE]\n\n";
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
  const second = rest.map((delta) => chunk(delta)).join("") + chunk({}, "stop") + "data: [DONE]\n\n";
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
  const answer = chunk({ content: '{"a"' }) + chunk({ content: ":1}" }) + chunk({}, "stop") + "data: [DONE]\n\n";
  assert.equal((await got(scripted(sse(prose), sse(answer)), format)).content, '{"a":1}');
  assert.equal((await got(scripted(sse(prose), sse(answer)))).content, 'Let me look.\n\n{"a":1}');
});

/** The first round of each API, which says something and searches; what ends a reply; and a request for it. */
const events = (list) => list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join("");
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
const RESPONSE = { id: "r", object: "response", status: "in_progress", output: [] };
const APIS = {
  chat: {
    path: "/v1/chat/completions",
    body: { messages: [{ role: "user", content: "Please help me" }], tools },
    first: chunk({ content: "Let me look." }) + SEARCH,
    end: /"finish_reason":"(stop|tool_calls)"|\[DONE\]/,
  },
  messages: {
    path: "/v1/messages",
    body: {
      max_tokens: 100,
      messages: [{ role: "user", content: "Please help me" }],
      tools: definitions().map(asAnthropic),
    },
    first: events([
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me look." } },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "s", name: "search_tools", input: {} },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"query":"issue"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ]),
    end: /message_stop|message_delta/,
  },
  responses: {
    path: "/v1/responses",
    body: { input: "Please help me", tools: definitions().map(asResponses) },
    first: events([
      { type: "response.created", sequence_number: 0, response: RESPONSE },
      {
        type: "response.output_item.added",
        sequence_number: 1,
        output_index: 0,
        item: { ...SAID, status: "in_progress", content: [] },
      },
      {
        type: "response.output_text.delta",
        sequence_number: 2,
        output_index: 0,
        content_index: 0,
        item_id: "m",
        delta: "Let me look.",
        logprobs: [],
      },
      { type: "response.output_item.done", sequence_number: 3, output_index: 0, item: SAID },
      {
        type: "response.output_item.added",
        sequence_number: 4,
        output_index: 1,
        item: { ...CALL, arguments: "", status: "in_progress" },
      },
      { type: "response.output_item.done", sequence_number: 5, output_index: 1, item: CALL },
      {
        type: "response.completed",
        sequence_number: 6,
        response: { ...RESPONSE, status: "completed", output: [SAID, CALL] },
      },
    ]),
    end: /response\.completed|search_tools/,
    // The item says it once more.
    said: /"delta":"[^"]*Let me look\./g,
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

for (const [api, { path, body, first, end, said = /Let me look\./g }] of Object.entries(APIS)) {
  const asked = (fetch) =>
    siftFetch({ fetch })(`https://api.example${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", stream: true, ...body }),
    });
  const busy = () =>
    json({ error: { message: "slow down", type: "rate_limit_error" } }, { status: 429, headers: { "retry-after": "0" } });

  test(`${api}: a round that stays refused is one error, and looks like no success`, async () => {
    const { fetch, sent } = scripted(sse(first), busy, busy, busy);
    const text = await (await asked(fetch)).text();
    assert.match(text, /Let me look\./);
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
