/**
 * Tests that clients of every API get tool search without any change.
 *
 * A case has the replies of the API, round by round, and the expected results. Each case is played over every API, whole and
 * streamed. In all cases:
 * 1. The client gets all texts, only its own calls, and the tokens of all rounds.
 * 2. Its prompt, key, tool choice and tools are sent unchanged, and tools are only appended.
 * 3. A stream gives the same result wherever it is cut into pieces.
 * 4. Without a search, the bytes are those of the upstream.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted, streamOf, upstream, written } from "../apis/index.mjs";
import { definitions } from "./lib/tools.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const { siftFetch, siftProxy } = await import("toolsift/proxy");

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];
const search = (query = "create an issue") => ({ name: "search_tools", args: { query } });
const own = { name: "create_issue", args: { issue_id: "é" } };
const photo = { name: "share_photo", args: {} };
const wrapped = { name: "call_destructive_tool", args: { name: own.name, arguments: own.args } };

/** `has`: what each request has behind the discovery tools, its first ones; false for a request without tools. */
const CASES = {
  "a search is answered inside": {
    rounds: [
      { text: "Let me look.", calls: [search()] },
      { text: "Größe 🙂.", calls: [own] },
    ],
    has: [[], [own.name]],
  },
  "thoughts go with what they led to": {
    thinks: true,
    rounds: [
      { thinking: "denk 日本", calls: [search()] },
      { thinking: "two", calls: [own] },
    ],
  },
  "a search beside a real call is left out": {
    rounds: [{ text: "Both.", calls: [search(), own] }],
    before: [own],
    has: [[own.name]],
  },
  "searches at once are answered together, and an early call with the schema": {
    rounds: [{ calls: [search(), search("rename a photo")] }, { calls: [photo] }, { text: "Done." }],
    has: [[], [own.name], [own.name]],
    answers: { 1: [/create_issue/, /rename_photo/], 2: [/photo_id/] },
  },
  "a search in the last round leaves a reply that has ended": {
    maxRounds: 1,
    rounds: [{ calls: [search()] }, { text: "No.", calls: [search()] }],
    calls: [],
  },
  "without tools nothing is said of their calls": {
    ...{ maxRounds: 1, demand: "free" },
    rounds: [{ calls: [search("zzzz qqqq")] }, { text: "No." }],
    has: [[], false],
  },
  "a demand for a call holds on every round": { demand: "call", rounds: [{ calls: [search()] }, { calls: [own] }] },
  "before JSON that was demanded no other text stands": {
    json: true,
    rounds: [{ text: "I search.", calls: [search()] }, { text: '{"a":1}' }],
    texts: ['{"a":1}'],
  },
  "a call through a tool of the constant surface is one of the tool": {
    surface: "constant",
    rounds: [{ text: "Hm.", calls: [wrapped] }],
    calls: [own],
  },
  "a choice that names a tool reveals it": { choose: photo.name, rounds: [{ calls: [photo] }], has: [[photo.name]] },
  "what was called before is there": { before: [photo], rounds: [{ text: "Done." }], has: [[photo.name]] },
};

/** Lengths of the pieces that a stream comes in. */
const LENGTHS = [1, 7, 61, 331];

/** The body of a request for a case. */
const bodyOf = (api, { before = [], ...more } = {}) => {
  const calls = before.map((call, at) => ({ id: `old_${at}`, text: "done", ...call }));
  const messages = [api.asks("Please help me"), ...calls.flatMap((call) => api.step([call]))];
  return api.request({ system: "You help.", messages, tools: definitions, ...more });
};
const toolsIn = ({ tools = [] }) => tools.flatMap((tool) => tool.functionDeclarations ?? tool);
const choiceIn = ({ tool_choice, toolConfig }) => tool_choice ?? toolConfig;
const sum = (list) => list.reduce((total, one) => total + one, 0);

