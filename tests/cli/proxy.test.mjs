/** Tests that `toolsift proxy` works as its help says. */

import assert from "node:assert/strict";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "vitest";
import { gzipSync } from "node:zlib";
import { add, call, DISCOVERY, ISSUE, script } from "../adapters/lib/calls.mjs";
import { toolsOf } from "../adapters/lib/tools.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { folder, httpServer, listening } from "./command-line.mjs";

const tools = toolsOf("github").map(({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
}));

/** A proxy in front of a vendor: `{ url, vendor, end, said }`. */
async function proxied(t, replies, args = [], vendor, env = {}) {
  const upstream = vendor ?? (await startVendor(chat, script(...replies)));
  const flags = ["--upstream", upstream.url, "--port", "0", "--activation", "on", ...args];
  const open = await listening(t, ["proxy", ...flags], { env });
  if (vendor === undefined) t.onTestFinished(() => upstream.close());
  return { vendor: upstream, ...open };
}

async function ask(url, { headers, ...body } = {}) {
  const sent = { authorization: "Bearer sk-secret-key", "content-type": "application/json", ...headers };
  const text = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "a private text" }], tools, ...body });
  return fetch(`${url}/v1/chat/completions`, { method: "POST", headers: sent, body: text });
}

test("a client gets tool search, and the log has no keys and no bodies", async (t) => {
  const { url, vendor, end } = await proxied(t, [[add("create_issue")], [call("create_issue", ISSUE)]]);
  const response = await ask(url);
  const { choices } = await response.json();
  assert.equal(choices[0].message.tool_calls[0].function.name, "create_issue");
  assert.deepEqual(
    vendor.requests.map((request) => request.tools),
    [DISCOVERY, [...DISCOVERY, "create_issue"]],
  );
  assert.equal(response.headers.get("x-toolsift-requests"), "2");
  const { code, stderr } = await end();
  assert.equal(code, 143);
  const line = stderr.split("\n").find((one) => one.includes("gpt-5.2"));
  assert.match(line, /^openai gpt-5\.2: [\d,]+ → [\d,]+ tokens of tools, 2 requests, [\d.]+ ms, done$/);
  for (const secret of ["sk-secret-key", "a private text", "create_issue"]) assert.ok(!stderr.includes(secret), secret);
});

test("other requests pass through, byte for byte; a client that waits for leave to send its body gets it, on every path", async (t) => {
  const { url, vendor } = await proxied(t, [{ text: "Done." }], ["--quiet"]);
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  const response = await fetch(`${url}/v1/files?purpose=a%2Fb`, { method: "POST", body: bytes, headers: { "x-own": "1" } });
  assert.equal(response.headers.get("x-vendor"), "yes");
  assert.equal((await response.json()).length, bytes.length);
  const [{ raw, path, headers }] = vendor.other;
  assert.deepEqual(new Uint8Array(raw), bytes);
  assert.equal(path, "/v1/files?purpose=a%2Fb");
  assert.equal(headers["x-own"], "1");

  const large = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "x".repeat(1_200_000) }], tools });
  for (const path of ["/v1/chat/completions", "/v1/files"]) {
    const response = await new Promise((resolve, reject) => {
      const headers = {
        expect: "100-continue",
        authorization: "Bearer sk-secret-key",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(large),
      };
      const sent = request(
        `${url}${path}`,
        { method: "POST", headers, agent: false },
        (got) => void (got.resume(), resolve(got)),
      );
      sent
        .on("error", reject)
        .on("continue", () => sent.end(large))
        .flushHeaders();
    });
    assert.equal(response.statusCode, 200, path);
  }
  assert.equal(vendor.requests[0].bytes > 1_200_000, true);
  assert.equal(vendor.other[1].raw.length, large.length);
});

test("a reply may take longer than the platform's fetch waits", async (t) => {
  const vendor = await httpServer((_, response) => setTimeout(() => response.end('{"choices":[]}'), 400));
  // The platform gives up after 300 seconds; here after 100 ms.
  const fetch = "globalThis.fetch = () => new Promise((_, no) => setTimeout(no, 100, new TypeError('fetch failed')));";
  const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(fetch)}"` };
  const { url } = await proxied(t, [], [], vendor, env);
  assert.equal((await ask(url)).status, 200);
  assert.equal((await globalThis.fetch(`${url}/v1/models`)).status, 200);
});

