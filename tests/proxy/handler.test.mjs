/** Tests that the proxy's handler is safe with any client and any upstream. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { APIS, streamOf } from "../apis/index.mjs";
import { siftFetch, siftProxy } from "./lib/asking.mjs";
import { chunk, says, searching, tools, USER } from "./lib/chat.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const CHAT = APIS.chat.url();
const AT = `https://api.example${CHAT}`;
const body = (more = {}) => JSON.stringify({ model: "m", messages: [USER], tools, ...more });
const post = (path, text, headers = {}) =>
  new Request(`http://proxy.local${path}`, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", authorization: "Bearer sk-secret", ...headers },
  });
const done = () => says("Done.");
const proxy = (options, ...steps) => {
  const { fetch, sent } = scripted(...steps);
  return { sent, handler: siftProxy({ upstream: "https://api.example", fetch, ...options }) };
};

test("every path goes to the upstream, and nowhere else", async () => {
  for (const path of ["/v1/models?limit=2", "//evil.example/v1/models", "/@evil.example/x", "/v1/files/a%2F..%2Fb"]) {
    const { handler, sent } = proxy({}, json({ ok: true }));
    assert.deepEqual(await (await handler(new Request(`http://proxy.local${path}`))).json(), { ok: true });
    assert.equal(sent[0].url, `https://api.example${path}`);
  }
  const { handler, sent } = proxy({ upstream: "https://api.example/base/v1", basePath: "/api/model" }, json({}), json({}));
  for (const path of ["models", "base/v1/models"]) await handler(new Request(`http://proxy.local/api/model/${path}`));
  for (const { url } of sent) assert.equal(url, "https://api.example/base/v1/models");
});

test("APIs that the proxy takes no part in, bodies without tools and what cannot be read come through byte for byte", async () => {
  for (const [path, text] of [
    ...["/model/m/converse", "/model/m/invoke", "/api/chat", "/v1/embeddings"].map((path) => [path, body()]),
    ...[
      '{"model":"m","messages":[],"tools":[],"seed":12345678901234567890,"x":1.0}',
      '{"tools":[{"a":1}',
      '{"tools":1}',
      '{"tools":[],"tools":[]}',
      "no json",
    ].map((text) => [CHAT, text]),
  ]) {
    const { handler, sent } = proxy({}, new Response(new Uint8Array([0, 1, 255])));
    const response = await handler(post(path, text, { authorization: "AWS4-HMAC-SHA256 Credential=x" }));
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0, 1, 255]);
    assert.deepEqual([sent[0].text, sent[0].headers.get("authorization")], [text, "AWS4-HMAC-SHA256 Credential=x"]);
  }
  const replies = [
    '{"choices":[{"message":{"tool_calls":"none"}}]}',
    '{"choices":[1]}',
    '{"choices":"none"}',
    '{"id" : 1.0}',
    "[]",
  ];
  for (const text of replies) {
    const { handler } = proxy({}, new Response(text, { headers: { "content-type": "application/json" } }));
    assert.equal(await (await handler(post(CHAT, body()))).text(), text);
  }
});

test("other fields of a request stay as they are written", async () => {
  const text = `{ "seed": 12345678901234567890, "temperature": 1.0,\n "messages": [{"role":"user","content":"hi \\u00e9"}], "tools": ${JSON.stringify(tools)}, "metadata": {"a" : 1e400} }`;
  const { handler, sent } = proxy({}, done());
  await handler(post(CHAT, text));
  const rest = sent[0].text
    .replace(/"tools": \[.*\], "metadata"/s, '"tools": [], "metadata"')
    .replace(/"messages": \[\{"role":"system".*?\},\{"role":"user"/s, '"messages": [{"role":"user"');
  assert.equal(rest, text.replace(JSON.stringify(tools), "[]"));
});

test("headers of one connection, and of the proxy, go no further", async () => {
  const told = { "content-length": "999", "x-request-id": "r1", connection: "x-odd", "x-odd": "1", "set-cookie": "a=b" };
  const { handler, sent } = proxy({}, () => json({ choices: [] }, { headers: told }));
  const asked = { connection: "close, x-odd", "x-odd": "2", te: "trailers", "proxy-authorization": "Basic x" };
  const response = await handler(post(CHAT, body(), { ...asked, "x-toolsift-session": "s1", "openai-organization": "org" }));
  const { headers } = sent[0];
  for (const name of [...Object.keys(asked), "x-toolsift-session", "host", "content-length"])
    assert.equal(headers.get(name), null, name);
  assert.equal(headers.get("openai-organization"), "org");
  for (const name of ["content-length", "x-odd", "connection"]) assert.equal(response.headers.get(name), null, name);
  assert.deepEqual([response.headers.get("x-request-id"), response.headers.get("set-cookie")], ["r1", "a=b"]);
});

test("what the upstream refuses comes through as it is, in any round, and nothing is asked again", async () => {
  const text = '{"error":{"message":"slow down"}}';
  const headers = { "retry-after": "7", "content-type": "application/json" };
  const refused = () => new Response(text, { status: 429, headers });
  for (const [stream, ...steps] of [
    [false, refused],
    [false, searching, refused],
    [true, refused],
  ]) {
    const { handler, sent } = proxy({}, ...steps);
    const response = await handler(post(CHAT, body({ stream })));
    assert.deepEqual([response.status, response.headers.get("retry-after"), await response.text()], [429, "7", text]);
    assert.equal(sent.length, steps.length);
  }
});

test("a fetch of the program gets addresses as text, for requests that pass, too", async () => {
  for (const [text, headers] of [
    [body(), {}],
    ["no json", {}],
    [body(), { authorization: "AWS4-HMAC-SHA256 Credential=x" }],
  ]) {
    const asked = [];
    const fetch = async (url) => (asked.push(url), done());
    await siftProxy({ upstream: "https://api.example", fetch })(post(CHAT, text, headers));
    assert.deepEqual(asked, [`https://api.example${CHAT}`]);
  }
});

test("the time of a request begins when it arrives, not when its body was read", async () => {
  const events = [];
  const { handler } = proxy({ onEvent: (event) => events.push(event) }, done());
  let ended;
  const slow = new ReadableStream({
    async pull(one) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      one.enqueue(Buffer.from(body()));
      one.close();
      ended = Date.now();
    },
  });
  await handler(new Request(`http://proxy.local${CHAT}`, { method: "POST", body: slow, duplex: "half" }));
  assert.ok(events.find(({ type }) => type === "request").startTime < ended);
});

test("bodies, replies and rounds are bounded", async () => {
  const large = proxy({ maxBodyBytes: 2_000 });
  const refused = await large.handler(post(CHAT, body()));
  assert.equal(refused.status, 413);
  assert.match((await refused.json()).error.message, /the request's body has more than 2000 bytes, the limit/);
  assert.equal(large.sent.length, 0);

  const reply = proxy({ maxReplyBytes: 2_000 }, says("x".repeat(3_000)));
  const cut = await reply.handler(post(CHAT, body()));
  assert.deepEqual([cut.status, (await cut.json()).error.code], [502, "limit_out_of_range"]);
  const talk = streamOf(chunk({ content: "word " }).repeat(50), 100);
  const streamed = await proxy({ maxReplyBytes: 2_000 }, talk).handler(post(CHAT, body({ stream: true })));
  assert.match(await streamed.text(), /"error":\{"message":"the upstream's stream has more than 2000 bytes, the limit/);

  const endless = proxy({ maxRounds: 3 }, ...Array.from({ length: 10 }, () => searching));
  const { finish_reason, message } = (await (await endless.handler(post(CHAT, body()))).json()).choices[0];
  assert.equal(endless.sent.length, 4);
  const last = endless.sent[3].body.tools.map(APIS.chat.nameOf);
  assert.ok(!last.includes("search_tools"), "the last round has no discovery tools");
  assert.deepEqual([finish_reason, message.tool_calls], ["stop", undefined]);
});

/** A fetch that answers nothing until it is aborted. */
const never = ({ signal }) =>
  new Promise((_, reject) => {
    // A connection keeps the process alive, as this does; the proxy's own timer does not.
    const alive = setTimeout(() => {}, 10_000);
    signal.addEventListener("abort", () => (clearTimeout(alive), reject(signal.reason)));
  });