for (const [name, api] of Object.entries(APIS)) {
  for (const stream of [false, true]) {
    for (const [title, { rounds, has = [], answers = {}, texts, calls, surface, maxRounds, ...more }] of Object.entries(
      CASES,
    )) {
      test(`${name}: ${title}, ${stream ? "as a stream" : "whole"}`, async () => {
        const body = bodyOf(api, { stream, ...more });
        const ask = async (size) => {
          const { fetch, seen, told } = upstream(api, rounds, size);
          const response = await siftFetch({ fetch, sift: { ...(surface && { surface }) }, maxRounds })(
            ...posted(api, body, stream),
          );
          return { response, bytes: await response.text(), seen, told };
        };
        const { response, bytes, seen, told } = await ask();
        const reply = api.collect(bytes, stream);
        const all = texts ?? told.flatMap((one) => one.texts);
        assert.deepEqual(reply.texts, api.joins && all.length > 1 ? [all.join("\n\n")] : all);
        const made = calls ?? (rounds.at(-1).calls ?? []).filter((call) => !DISCOVERY.includes(call.name));
        assert.deepEqual(reply.calls, made);
        assert.equal(reply.tokens, sum(told.map(({ tokens }) => tokens)), "the tokens of all rounds");
        if (!stream) assert.equal(response.headers.get("x-toolsift-requests"), `${rounds.length}`);
        assert.equal(response.headers.get("x-toolsift-tools-full"), "100");
        assert.match(seen[0].system, surface ? /^You help\./ : /^You help\.\n\n[^]*Finding tools/);
        const before = toolsIn(body);
        for (const [at, one] of seen.entries()) {
          assert.equal(one.headers.authorization, "Bearer key");
          if (has[at] === false) assert.deepEqual([one.tools, choiceIn(one.body)], [[], undefined]);
          else assert.deepEqual(choiceIn(one.body), choiceIn(body));
          const mine = toolsIn(one.body).filter((tool) => before.some((other) => api.nameOf(other) === api.nameOf(tool)));
          for (const tool of mine) assert.ok(before.some((other) => JSON.stringify(other) === JSON.stringify(tool)));
          if (has[at]) assert.deepEqual(one.tools.slice(DISCOVERY.length, DISCOVERY.length + has[at].length), has[at]);
          if (at > 0 && !maxRounds)
            assert.deepEqual(one.tools.slice(0, seen[at - 1].tools.length), seen[at - 1].tools, "only appended");
          for (const [nth, answer] of (answers[at] ?? []).entries()) assert.match(one.answers[nth], answer);
        }
        const isUntouched = told.length === 1 && reply.calls.length === told[0].calls.length && !surface;
        // A response repeats its request: the client's, and not what was sent.
        if (isUntouched && name !== "responses") assert.ok(bytes === told[0].bytes, "as it came");
        if (name === "responses") assert.deepEqual([reply.tools, reply.instructions], [body.tools, "You help."]);
        for (const size of stream ? LENGTHS : []) {
          const cut = api.collect((await ask(size)).bytes, true);
          assert.deepEqual([cut.texts, cut.calls], [reply.texts, reply.calls], `cut every ${size} bytes`);
        }
      });
    }
  }
}

