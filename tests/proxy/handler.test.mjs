/**
 * Is the handler safe between any client and its upstream?
 *
 * 1. Every path goes to the configured upstream and nowhere else, byte for byte, with its query and method.
 * 2. Headers of one connection and of the proxy stay where they belong; a body that was rewritten has no stale headers.
 * 3. What the upstream refuses comes through as it is, in the first round and in a later one that is not streamed; nothing is
 *    asked again there.
 * 4. Bodies, replies, inner requests and time are bounded, and what goes wrong has the vendor's form.
 * 5. What the client aborts is aborted at the upstream.
 * 6. Neither keys nor bodies get into events and errors.
 * 7. Options are checked by name, type and range.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { entry } from "./lib/built.mjs";
import { call, calls, says, tools } from "./lib/chat.mjs";
import { chunk, DONE, piece } from "./lib/streams.mjs";
import { asAnthropic, asChat, asGoogle, definitions } from "./lib/tools.mjs";
import { json, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch, siftProxy } = await entry("proxy.js");
const body = (more = {}) =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "Please help me" }], tools, ...more });
const post = (path, text, headers = {}) =>
  new Request(`http://proxy.local${path}`, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", authorization: "Bearer sk-secret", ...headers },
  });
const CHAT = "/v1/chat/completions";
const searching = () => calls(call("search_tools", { query: "create an issue" }, "s"));
const done = () => says("Done.");
const proxy = (options, ...steps) => {
  const upstream = scripted(...steps);
  return { ...upstream, handler: siftProxy({ upstream: "https://api.example", fetch: upstream.fetch, ...options }) };
};

test("every path goes to the upstream, and nowhere else", async () => {
  const paths = {
    "/v1/models?limit=2": "https://api.example/v1/models?limit=2",
    "//evil.example/v1/models": "https://api.example//evil.example/v1/models",
    "/@evil.example/x": "https://api.example/@evil.example/x",
    "/v1/files/a%2F..%2Fb": "https://api.example/v1/files/a%2F..%2Fb",
  };
  for (const [path, expected] of Object.entries(paths)) {
    const { handler, sent } = proxy({}, json({ ok: true }));
    assert.deepEqual(await (await handler(new Request(`http://proxy.local${path}`))).json(), { ok: true });
    assert.equal(sent[0].url, expected);
  }
  const { handler, sent } = proxy({ upstream: "https://api.example/base/v1", basePath: "/api/model" }, json({}), json({}));
  await handler(new Request("http://proxy.local/api/model/models"));
  await handler(new Request("http://proxy.local/api/model/base/v1/models"));
  assert.deepEqual(
    sent.map(({ url }) => url),
    ["https://api.example/base/v1/models", "https://api.example/base/v1/models"],
  );
});

test("APIs that the proxy takes no part in pass through untouched", async () => {
  const paths = ["/model/m/converse", "/model/m/converse-stream", "/model/m/invoke", "/api/chat"];
  for (const path of paths) {
    const { handler, sent } = proxy({}, new Response(new Uint8Array([0, 1, 255])));
    const response = await handler(post(path, body(), { authorization: "AWS4-HMAC-SHA256 Credential=x" }));
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([0, 1, 255]));
    assert.equal(sent[0].text, body(), path);
    assert.equal(sent[0].headers.get("authorization"), "AWS4-HMAC-SHA256 Credential=x");
  }
});

test("bodies without tools, of other paths, and that cannot be read come through byte for byte", async () => {
  const odd = [
    '{"model":"m","messages":[],"tools":[],"seed":12345678901234567890,"x":1.0}',
    '{"tools":[{"a":1}',
    '{"tools":1}',
    '{"tools":[],"tools":[]}',
    "no json",
  ];
  for (const text of odd) {
    const { handler, sent } = proxy({}, json({ ok: true }));
    await handler(post(CHAT, text));
    assert.equal(sent[0].text, text);
  }
  const { handler, sent } = proxy({}, json({}));
  await handler(post("/v1/embeddings", body()));
  assert.equal(sent[0].text, body());
});

test("replies that cannot be read come through byte for byte", async () => {
  for (const text of [
    '{"choices":[{"message":{"tool_calls":"none"}}]}',
    '{"choices":[1]}',
    '{"choices":"none"}',
    '{"id" : 1.0}',
    "[]",
  ]) {
    const { handler } = proxy({}, () => new Response(text, { headers: { "content-type": "application/json" } }));
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
  const { handler, sent } = proxy(
    {},
    () =>
      new Response(JSON.stringify({ choices: [] }), {
        headers: {
          "content-type": "application/json",
          "content-length": "999",
          "x-request-id": "r1",
          connection: "x-odd",
          "x-odd": "1",
          "set-cookie": "a=b",
        },
      }),
  );
  const response = await handler(
    post(CHAT, body(), {
      "x-toolsift-session": "s1",
      "x-odd": "2",
      connection: "close, x-odd",
      te: "trailers",
      "proxy-authorization": "Basic x",
      "openai-organization": "org",
    }),
  );
  const { headers } = sent[0];
  for (const name of ["x-toolsift-session", "x-odd", "te", "proxy-authorization", "host", "content-length"])
    assert.equal(headers.get(name), null, name);
  assert.equal(headers.get("openai-organization"), "org");
  for (const name of ["content-length", "x-odd", "connection"]) assert.equal(response.headers.get(name), null, name);
  assert.deepEqual([response.headers.get("x-request-id"), response.headers.get("set-cookie")], ["r1", "a=b"]);
});

test("what the upstream refuses comes through as it is, in any round, and nothing is asked again", async () => {
  const refused = () =>
    new Response('{"error":{"message":"slow down"}}', {
      status: 429,
      headers: { "retry-after": "7", "content-type": "application/json" },
    });
  for (const [stream, ...steps] of [
    [false, refused],
    [false, searching, refused],
    [true, refused],
  ]) {
    const { handler, sent } = proxy({}, ...steps);
    const response = await handler(post(CHAT, body({ stream })));
    assert.deepEqual(
      [response.status, response.headers.get("retry-after"), await response.text()],
      [429, "7", '{"error":{"message":"slow down"}}'],
    );
    assert.equal(sent.length, steps.length);
  }
});

test("a refusal after the stream has begun is told in the stream", async () => {
  const search = piece(0, "search_tools", '{"query":"issue"}', "s");
  const text = chunk({ content: "Let me look." }) + chunk(search) + chunk({}, "tool_calls") + DONE;
  const { handler } = proxy(
    {},
    sse(text),
    new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { "retry-after": "3600" } }),
  );
  const got = await (await handler(post(CHAT, body({ stream: true })))).text();
  assert.match(got, /Let me look\./);
  assert.match(got, /data: \{"error":\{"message":"slow down"\}\}\n\n$/);
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

  const endless = proxy({ maxRounds: 3 }, ...Array.from({ length: 10 }, () => searching));
  const last = await (await endless.handler(post(CHAT, body()))).json();
  assert.equal(endless.sent.length, 4);
  assert.ok(
    !endless.sent[3].body.tools.some((tool) => tool.function.name === "search_tools"),
    "the last round has no discovery tools",
  );
  assert.deepEqual([last.choices[0].finish_reason, last.choices[0].message.tool_calls], ["stop", undefined]);
});

test("time is bounded, and an upstream that cannot be reached is told in each vendor's form", async () => {
  // A connection keeps the process alive, as this does.
  const alive = setTimeout(() => {}, 10_000);
  const never = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => (clearTimeout(alive), reject(signal.reason))));
  const late = await proxy({ timeoutMs: 20 }, never).handler(post(CHAT, body()));
  assert.equal(late.status, 504);
  assert.match((await late.json()).error.message, /longer than 20 ms/);
  const gone = () => Promise.reject(new TypeError("connect ECONNREFUSED 10.0.0.1"));
  const about = { max_tokens: 1, contents: [] };
  const forms = {
    [CHAT]: [tools, (read) => read.error.code],
    "/v1/messages": [
      definitions().map(asAnthropic),
      (read) =>
        read.type === "error" && /upstream_unreachable/.test(read.error.message) ? "upstream_unreachable" : undefined,
    ],
    "/v1beta/models/m:generateContent": [
      [{ functionDeclarations: definitions().map(asGoogle) }],
      (read) => (read.error.code === 502 ? "upstream_unreachable" : undefined),
    ],
  };
  for (const [path, [list, code]] of Object.entries(forms)) {
    const response = await proxy({}, gone).handler(post(path, body({ ...about, tools: list })));
    const text = await response.text();
    assert.equal(response.status, 502);
    assert.equal(code(JSON.parse(text)), "upstream_unreachable");
    assert.ok(!text.includes("10.0.0.1"));
  }
});

test("what the client aborts is aborted at the upstream, before and within a stream", async () => {
  for (const isEarly of [true, false]) {
    const controller = new AbortController();
    let cancelled = false;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (one) => one.enqueue(new TextEncoder().encode(chunk({ content: "more " }))),
          cancel: () => void (cancelled = true),
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    const never = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => ((cancelled = true), reject(signal.reason))));
    const { fetch } = scripted(isEarly ? never : endless);
    const events = [];
    const asked = siftFetch({ fetch, onEvent: (event) => events.push(event) })(`https://api.example${CHAT}`, {
      method: "POST",
      body: body({ stream: true }),
      signal: controller.signal,
    });
    if (isEarly) {
      setTimeout(() => controller.abort(new Error("enough")), 5);
      await assert.rejects(asked, /enough/);
    } else {
      const reader = (await asked).body.getReader();
      await reader.read();
      await reader.cancel();
    }
    assert.equal(cancelled, true);
    assert.equal(events.at(-1).outcome, "aborted");
  }
});

test("neither keys nor bodies get into events", async () => {
  const events = [];
  const { handler } = proxy({ onEvent: (event) => events.push(event) }, searching(), done());
  await handler(post(`${CHAT}?key=query-secret`, body({ user: "private-user" })));
  const text = JSON.stringify(events);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["search", "reveal", "request"],
  );
  for (const secret of ["sk-secret", "query-secret", "private-user", "Please help me"])
    assert.ok(!text.includes(secret), secret);
  const { requests, full, sent, ms, rankerVersion, outcome } = events.at(-1);
  assert.deepEqual([requests, full.tools, outcome], [2, 100, "done"]);
  assert.ok(sent.tokens < full.tokens && ms > 0 && rankerVersion.length > 0);
});

test("a listener that fails, and a list with the name of a discovery tool, do not harm", async () => {
  const { handler } = proxy(
    {
      onEvent: () => {
        throw new Error("no");
      },
    },
    searching(),
    done(),
  );
  assert.equal((await handler(post(CHAT, body()))).status, 200);
  const events = [];
  const clash = proxy({ onEvent: (event) => events.push(event) }, done());
  const all = [
    ...tools,
    asChat({ name: "search_tools", description: "The client's own", schema: { type: "object", properties: {} } }),
  ];
  await clash.handler(post(CHAT, body({ tools: all })));
  assert.equal(clash.sent[0].text, body({ tools: all }));
  assert.match(events[0].message, /passes through in full/);
});

test("options of the core and of the ranker are checked before the first request", () => {
  const rank = async () => [];
  const cases = [
    [{ sift: { profle: "sift" } }, "option_unknown", /^options\.sift has no "profle"; did you mean profile/],
    [{ sift: { profile: "nope" } }, "option_invalid", /^options\.sift\.profile is "nope"/],
    [{ sift: { limits: { sessions: -1 } } }, "limit_out_of_range", /sessions is -1/],
    [{ sift: { limits: 3 } }, "option_invalid", /^options\.sift\.limits must be an object, got number 3/],
    [{ surface: "constant", sift: { alwaysAvailable: "x" } }, "option_invalid", /^options\.sift\.alwaysAvailable is "x"/],
    [{ surface: "constant", prefetch: true }, "option_conflict", /^options\.prefetch adds tools to the list/],
    [{ prefetch: 1 }, "option_invalid", /^options\.prefetch is/],
    [{ rankTimeoutMs: 0 }, "limit_out_of_range", /^options\.rankTimeoutMs is 0; 1 to 600000/],
    [{ rank, rankTimeoutMs: "1" }, "option_invalid", /^options\.rankTimeoutMs is string 1/],
    [{ rank, sift: { profile: "bridge" } }, "option_conflict", /^options\.rank needs profile sift/],
  ];
  for (const [options, code, message] of cases) {
    assert.throws(() => siftFetch(options), { code, message });
    assert.throws(() => siftProxy({ upstream: "https://x", ...options }), { code, message });
  }
});

test("siftFetch passes a request on whose body is larger than it looks at, in every form of a body", {
  timeout: 20_000,
}, async () => {
  const text = body({ user: "u".repeat(200_000) });
  const forms = [
    text,
    new TextEncoder().encode(text),
    new Request(`https://api.example${CHAT}`, { method: "POST", body: text }),
  ];
  for (const form of forms) {
    let sent;
    const fetch = async (input, init) => ((sent = await new Request(input, init).text()), json({ ok: true }));
    const sifting = siftFetch({ maxBodyBytes: 2_000, fetch });
    const response = await (form instanceof Request
      ? sifting(form)
      : sifting(`https://api.example${CHAT}`, { method: "POST", body: form }));
    assert.deepEqual(await response.json(), { ok: true });
    assert.equal(sent, text);
  }
});

test("siftFetch reads a body of any kind, and says where it does not", async () => {
  const text = body();
  const bytes = new TextEncoder().encode(text);
  const stream = () =>
    new ReadableStream({
      start: (one) => (one.enqueue(bytes.slice(0, 1_000)), one.enqueue(bytes.slice(1_000)), one.close()),
    });
  const problems = [];
  const send = async (given, maxBodyBytes) => {
    const { fetch, sent } = scripted(done());
    const init = { method: "POST", body: given, headers: { "content-type": "application/json" }, duplex: "half" };
    await siftFetch({ fetch, maxBodyBytes, onEvent: ({ type, message }) => type === "problem" && problems.push(message) })(
      `https://api.example${CHAT}`,
      init,
    );
    return sent[0];
  };
  for (const given of [text, bytes, bytes.buffer, new Blob([bytes]), stream()])
    assert.equal((await send(given)).body.tools.length, 3);
  assert.deepEqual(problems, []);
  for (const given of [text, bytes, new Blob([bytes]), stream()]) assert.equal((await send(given, 2_000)).text, text);
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
  await siftFetch({ fetch })(new Request(`https://api.example${CHAT}`, { method: "POST", body: body(), ...how }));
  assert.equal(JSON.parse(sent.body).tools.length, 3);
  for (const [key, value] of Object.entries(how)) assert.equal(sent[key], value, key);
  await siftFetch({ fetch })(new Request(`https://api.example${CHAT}`, { method: "POST", body: body(), ...how }), {
    redirect: "manual",
  });
  assert.equal(sent.redirect, "manual");
});

test("an upstream that does not say what it answers is read by what it answers", async () => {
  const untyped = async (response, type) => {
    const made = new Response(await response.arrayBuffer());
    made.headers.delete("content-type");
    if (type !== undefined) made.headers.set("content-type", type);
    return made;
  };
  const search = piece(0, "search_tools", '{"query":"issue"}', "s");
  const searchingStream = () => sse(`\n${chunk(search)}${chunk({}, "tool_calls")}`);
  const doneStream = () => sse(chunk({ content: "Done." }, "stop"));
  for (const type of [undefined, "text/plain; charset=utf-8", "application/octet-stream"]) {
    const whole = proxy(
      {},
      () => untyped(searching(), type),
      () => untyped(done(), type),
    );
    const response = await whole.handler(post(CHAT, body()));
    assert.equal((await response.json()).choices[0].message.content, "Done.");
    assert.equal(response.headers.get("content-type"), "application/json");
    const streamed = proxy(
      {},
      () => untyped(searchingStream(), type),
      () => untyped(doneStream(), type),
    );
    const got = await (await streamed.handler(post(CHAT, body({ stream: true })))).text();
    assert.match(got, /Done\./);
    assert.doesNotMatch(got, /search_tools/);
    const unstreamed = proxy(
      {},
      () => untyped(searching(), type),
      () => untyped(done(), type),
    );
    assert.match(await (await unstreamed.handler(post(CHAT, body({ stream: true })))).text(), /"Done\."/);
  }
  for (const other of ["<html>", "", "{", "\u0000\u0001"]) {
    const { handler } = proxy({}, () => new Response(other, { headers: { "content-type": "text/html" } }));
    assert.equal(await (await handler(post(CHAT, body()))).text(), other);
  }
});

test("what comes when the client has gone is let go, between rounds and within one", async () => {
  const about = {
    [CHAT]: body(),
    "/v1/messages": JSON.stringify({
      messages: [{ role: "user", content: "x" }],
      tools: [
        { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
        { name: "a", input_schema: { type: "object" }, defer_loading: true },
      ],
    }),
  };
  const searches = {
    [CHAT]: searching,
    "/v1/messages": () =>
      json({
        type: "message",
        content: [{ type: "tool_use", id: "s", name: "tool_search_tool_bm25", input: { query: "a" } }],
        stop_reason: "tool_use",
      }),
  };
  for (const [path, text] of Object.entries(about)) {
    for (const isEarly of [true, false]) {
      const controller = new AbortController();
      let cancelled = 0;
      const endless = () =>
        new Response(
          new ReadableStream({
            start: (one) => one.enqueue(new TextEncoder().encode('{"choices":[')),
            cancel: () => void cancelled++,
          }),
          { headers: { "content-type": "application/json" } },
        );
      const late = async () => {
        if (isEarly) controller.abort(new Error("enough"));
        else setTimeout(() => controller.abort(new Error("enough")), 20);
        return endless();
      };
      const { fetch, sent } = scripted(searches[path], late);
      await assert.rejects(
        siftFetch({ fetch })(`https://api.example${path}`, { method: "POST", body: text, signal: controller.signal }),
        /enough/,
      );
      await pause(0);
      assert.deepEqual([sent.length, cancelled], [2, 1], `${path}, ${isEarly ? "before" : "within"} the body`);
    }
  }
  const controller = new AbortController();
  const { fetch, sent } = scripted(() => (setTimeout(() => controller.abort(new Error("enough")), 0), searching()), done);
  const rank = () => new Promise((resolve) => setTimeout(() => resolve([]), 30));
  await assert.rejects(
    siftFetch({ fetch, rank })(`https://api.example${CHAT}`, { method: "POST", body: body(), signal: controller.signal }),
    /enough/,
  );
  assert.equal(sent.length, 1, "nothing more is asked");
});

test("a fetch of the host's that answers no response is told to the host", async () => {
  for (const nothing of [1, null, undefined, {}, { headers: {} }]) {
    const sifting = siftFetch({ fetch: async () => nothing });
    await assert.rejects(sifting("https://api.example/v1/models"), {
      code: "option_invalid",
      message: /options\.fetch answered /,
    });
    const answered = await sifting(`https://api.example${CHAT}`, { method: "POST", body: body() });
    assert.match(await answered.text(), /options\.fetch answered /);
  }
});

test("the host learns why the upstream could not be reached, by the code alone", async () => {
  const failing = (cause) => async () => {
    throw new TypeError("fetch failed", { cause });
  };
  const causes = [
    [
      Object.assign(new Error("getaddrinfo ENOTFOUND api.example"), { code: "ENOTFOUND" }),
      "the upstream could not be reached: ENOTFOUND",
    ],
    [
      Object.assign(new Error("sk-secret is an invalid header value"), { code: "sk-secret" }),
      "the upstream could not be reached",
    ],
    [undefined, "the upstream could not be reached"],
  ];
  for (const [cause, message] of causes) {
    for (const request of [() => post(CHAT, body()), () => new Request("http://proxy.local/v1/models")]) {
      const events = [];
      const handler = siftProxy({
        upstream: "https://api.example",
        fetch: failing(cause),
        onEvent: (event) => events.push(event),
      });
      const response = await handler(request());
      assert.equal(response.status, 502);
      assert.ok(!/ENOTFOUND|secret/.test(await response.text()));
      assert.deepEqual(
        events.filter(({ type }) => type === "problem"),
        [{ type: "problem", message }],
      );
    }
  }
});

test("a request that the time limit ends has failed, and was not aborted", async () => {
  const never = async ({ signal }) => {
    // The proxy's own timer does not keep a process alive.
    for (let waited = 0; !signal.aborted && waited < 500; waited++) await pause(10);
    throw signal.reason;
  };
  for (const stream of [false, true]) {
    const events = [];
    const { handler } = proxy({ timeoutMs: 20, onEvent: (event) => events.push(event) }, never);
    assert.equal((await handler(post(CHAT, body({ stream })))).status, 504);
    assert.deepEqual(
      events.map(({ type, outcome }) => [type, outcome]),
      [["request", "failed"]],
    );
  }
});

test("x-toolsift-ms is what the client waits for the proxy, and not for others", async () => {
  const storage = { getKeys: () => [], getItem: () => pause(60, null), setItem: () => {}, removeItem: () => {} };
  const slow = async () => (await pause(300), done());
  const upload = new ReadableStream({
    start: async (one) => (await pause(300), one.enqueue(new TextEncoder().encode(body())), one.close()),
  });
  const { handler } = proxy({ storage }, slow);
  const request = new Request(`http://proxy.local${CHAT}`, {
    method: "POST",
    body: upload,
    duplex: "half",
    headers: { "x-toolsift-session": "one" },
  });
  const ms = Number((await handler(request)).headers.get("x-toolsift-ms"));
  assert.ok(ms >= 55 && ms < 250, `${ms} ms`);
});

test("options are checked", () => {
  const refused = (options, code, pattern) =>
    assert.throws(
      () => siftProxy(options),
      (error) => error.code === code && pattern.test(error.message),
    );
  refused({}, "option_invalid", /options\.upstream is undefined/);
  refused({ upstream: "ftp://x" }, "option_invalid", /http or https URL/);
  refused({ upstream: "https://user:secret@x" }, "option_invalid", /^(?!.*secret).*without credentials, query and fragment/);
  refused({ upstream: "https://x", upstreams: 1 }, "option_unknown", /did you mean upstream/);
  refused({ upstream: "https://x", basePath: "api" }, "option_invalid", /basePath/);
  refused({ upstream: "https://x", maxRounds: 0 }, "limit_out_of_range", /options\.maxRounds is 0; 1 to 100/);
  refused({ upstream: "https://x", timeoutMs: "1" }, "option_invalid", /timeoutMs/);
  refused(
    { upstream: "https://x", emulate: "yes" },
    "option_invalid",
    /options\.emulate is string yes; it must be true, false or "auto"/,
  );
  assert.throws(() => siftFetch({ upstream: "https://x" }), {
    code: "option_unknown",
    message: /"upstream": it is an option of siftProxy/,
  });
  assert.throws(() => siftFetch({ basePath: undefined }), {
    code: "option_unknown",
    message: /"basePath": it is an option of siftProxy/,
  });
  assert.throws(() => siftFetch(null), { code: "option_invalid", message: /options must be an object, got null/ });
  assert.throws(() => siftFetch({ storage: {} }), {
    code: "option_invalid",
    message: /^options\.storage must have a method getKeys/,
  });
  assert.throws(() => siftFetch({ onEvent: 1 }), { code: "option_invalid" });
});
