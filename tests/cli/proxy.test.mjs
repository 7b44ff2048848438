/**
 * Does `toolsift proxy` serve the proxy as its help says?
 *
 * 1. A client whose base URL it is gets tool search; other paths pass through, byte for byte; a stream flows.
 * 2. stderr has one line for each request, without keys and bodies; --quiet has none. A signal ends it with its code.
 * 3. What conversations have found survives a restart in the folder of --store.
 * 4. It binds 127.0.0.1; another address needs a token, which the vendor does not get.
 * 5. What is wrong is said, with exit code 2.
 * 6. It is an HTTP server like others: a client that waits for leave to send its body gets it.
 */

import assert from "node:assert/strict";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { DISCOVERY, ISSUE, add, call } from "../adapters/lib/calls.mjs";
import { toolsOf } from "../adapters/lib/tools.mjs";
import { script } from "../proxy/lib/conversations.mjs";
import { startUpstream } from "../proxy/lib/scripted.mjs";
import { chat } from "../proxy/lib/wires/chat.mjs";
import { folder, start, toolsift } from "./command-line.mjs";

const tools = toolsOf("github").map(({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
}));

/** A proxy in front of a vendor: `{ url, vendor, end, stderr }`. */
async function proxied(t, replies, args = [], vendor) {
  const upstream = vendor ?? (await startUpstream(chat, script(...replies)));
  const { child, done } = start(["proxy", "--upstream", upstream.url, "--port", "0", "--activation", "on", ...args]);
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const end = async (signal = "SIGTERM") => {
    child.kill(signal);
    return done;
  };
  t.after(async () => {
    await end();
    if (vendor === undefined) await upstream.close();
  });
  for (let tries = 0; !/listening on (\S+),/.test(said); tries++) {
    if (tries > 800 || child.exitCode !== null) throw new Error(`it does not listen: ${said}`);
    await pause(25);
  }
  return { url: /listening on (\S+),/.exec(said)[1], vendor: upstream, end, stderr: () => said };
}

async function ask(url, { headers, ...body } = {}) {
  const sent = { authorization: "Bearer sk-secret-key", "content-type": "application/json", ...headers };
  const text = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "a private text" }], tools, ...body });
  return fetch(`${url}/v1/chat/completions`, { method: "POST", headers: sent, body: text });
}

test("a client gets tool search, and the log has no keys and no bodies", async (t) => {
  const { url, vendor, end, stderr } = await proxied(t, [[add("create_issue")], [call("create_issue", ISSUE)]]);
  const response = await ask(url);
  const { choices } = await response.json();
  assert.equal(choices[0].message.tool_calls[0].function.name, "create_issue");
  assert.deepEqual(vendor.requests.map((request) => request.tools), [DISCOVERY, [...DISCOVERY, "create_issue"]]);
  assert.equal(response.headers.get("x-toolsift-requests"), "2");
  const { code } = await end();
  assert.equal(code, 143);
  const line = stderr().split("\n").find((one) => one.includes("gpt-5.2"));
  assert.match(line, /^openai gpt-5\.2: [\d,]+ → [\d,]+ tokens of tools, 2 requests, [\d.]+ ms, done$/);
  for (const secret of ["sk-secret-key", "a private text", "create_issue"]) assert.ok(!stderr().includes(secret), secret);
});

test("other requests pass through, byte for byte", async (t) => {
  const { url, vendor } = await proxied(t, [], ["--quiet"]);
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  const response = await fetch(`${url}/v1/files?purpose=a%2Fb`, { method: "POST", body: bytes, headers: { "x-own": "1" } });
  assert.equal(response.headers.get("x-vendor"), "yes");
  assert.equal((await response.json()).length, bytes.length);
  const [{ raw, path, headers }] = vendor.other;
  assert.deepEqual(new Uint8Array(raw), bytes);
  assert.equal(path, "/v1/files?purpose=a%2Fb");
  assert.equal(headers["x-own"], "1");
});

test("a client that waits for leave to send its body gets it, on every path", async (t) => {
  const { url, vendor } = await proxied(t, [{ text: "Done." }]);
  const large = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "x".repeat(1_200_000) }], tools });
  for (const path of ["/v1/chat/completions", "/v1/files"]) {
    const response = await new Promise((resolve, reject) => {
      const headers = { expect: "100-continue", authorization: "Bearer sk-secret-key", "content-type": "application/json", "content-length": Buffer.byteLength(large) };
      const sent = request(`${url}${path}`, { method: "POST", headers, agent: false }, (got) => void (got.resume(), resolve(got)));
      sent.on("error", reject).on("continue", () => sent.end(large)).flushHeaders();
    });
    assert.equal(response.statusCode, 200, path);
  }
  assert.equal(vendor.requests[0].bytes > 1_200_000, true);
  assert.equal(vendor.other[0].raw.length, large.length);
});

