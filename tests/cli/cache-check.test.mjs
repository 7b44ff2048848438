/**
 * Does `toolsift cache-check` find out what an endpoint's cache keeps after a reveal?
 *
 * 1. Against endpoints that cache as vendors do: tools first, messages first, all or nothing, not at all; over each API, in each
 * form in which vendors write it. 2. Three requests are sent, the last with one tool more, behind the others; no two runs share
 * a beginning, and nothing else changes. 3. A key reaches only the server that it is for, and no message. 4. What goes wrong is
 * told with its cause, and the exit code says so.
 */

import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { httpServer, toolsift } from "./command-line.mjs";

const KEY = "sk-secret-0123456789";
const NO_KEYS = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
/** As caches compare it: marks of what is to be kept are no content. */
const text = (value) => JSON.stringify(value ?? null, (key, inner) => (key === "cache_control" ? undefined : inner));
const tokensOf = (parts) => Math.ceil(parts.join("").length / 4);

/** The parts of a request of each API, in the order of a cache that reads tools first. */
const PARTS = {
  "/v1/chat/completions": ({ tools, messages }) => [...tools, ...messages].map(text),
  "/v1/messages": ({ tools, system, messages }) => [...tools, ...system, ...messages].map(text),
  "/v1/responses": ({ tools, instructions, input }) => [...tools, instructions, ...input].map(text),
};

/** How many tokens of a request stand at the beginning of an earlier one. */
function shared(parts, earlier) {
  const kept = earlier.map((one) => parts.findIndex((part, at) => part !== one[at]));
  const most = kept.map((at, i) => (at < 0 ? Math.min(parts.length, earlier[i].length) : at));
  return tokensOf(parts.slice(0, Math.max(0, ...most)));
}

/** Caches as vendors have them: what of a request comes from the earlier ones. */
const CACHES = {
  "tools first": (path, body, earlier) =>
    shared(
      PARTS[path](body),
      earlier.map((one) => PARTS[path](one)),
    ),
  "messages first": (_, { messages }, earlier) =>
    shared(
      messages.map(text),
      earlier.map((one) => one.messages.map(text)),
    ),
  "all or nothing": (path, body, earlier) =>
    earlier.some(({ tools }) => text(tools) === text(body.tools)) ? CACHES["tools first"](path, body, earlier) : 0,
  none: () => 0,
};

/** What each API says of them. */
const USAGES = {
  "/v1/chat/completions": (input, cached) => ({ prompt_tokens: input, prompt_tokens_details: { cached_tokens: cached } }),
  "/v1/messages": (input, cached) => ({
    input_tokens: 1,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: input - cached - 1,
  }),
  "/v1/responses": (input, cached) => ({ input_tokens: input, input_tokens_details: { cached_tokens: cached } }),
};

/** A model's server. `reply` may answer `{ status, body }` in place of the usage of `cache`. */
async function endpoint(cache, usageOf = (path, input, cached) => USAGES[path](input, cached), reply = () => undefined) {
  const requests = [];
  const server = await httpServer(async (request, response) => {
    const body = await json(request);
    const bodies = requests.map((one) => one.body);
    requests.push({ url: request.url, headers: request.headers, body });
    const { status = 200, body: content } = reply(requests.length) ?? {};
    const input = tokensOf(PARTS[request.url](body));
    const usage = usageOf(request.url, input, CACHES[cache](request.url, body, bodies));
    response.writeHead(status, { "content-type": "application/json", ...(status === 503 && { "retry-after": "0" }) });
    response.end(content ?? JSON.stringify({ choices: [], content: [], output: [], usage }));
  });
  return { requests, url: `${server.url}/v1` };
}

const check = (url, more = [], env = {}) =>
  toolsift(["cache-check", "--url", url, "--model", "small", "--wait", "0", ...more], { env: { ...NO_KEYS, ...env } });

async function found(cache, api, usageOf) {
  const { url, requests } = await endpoint(cache, usageOf);
  const { code, stdout, stderr } = await check(url, ["--api", api, "--json"]);
  assert.equal(stderr, "");
  return { code, requests, ...JSON.parse(stdout) };
}

for (const api of ["chat", "messages", "responses"]) {
  test(`${api}: a cache that reads tools first loses what stands behind them`, async () => {
    const { code, requests, requests: told, cache, surface, before, after: kept } = await found("tools first", api);
    assert.equal(code, 0);
    assert.deepEqual([cache, surface], ["lost", "constant"]);
    assert.ok(before > 0.95 && kept > 0.1 && kept < 0.6, `${before} ${kept}`);
    assert.equal(told.length, 3);
    assert.equal(requests.length, 3);
  });
}

test("other caches, and other forms", async () => {
  const lost = await found("all or nothing", "chat");
  assert.deepEqual([lost.cache, lost.surface, lost.after], ["lost", "constant", 0]);
  const kept = await found("messages first", "chat");
  assert.deepEqual([kept.cache, kept.surface], ["kept", "growing"]);
  assert.ok(kept.before > 0.5 && kept.before < 0.9);
  const none = await found("none", "chat");
  assert.deepEqual([none.cache, none.surface, none.code], ["none", "growing", 0]);
  for (const form of [
    (input, cached) => ({ prompt_tokens: input, prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: input - cached }),
    (input, cached) => ({ prompt_tokens: input, cached_tokens: cached }),
  ]) {
    const other = await found("tools first", "chat", (_, ...numbers) => form(...numbers));
    assert.deepEqual([other.cache, other.surface], ["lost", "constant"]);
  }
});