test("what an upstream has read of a request is never sent again, though it was on a kept connection", async (t) => {
  const read = [];
  const vendor = await httpServer(async (incoming, response) => {
    let bytes = 0;
    for await (const chunk of incoming) bytes += chunk.length;
    read.push([incoming.method, bytes > 0]);
    if (read.length === 1) response.end('{"choices":[]}');
    else incoming.socket.resetAndDestroy();
  });
  const { url } = await proxied(t, [], [], vendor);
  assert.equal((await ask(url)).status, 200);
  assert.equal((await ask(url)).status, 502);
  assert.deepEqual(read, [
    ["POST", true],
    ["POST", true],
  ]);
});

test("headers come before the first piece of a stream, and an upstream that compresses unasked is read", async (t) => {
  let end;
  const stream = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    end = () => response.end('data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n');
  };
  const reply = { choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] };
  const whole = (response) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    response.writeHead(200, headers).end(gzipSync(JSON.stringify(reply)));
  };
  let answer = stream;
  const vendor = await httpServer((_, response) => answer(response));
  const { url } = await proxied(t, [], [], vendor);
  const response = await ask(url, { stream: true });
  assert.equal(response.status, 200);
  end();
  assert.match(await response.text(), /Hi/);
  answer = whole;
  assert.deepEqual(await (await ask(url)).json(), reply);
  assert.deepEqual(await (await fetch(`${url}/v1/models`)).json(), reply);
});