test("a stream flows before it ends, and --quiet says nothing of it", async (t) => {
  const vendor = await startUpstream(chat, script({ text: "a long text" }), { slow: 150 });
  t.after(() => vendor.close());
  const { url, stderr } = await proxied(t, [], ["--quiet"], vendor);
  const response = await ask(url, { stream: true });
  const times = [];
  for await (const _ of response.body) times.push(Date.now());
  assert.ok(times.at(-1) - times[0] >= 150, "in pieces");
  assert.ok(!stderr().includes("gpt-5.2"));
});

test("what a conversation has found survives a restart", async (t) => {
  const home = folder({});
  const vendor = await startUpstream(chat, script([add("create_issue")], [call("create_issue", ISSUE)]));
  t.after(() => vendor.close());
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
  const { url, vendor } = await proxied(t, [[call("tool_search", { query: "issue" })]], ["--settings", join(home, "settings.json")]);
  const response = await ask(url);
  assert.equal(response.status, 200);
  assert.deepEqual(vendor.requests[0].tools, ["tool_search", "tool_describe", "tool_call"]);
});

test("a tool that --always names is there from the start", async (t) => {
  const { url, vendor } = await proxied(t, [{ text: "Done." }], ["--always", "create_issue", "--always", "get_issue"]);
  await (await ask(url)).text();
  assert.deepEqual(vendor.requests[0].tools.filter((name) => !DISCOVERY.includes(name)).sort(), ["create_issue", "get_issue"]);
});

test("another address needs a token, which the vendor does not get", async (t) => {
  const { code, stderr } = await toolsift(["proxy", "--upstream", "http://127.0.0.1:1", "--port", "0", "--host", "0.0.0.0"]);
  assert.equal(code, 1);
  assert.match(stderr, /lets other machines call this server; set a token/);
  const token = "a-long-enough-token";
  const { url, vendor } = await proxied(t, [], ["--token", token]);
  assert.equal((await ask(url)).status, 401);
  assert.equal((await ask(url, { headers: { "x-toolsift-token": token } })).status, 200);
  assert.ok(!JSON.stringify(vendor.requests[0].headers).includes(token));
  assert.equal(vendor.requests[0].headers.authorization, "Bearer sk-secret-key");
});

test("what is wrong is said", async () => {
  const home = folder({ "list.json": [], "broken.json": "{", "odd.json": { maxRound: 3 }, "sift.json": { sift: { profle: "sift" } }, "vendor.json": { upstream: "https://example.com" } });
  const at = ["proxy", "--upstream", "https://api.openai.com"];
  const cases = [
    [["proxy"], 2, /required option '--upstream <url>'/],
    [["proxy", "--upstream", "api.openai.com"], 2, /must be a URL/],
    [["proxy", "--upstream", "https://key@api.openai.com"], 2, /without credentials/],
    [["proxy", "--upstream", "ftp://api.openai.com"], 2, /http or https/],
    [[...at, "--port", "70000"], 2, /whole number from 0 to 65535/],
    [[...at, "--activation", "maybe"], 2, /auto, on, off or a number/],
    [[...at, "--profile", "best"], 2, /Allowed choices/],
    [[...at, "--allow-origin", "https://app.example.com"], 2, /name of a host/],
    [[...at, "--store", join(home, "list.json", "kept")], 1, /list\.json.*cannot be written: ENOTDIR/],
    [[...at, "--settings", join(home, "vendor.json")], 2, /has an upstream, and so has the command line/],
    [[...at, "--settings", join(home, "none.json")], 1, /cannot be read as JSON/],
    [[...at, "--settings", join(home, "broken.json")], 1, /cannot be read as JSON/],
    [[...at, "--settings", join(home, "list.json")], 2, /must hold an object/],
    [[...at, "--settings", join(home, "odd.json")], 2, /"maxRound"; did you mean maxRounds/],
    [[...at, "--settings", join(home, "sift.json")], 2, /setting sift has no "profle"; did you mean profile/],
  ];
  for (const [args, code, message] of cases) {
    const result = await toolsift(args);
    assert.equal(result.code, code, `${args}: ${result.stderr}`);
    assert.match(result.stderr, message);
  }
});