test("a request that the time limit ends has failed, and was not aborted", async () => {
  for (const stream of [false, true]) {
    const events = [];
    const { handler } = proxy({ timeoutMs: 20, onEvent: (event) => events.push(event) }, never);
    const response = await handler(post(CHAT, body({ stream })));
    assert.equal(response.status, 504);
    assert.match((await response.json()).error.message, /longer than 20 ms/);
    assert.deepEqual(
      events.map(({ type, outcome }) => [type, outcome]),
      [["request", "failed"]],
    );
  }
});

/** A reply that never ends, and how often it was let go. */
function endless(text, type) {
  const kept = { cancelled: 0 };
  const start = (one) => one.enqueue(Buffer.from(text));
  const stream = () => new ReadableStream({ start, cancel: () => void kept.cancelled++ });
  return Object.assign(kept, { reply: () => new Response(stream(), { headers: { "content-type": type } }) });
}

test("what the client aborts is aborted at the upstream, before and within a stream", async () => {
  const controller = new AbortController();
  const events = [];
  const onEvent = (event) => events.push(event);
  const asked = (fetch) =>
    siftFetch({ fetch, onEvent })(AT, { method: "POST", body: body({ stream: true }), signal: controller.signal });
  const streamed = endless(chunk({ content: "more " }), "text/event-stream");
  const reader = (await asked(scripted(streamed.reply).fetch)).body.getReader();
  await reader.read();
  await reader.cancel();
  assert.deepEqual([streamed.cancelled, events.at(-1).outcome], [1, "aborted"]);
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(asked(scripted(never).fetch), /enough/);
  assert.equal(events.at(-1).outcome, "aborted");
});