test("a request for another protocol, a WebSocket among them, is served as it is", async (t) => {
  const { url } = await proxied(t, [{ text: "Done." }, { text: "Done." }]);
  const text = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "Hello" }], tools });
  const known = {
    authorization: "Bearer sk-secret-key",
    connection: "Upgrade, HTTP2-Settings",
    "http2-settings": "AAMAAABk",
  };
  for (const upgrade of ["h2c", "websocket"]) {
    const headers = { ...known, upgrade, "content-type": "application/json" };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${url}/v1/chat/completions`, { method: "POST", headers, agent: false });
      sent.on("response", (got) => void (got.resume(), resolve(got.statusCode))).on("error", reject);
      sent.end(text);
    });
    assert.equal(status, 200, upgrade);
  }
});

test("with a token it says that it lives and what it has done, and refuses in the form of each vendor", async (t) => {
  const token = "a-long-enough-token";
  const { url, vendor } = await proxied(t, [[add("create_issue")], [call("create_issue", ISSUE)]], ["--token", token]);
  const alive = await fetch(`${url}/healthz`);
  assert.deepEqual([alive.status, await alive.text()], [200, "ok\n"]);
  assert.equal((await fetch(`${url}/metrics`)).status, 401);
  await (await ask(url, { headers: { "x-toolsift-token": token } })).text();
  const response = await fetch(`${url}/metrics`, { headers: { "x-toolsift-token": token } });
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4");
  const text = await response.text();
  const value = (name) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")
        .at(-1),
    );
  assert.equal(value('toolsift_requests_total{wire="openai",outcome="done",active="true"}'), 1);
  assert.equal(value('toolsift_upstream_requests_total{wire="openai"}'), 2);
  assert.ok(
    value('toolsift_tool_tokens_full_total{wire="openai"}') > value('toolsift_tool_tokens_sent_total{wire="openai"}'),
  );
  assert.equal(value('toolsift_proxy_seconds_bucket{le="+Inf"}'), 1);
  assert.ok(value("toolsift_proxy_seconds_sum") > 0);
  for (const line of text.trim().split("\n"))
    assert.match(line, /^(# (HELP|TYPE) toolsift_\w+ .+|toolsift_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e-]+)$/);
  assert.equal(vendor.other.length, 0);
  assert.ok(!JSON.stringify(vendor.requests[0].headers).includes(token), "the vendor does not get it");
  assert.equal(vendor.requests[0].headers.authorization, "Bearer sk-secret-key");

  const refused = async (path, headers = {}) => {
    const response = await fetch(`${url}${path}`, { method: "POST", body: "{}", headers });
    return [response.status, await response.json()];
  };
  const [status, { error }] = await refused("/v1/chat/completions");
  assert.deepEqual([status, error.type, error.code], [401, "invalid_request_error", "proxy_401"]);
  assert.match(error.message, /needs its token as x-toolsift-token/);
  const [, anthropic] = await refused("/v1/messages?beta=true");
  assert.deepEqual([anthropic.type, anthropic.error.type], ["error", "authentication_error"]);
  const [, google] = await refused("/v1beta/models/m:generateContent");
  assert.deepEqual([google.error.code, google.error.status], [401, "UNAUTHENTICATED"]);
  const [forbidden, { error: why }] = await refused("/v1/messages", { origin: "https://evil.example" });
  assert.deepEqual([forbidden, why.type], [403, "permission_error"]);
});

test("a stream flows before it ends, and --quiet says nothing of it", async (t) => {
  const vendor = await startVendor(chat, script({ text: "a long text" }), { slow: 150 });
  t.onTestFinished(() => vendor.close());
  const { url, said } = await proxied(t, [], ["--quiet"], vendor);
  const response = await ask(url, { stream: true });
  const pieces = [];
  for await (const piece of response.body) pieces.push(piece);
  assert.ok(pieces.length > 1, "in pieces");
  assert.ok(!said.stderr.includes("gpt-5.2"));
});

test("what a conversation has found survives a restart", async (t) => {
  const home = folder({});
  const vendor = await startVendor(chat, script([add("create_issue")], [call("create_issue", ISSUE)]));
  t.onTestFinished(() => vendor.close());
  const args = ["--store", join(home, "kept")];
  const headers = { "x-toolsift-session": "chat-42" };
  const first = await proxied(t, [], args, vendor);
  await (await ask(first.url, { headers })).text();
  await first.end("SIGINT");
  const second = await proxied(t, [], args, vendor);
  await (await ask(second.url, { headers })).text();
  assert.deepEqual(vendor.requests.at(-1).tools, [...DISCOVERY, "create_issue"]);
  assert.ok(vendor.requests.every((request) => request.headers["x-toolsift-session"] === undefined));
});

test("a file has further settings, and flags count before it", async (t) => {
  const home = folder({ "settings.json": { maxRounds: 1, sift: { profile: "bridge", activation: "off" } } });
  const { url, vendor } = await proxied(
    t,
    [[call("tool_search", { query: "issue" })]],
    ["--settings", join(home, "settings.json")],
  );
  const response = await ask(url);
  assert.equal(response.status, 200);
  assert.deepEqual(vendor.requests[0].tools, ["tool_search", "tool_describe", "tool_call"]);
});

test("the user's first message is searched, with --prefetch every one, and none with --prefetch never; what --always names is there", async (t) => {
  const asks = { role: "user", content: "Create an issue" };
  const later = [{ role: "user", content: "Hello." }, { role: "assistant", content: "Hello." }, asks];
  for (const [flags, ...expected] of [
    [[], true, false],
    [["--prefetch"], true, true],
    [["--prefetch", "never", "--always", "get_issue", "--always", "list_issues"], false, false],
  ]) {
    const { url, vendor } = await proxied(t, [{ text: "Done." }], flags);
    for (const messages of [[asks], later]) await (await ask(url, { messages })).text();
    const loaded = vendor.requests.map(({ tools }) => tools.includes("create_issue"));
    assert.deepEqual(loaded, expected, flags.join(" "));
    const counted = /^toolsift_prefetched_tools_total [1-9]$/m.test(await (await fetch(`${url}/metrics`)).text());
    assert.equal(counted, expected[0]);
    const always = flags.filter((flag) => flag.endsWith("issue") || flag.endsWith("issues"));
    for (const name of always) assert.ok(vendor.requests[0].tools.includes(name), "what --always names is there");
  }
});