test("an endpoint that says nothing of a cache", async () => {
  for (const usage of [{ prompt_tokens: 100 }, { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: "many" } }]) {
    const { url } = await endpoint("none", () => usage);
    const { code, stdout } = await check(url);
    assert.equal(code, 1);
    assert.match(stdout, /do not say what came from a cache.*Choose surface: "growing"\.\n$/s);
  }
  for (const usage of [undefined, null, [], { prompt_tokens: -1 }, { prompt_tokens: "7" }]) {
    const { url } = await endpoint("none", () => usage);
    const { code, stdout, stderr } = await check(url);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^error: the reply has no usage/);
  }
});

test("what is sent, and what is printed", async () => {
  const { url, requests } = await endpoint("tools first");
  const { code, stdout, stderr } = await check(`${url}/`, [], { OPENAI_API_KEY: KEY });
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^request +input +cached +kept\nfirst +\d,\d{3} +0\nbefore a reveal +.* %\nafter a reveal +.* %\n\nA reveal loses/,
  );
  assert.match(stdout, /Choose surface: "constant"\.\n$/);
  const [first, second, third] = requests.map(({ body }) => body);
  assert.deepEqual(second.tools, first.tools);
  assert.deepEqual(third.tools.slice(0, -1), first.tools);
  assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
  assert.deepEqual(third.messages.slice(0, second.messages.length), second.messages);
  assert.ok(tokensOf([text(first)]) > 4_500, "longer than the least that vendors keep");
  assert.ok(requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
  await check(url);
  const [, , , again] = requests.map(({ body }) => body);
  assert.equal(requests[3].headers.authorization, undefined);
  const isNew = (one, other) => text(one) !== text(other);
  assert.ok(isNew(again.tools, first.tools) && isNew(again.messages[0], first.messages[0]), "each run is new to a cache");
});

test("the Messages API gets its key, its version and its marks", async () => {
  const { url, requests } = await endpoint("tools first");
  const { code } = await check(url, ["--api", "messages", "--key-env", "MY_KEY"], { MY_KEY: KEY });
  assert.equal(code, 0);
  for (const { headers, body } of requests) {
    assert.deepEqual([headers["x-api-key"], headers["anthropic-version"]], [KEY, "2023-06-01"]);
    const marks = [...body.tools, ...body.system, ...body.messages.flatMap(({ content }) => content)];
    assert.equal(marks.filter(({ cache_control }) => cache_control !== undefined).length, 3);
    assert.deepEqual(body.tools.at(-1).cache_control, { type: "ephemeral" });
  }
});

test("what goes wrong is told with its cause", async () => {
  const refusing = (status, body) => endpoint("none", undefined, () => ({ status, body }));
  const denied = await refusing(401, JSON.stringify({ error: { message: `wrong key ${KEY}` } }));
  const one = await check(denied.url, [], { OPENAI_API_KEY: KEY });
  assert.deepEqual([one.code, one.stdout, denied.requests.length], [1, "", 1]);
  assert.match(one.stderr, /answered 401; it refuses the key in OPENAI_API_KEY/);
  assert.ok(!one.stderr.includes(KEY));
  const missing = await refusing(404, "{}");
  assert.match((await check(missing.url, ["--api", "responses"])).stderr, /a model "small".*with \/responses\?/);
  const wrong = await refusing(400, JSON.stringify({ error: { message: "tools are not supported\u001b[2J" } }));
  const { stderr } = await check(wrong.url);
  assert.ok(stderr.includes("answered 400: tools are not supported") && !stderr.includes("\u001b"), stderr);
  let asked = 0;
  const busy = await endpoint("tools first", undefined, () =>
    (asked += 1) === 2 ? { status: 503, body: "{}" } : undefined,
  );
  assert.equal((await check(busy.url)).code, 0);
  assert.match((await check("http://127.0.0.1:9/v1")).stderr, /^error: http:\/\/127\.0\.0\.1:9 cannot be reached/);
  const abroad = await check("http://model.example/v1", [], { OPENAI_API_KEY: KEY });
  assert.match(abroad.stderr, /would be sent to model\.example unencrypted/);
  for (const args of [
    [],
    ["--url", "nowhere", "--model", "m"],
    ["--url", "ftp://a/", "--model", "m"],
    ["--url", "http://127.0.0.1:9", "--model", "m", "--api", "soap"],
    ["--url", "http://127.0.0.1:9", "--model", "m", "--wait", "-1"],
    ["--url", "http://127.0.0.1:9", "--model", "m", "--key-env", "NO_SUCH_KEY"],
  ]) {
    assert.equal((await toolsift(["cache-check", ...args], { env: NO_KEYS })).code, 2, args.join(" "));
  }
});