test("what comes when the client has gone is let go, between rounds and within one", async () => {
  for (const isEarly of [true, false]) {
    const controller = new AbortController();
    const kept = endless(" ", "application/json");
    const late = async () => {
      if (isEarly) controller.abort(new Error("enough"));
      else setTimeout(() => controller.abort(new Error("enough")), 20);
      return kept.reply();
    };
    const { fetch, sent } = scripted(searching, late);
    const asked = siftFetch({ fetch })(AT, { method: "POST", body: body(), signal: controller.signal });
    await assert.rejects(asked, /enough/);
    await pause(0);
    assert.deepEqual([sent.length, kept.cancelled], [2, 1], isEarly ? "before the body" : "within it");
  }
  const controller = new AbortController();
  const { fetch, sent } = scripted(() => (setTimeout(() => controller.abort(new Error("enough")), 0), searching()), done);
  const rank = { rerank: () => pause(30, []), rerankWhen: "always" };
  const asked = siftFetch({ fetch, rank })(AT, { method: "POST", body: body(), signal: controller.signal });
  await assert.rejects(asked, /enough/);
  assert.equal(sent.length, 1, "nothing more is asked");
});

test("neither keys nor bodies get into events", async () => {
  const events = [];
  const { handler } = proxy({ onEvent: (event) => events.push(event) }, searching(), done());
  await handler(post(`${CHAT}?key=query-secret`, body({ user: "private-user" })));
  assert.deepEqual(
    events.map(({ type }) => type),
    ["search", "reveal", "request"],
  );
  assert.doesNotMatch(JSON.stringify(events), /sk-secret|query-secret|private-user|Please help me/);
  const { requests, full, sent, ms, rankerVersion, outcome } = events.at(-1);
  assert.deepEqual([requests, full.tools, outcome], [2, 100, "done"]);
  assert.ok(sent.tokens < full.tokens && ms > 0 && rankerVersion.length > 0);
});