/** How the clients of each API are told of an error within a stream, and of one instead of a reply. */
const ERRORS = {
  chat: [/^data: \{"error":\{"message":"the upstream's/, ({ error }) => error.code],
  responses: [/^event: error\ndata: \{"type":"error",.*"the upstream's/, ({ error }) => error.code],
  messages: [
    /^event: error\ndata: \{"type":"error","error":\{.*"the upstream's/,
    ({ type, error }) => type === "error" && /^\w+/.exec(error.message.split("(").at(-1))[0],
  ],
  gemini: [/^data: \{"error":\{.*"the upstream's/, ({ error }) => error.code === 502 && "upstream_unreachable"],
};

for (const [name, api] of Object.entries(APIS)) {
  const streamed = bodyOf(api, { stream: true });
  const asked = async (fetch, options) => (await siftFetch({ fetch, ...options })(...posted(api, streamed, true))).text();
  const searches = () => streamOf(written(api, { text: "Let me look.", calls: [search()] }).join(""));
  const busy = () => json({ error: { message: "slow down" } }, { status: 429, headers: { "retry-after": "0" } });
  const [inStream, codeOf] = ERRORS[name];

  test(`${name}: a stream that ends in the middle of a call ends with an error, not as an empty success`, async () => {
    for (const call of [search(), own]) {
      const events = written(api, { calls: [call] });
      const sent = events.slice(0, events.findIndex((event) => event.includes(call.name)) + 1).join("");
      const text = await asked(async () => streamOf(sent));
      assert.match(text.trimEnd().split("\n\n").at(-1), inStream);
    }
  });

  test(`${name}: a round that stays refused is one error, and looks like no success`, async () => {
    const { fetch, sent } = scripted(searches, busy, busy, busy);
    const text = await asked(fetch);
    assert.match(text, /Let/);
    assert.equal(text.match(/slow down/g)?.length, 1, text);
    assert.throws(() => api.collect(text, true));
    assert.doesNotMatch(text, /search_tools|"finish_reason":"|DONE|message_stop|response\.completed|STOP/);
    assert.equal(sent.length, 4, "the round is asked again twice");
  });

  test(`${name}: a round that is refused for now is asked again, and a long pause is the client's to take`, async () => {
    const later = () => json({}, { status: 503, headers: { "retry-after": "3600" } });
    const { fetch, sent } = scripted(searches, busy, searches, later);
    assert.equal((await asked(fetch)).match(/"(text|content|delta)":"[^"]*Let/g)?.length >= 2, true);
    assert.equal(sent.length, 4);
    assert.equal(sent[2].text, sent[1].text);
  });

  test(`${name}: headers, and what keeps the connection alive, come at once, while the model only searches`, async () => {
    let controller;
    const body = new ReadableStream({ start: (one) => void (controller = one) });
    const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
    const response = await siftFetch({ fetch })(...posted(api, streamed, true));
    assert.equal(response.status, 200);
    const reader = response.body.getReader();
    controller.enqueue(Buffer.from(": PROCESSING\n\n"));
    assert.equal(Buffer.from((await reader.read()).value).toString(), ": PROCESSING\n\n");
    await reader.cancel();
  });

  test(`${name}: an upstream that cannot be reached is told in the vendor's form`, async () => {
    const fetch = () => Promise.reject(new TypeError("connect ECONNREFUSED 10.0.0.1"));
    const handler = siftProxy({ upstream: "https://api.example", fetch });
    const response = await handler(new Request(...posted(api, bodyOf(api))));
    const text = await response.text();
    assert.deepEqual([response.status, codeOf(JSON.parse(text))], [502, "upstream_unreachable"]);
    assert.doesNotMatch(text, /10\.0\.0\.1/);
  });

  if (api.counts === undefined) continue;
  test(`${name}: who asks how many tokens a request has is told of what will be sent`, async () => {
    for (const within of name === "gemini" ? [[], ["generateContentRequest"]] : [[]]) {
      const events = [];
      const { fetch, sent } = scripted(json({}, { status: 400 }), json({ input_tokens: 7 }), json({ input_tokens: 9 }));
      const sift = siftFetch({ fetch, onEvent: ({ type }) => events.push(type) });
      const counts = { url: () => api.counts };
      await sift(...posted(api, bodyOf(api)));
      const response = await sift(
        ...posted(
          counts,
          within.reduce((body, key) => ({ [key]: body, other: 1 }), bodyOf(api)),
        ),
      );
      assert.deepEqual(await response.json(), { input_tokens: 7 });
      assert.ok(sent[1].url.endsWith(api.counts));
      const counted = within.reduce((body, key) => body[key], sent[1].body);
      assert.deepEqual(counted, sent[0].body, "the same as will be sent");
      assert.deepEqual(events, ["request"], "nothing was asked of a model");
      await sift(...posted(counts, { model: "m", tools: [] }));
      assert.deepEqual(sent[2].body, { model: "m", tools: [] });
    }
  });
}