test("siftFetch reads a body of any kind, and passes on, with a word, what is too large or of no known kind", async () => {
  const text = body({ user: "u".repeat(200_000) });
  const bytes = new TextEncoder().encode(text);
  const stream = () => new Blob([bytes]).stream();
  const request = () => new Request(AT, { method: "POST", body: text });
  const problems = [];
  const send = async (given, maxBodyBytes) => {
    const { fetch, sent } = scripted(done());
    const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
    const asks = async (input, init) => {
      // What passes on may still be a Request.
      const one = input instanceof Request ? [input.url, { method: "POST", body: await input.text() }] : [input, init];
      return fetch(...one);
    };
    const sift = siftFetch({ fetch: asks, maxBodyBytes, onEvent });
    await (given instanceof Request ? sift(given) : sift(AT, { method: "POST", body: given, duplex: "half" }));
    return sent[0];
  };
  const forms = [() => text, () => bytes, () => bytes.buffer, () => new Blob([bytes]), stream, request];
  for (const form of forms) assert.equal((await send(form())).body.tools.length, 3);
  assert.deepEqual(problems, []);
  for (const form of forms) assert.equal((await send(form(), 2_000)).text, text);
  await send(new FormData());
  assert.deepEqual(
    [...new Set(problems)],
    [
      "a request passes through in full: its body has more than 2000 bytes, the limit",
      "a request passes through in full: its body is neither text, bytes, a Blob nor a stream",
    ],
  );
});

test("siftFetch keeps how a Request is made", async () => {
  let sent;
  const fetch = async (_, init) => ((sent = init), done());
  const how = { redirect: "error", credentials: "omit", keepalive: true, cache: "no-store", referrerPolicy: "no-referrer" };
  const request = () => new Request(AT, { method: "POST", body: body(), ...how });
  await siftFetch({ fetch })(request());
  assert.equal(JSON.parse(sent.body).tools.length, 3);
  for (const [key, value] of Object.entries(how)) assert.equal(sent[key], value, key);
  await siftFetch({ fetch })(request(), { redirect: "manual" });
  assert.equal(sent.redirect, "manual");
});

test("the host learns why the upstream could not be reached, by the code alone", async () => {
  const failed = (message, code) => Object.assign(new Error(message), { code });
  for (const [cause, why] of [
    [failed("getaddrinfo ENOTFOUND api.example", "ENOTFOUND"), ": ENOTFOUND"],
    [failed("sk-secret is an invalid header value", "sk-secret"), ""],
    [undefined, ""],
  ]) {
    for (const request of [post(CHAT, body()), new Request("http://proxy.local/v1/models")]) {
      const problems = [];
      const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
      const { handler } = proxy({ onEvent }, () => Promise.reject(new TypeError("fetch failed", { cause })));
      const response = await handler(request);
      assert.equal(response.status, 502);
      assert.doesNotMatch(await response.text(), /ENOTFOUND|secret/);
      assert.deepEqual(problems, [`the upstream could not be reached${why}`]);
    }
  }
});

test("options are checked before the first request", () => {
  const upstream = "https://x";
  const rank = { rerank: async () => [] };
  for (const [options, code, message] of [
    [{}, "option_invalid", /options\.upstream is undefined/],
    [{ upstream: "ftp://x" }, "option_invalid", /http or https URL/],
    [{ upstream: "https://user:secret@x" }, "option_invalid", /^(?!.*secret).*without credentials, query and fragment/],
    [{ upstream, upstreams: 1 }, "option_unknown", /did you mean upstream/],
    [{ upstream, basePath: "api" }, "option_invalid", /basePath/],
    [{ upstream, maxRounds: 0 }, "limit_out_of_range", /options\.maxRounds is 0; 1 to 100/],
    [{ upstream, emulate: "yes" }, "option_invalid", /options\.emulate is string yes; it must be true, false or "auto"/],
    [{ upstream, sift: { profle: "sift" } }, "option_unknown", /^options\.sift has no "profle"; did you mean profile/],
    [{ upstream, sift: { profile: "nope" } }, "option_invalid", /^options\.sift\.profile is "nope"/],
    [{ upstream, rank, sift: { profile: "bridge" } }, "option_conflict", /^options\.rank needs profile sift/],
    [{ upstream, enrich: {} }, "option_invalid", /options\.enrich has no model/],
  ]) {
    assert.throws(() => siftProxy(options), { code, message });
  }
  const message = /"upstream": it is an option of siftProxy/;
  assert.throws(() => siftFetch({ upstream }), { code: "option_unknown", message });
});
