/**
 * Tests `toolsift enrich`: it makes a file of search words with a model, and the gateway uses the file. Refusals before any
 * request, and the use of the file in other commands, are in the transcripts.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test } from "vitest";
import { definitionHash } from "../../scripts/lib/packs/hash.mjs";
import { readEnrichment } from "toolsift/author";
import { folder, httpServer, start, tool, toolsift, until, valuesOf } from "./command-line.mjs";
import { said, search } from "./gateways.mjs";
import { config, overStdio, small } from "./processes.mjs";

const KEY = "sk-secret-0123456789";
const TOOLS = [
  tool("get_forecast", "Get the forecast for a place."),
  tool("list_alarms", "List what wakes you."),
  tool("get_route", "Get the way between two places."),
];
const WORDS = {
  get_forecast: { queries: ["do I need an umbrella?", "is it raining in Lisbon", "can we sail"], keywords: ["rain"] },
  list_alarms: { queries: ["when does the clock ring", "am I late", "my mornings"], keywords: ["snooze"] },
  get_route: { queries: ["how do I get home", "directions to work", "am I lost"], keywords: ["navigation"] },
};

/** The names of the tools that a request asks for. */
const asked = ({ messages }) => {
  const [, lines] = /<tools>\n([\s\S]*?)\n<\/tools>/.exec(messages[1].content);
  return lines.split("\n").map((line) => JSON.parse(line).name);
};
const answer = (content, usage = { prompt_tokens: 100, completion_tokens: 50 }) => ({
  choices: [{ message: { role: "assistant", content } }],
  ...(usage && { usage }),
});
const words = (body) => answer(JSON.stringify({ tools: asked(body).map((name) => ({ name, ...WORDS[name] })) }));

/** A model's server. `reply` returns what is answered, or `{ status, headers, body }`, or nothing for never. */
async function model(reply = words) {
  const requests = [];
  const server = await httpServer(async (request, response) => {
    const body = await json(request);
    requests.push({ body, url: request.url, headers: request.headers, tools: asked(body) });
    const given = await reply(body, requests.length);
    if (given === undefined) return;
    const { status = 200, headers = {}, body: content = given } = given.status ? given : {};
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  });
  return { requests, url: `${server.url}/v1` };
}

const NO_KEY = { OPENAI_API_KEY: "" };
const place = (files = {}) => folder({ "tools.json": { tools: TOOLS }, ...files });
const args = (url, ...more) => ["enrich", "tools.json", "--model", "small", "--base-url", url, "--yes", ...more];
const fileIn = (cwd, name = "enrichment.jsonl") => readFileSync(join(cwd, name), "utf8");
const namesIn = (cwd) => readEnrichment(fileIn(cwd)).map(({ name }) => name);

test("a model's words are written beside the tools, one tool a line", async () => {
  const { url, requests } = await model();
  const cwd = folder({ "sub/tools.json": { tools: TOOLS } });
  const command = ["enrich", "sub/tools.json", "-m", "small", "--base-url", `${url}/`, "--price", "1,2", "-y"];
  const { code, stdout, stderr } = await toolsift(command, { cwd, env: { OPENAI_API_KEY: KEY } });
  assert.equal(code, 0, stderr);
  assert.equal(requests.length, 1);
  const [{ body, url: path, headers }] = requests;
  assert.deepEqual([path, headers.authorization, body.model], ["/v1/chat/completions", `Bearer ${KEY}`, "small"]);
  assert.deepEqual(Object.keys(body), ["model", "messages"]);
  assert.deepEqual(valuesOf(body.messages, "role"), ["system", "user"]);
  const lines = fileIn(cwd, "sub/enrichment.jsonl").trim().split("\n");
  assert.deepEqual(JSON.parse(lines[0]), {
    name: "get_forecast",
    server: "tools",
    hash: definitionHash("get_forecast", "Get the forecast for a place."),
    languages: ["en"],
    ...WORDS.get_forecast,
  });
  assert.equal(lines.length, 3);
  assert.match(stderr, /^3 tools in 1 request: about \d+ tokens in and \d+ out, US\$ 0\.00\d+\.$/m);
  assert.match(stderr, /^1 of 1 request, 3 tools written$/m);
  assert.match(stdout, /^sub.enrichment\.jsonl: 3 written, 0 kept; 100 tokens in, 50 out, US\$ 0\.00020$/m);
  assert.doesNotMatch(stdout + stderr, new RegExp(KEY));
  assert.deepEqual(readdirSync(join(cwd, "sub")), ["enrichment.jsonl", "tools.json"]);

  const again = await toolsift(command, { cwd, env: NO_KEY });
  assert.deepEqual([again.code, requests.length], [0, 1]);
  assert.match(again.stdout, /nothing to do, every tool has its words/);
});

test("only what changed is asked for, and edits stay", async () => {
  const { url, requests } = await model();
  const cwd = place();
  await toolsift(args(url), { cwd, env: NO_KEY });
  const edited = fileIn(cwd).replace('"snooze"', '"snooze","mine"');
  writeFileSync(join(cwd, "enrichment.jsonl"), edited);
  const changed = [{ ...TOOLS[0], description: "Get the forecast for a harbour." }, ...TOOLS.slice(1)];
  writeFileSync(join(cwd, "tools.json"), JSON.stringify({ tools: changed }));
  const { code, stdout } = await toolsift(args(url, "--json"), { cwd, env: NO_KEY });
  const { file, written, kept, failed, tokens } = JSON.parse(stdout);
  assert.deepEqual([code, file, written, kept, failed], [0, "enrichment.jsonl", 1, 2, []]);
  assert.deepEqual(tokens, { input: 100, output: 50 });
  assert.deepEqual(requests[1].tools, ["get_forecast"]);
  assert.match(fileIn(cwd), /"snooze","mine"/);
  assert.equal(fileIn(cwd).trim().split("\n").length, 3);
});

const one = (status, message, headers) => () => ({ status, headers, body: { error: { message } } });
const refused = `Incorrect API key provided: ${KEY}`;
const busy = { status: 429, headers: { "retry-after": "0" }, body: "" };
const down = { status: 503, headers: { "retry-after": new Date(0).toUTCString() }, body: "<html>down\u001b[31m</html>" };
const rubbish = (body) => (request) => (asked(request).includes("list_alarms") ? { status: 200, body } : words(request));
const ALL = Object.keys(WORDS);
const [REST, NO_TEXT] = [["get_forecast", "get_route"], /: list_alarms: the answer of the model's server holds no text/];

/** What a model's server answers, how often it is asked, the tools that have words then, and what is told of the others. */
const RUNS = {
  "a refused key ends the run": [one(401, refused), 1, [], /answered 401; it refuses the key in MY_KEY/],
  "so does a forbidden one": [one(403, refused), 1, [], /answered 403; it refuses the key in MY_KEY/],
  "an empty account": [one(402, refused), 1, [], /answered 402: Incorrect API key provided: \[key\]/],
  "an unknown model": [one(404, refused), 1, [], /answered 404: .* \[key\]; is there a model "small"/],
  "a busy server is asked again": [(body, count) => (count <= 2 ? busy : words(body)), 5, ALL, /^/],
  "not for ever": [
    () => down,
    18,
    [],
    /get_forecast.*: the model's server answered 503: <html>down\\u\{001B\}\[31m<\/html>/,
  ],
  "a text without JSON": [
    rubbish(answer("I cannot do that.")),
    4,
    REST,
    /: list_alarms: the answer holds no JSON as asked for/,
  ],
  "no text": [rubbish(answer(null)), 4, REST, NO_TEXT],
  "a list of texts": [rubbish(answer([{ type: "text", text: "no" }])), 4, REST, /: list_alarms: /],
  "no JSON": [rubbish("<html>"), 4, REST, NO_TEXT],
  "no choices": [rubbish({ choices: [] }), 4, REST, NO_TEXT],
  "a redirect": [one(307, "", { location: "https://elsewhere.example/v1" }), 5, [], /cannot be reached: .*redirect/],
};

for (const [what, [reply, count, written, told]] of Object.entries(RUNS)) {
  test(`${what}: what fails is told without the key, and the next run asks for it alone`, async () => {
    const { url, requests } = await model(reply);
    const cwd = place();
    const command = args(url, "--key-env", "MY_KEY", "--batch", "1", "--concurrency", "1");
    const { code, stdout, stderr } = await toolsift(command, { cwd, env: { MY_KEY: KEY } });
    assert.deepEqual([code, requests.length], [written.length === 3 ? 0 : 1, count], stderr);
    assert.match(stderr, told);
    assert.doesNotMatch(stdout + stderr, /sk-secret|\u001b/);
    assert.deepEqual(existsSync(join(cwd, "enrichment.jsonl")) ? namesIn(cwd) : [], written);
    const next = await model();
    assert.equal((await toolsift(args(next.url), { cwd, env: NO_KEY })).code, 0);
    const missing = ALL.filter((name) => !written.includes(name));
    assert.deepEqual(
      next.requests.flatMap(({ tools }) => tools),
      missing,
    );
    assert.ok(
      next.requests.every(({ headers }) => headers.authorization === undefined),
      "a local server needs no key",
    );
    assert.deepEqual(namesIn(cwd), ALL);
  });
}

test("Ctrl-C keeps what was written, and the next run goes on there", async () => {
  const { url, requests } = await model((body, count) => (count === 1 ? words(body) : undefined));
  const cwd = place();
  const { child, done } = start(args(url, "--batch", "1", "--concurrency", "1"), { cwd, env: NO_KEY });
  await until(() => requests.length === 2);
  child.kill("SIGINT");
  const { code, stderr } = await done;
  assert.equal(code, 130);
  assert.match(stderr, /interrupted; "enrichment\.jsonl" contains the results so far; run the same command to continue/);
  assert.deepEqual(namesIn(cwd), ["get_forecast"]);
  const next = await model();
  const { stdout } = await toolsift(args(next.url), { cwd, env: NO_KEY });
  assert.match(stdout, /2 written, 1 kept/);
  assert.deepEqual(valuesOf(next.requests, "tools"), [["list_alarms", "get_route"]]);
  assert.deepEqual(namesIn(cwd), Object.keys(WORDS));
});

test("a run that is killed leaves a whole file", async () => {
  const { url, requests } = await model((body, count) => (count < 3 ? words(body) : undefined));
  const cwd = place();
  const { child, done } = start(args(url, "--batch", "1", "--concurrency", "1"), { cwd, env: NO_KEY });
  await until(() => requests.length === 3);
  child.kill("SIGKILL");
  await done;
  assert.deepEqual(namesIn(cwd), ["get_forecast", "list_alarms"]);
});

const SKY = `
const TOOLS = ${JSON.stringify(TOOLS)};
server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({ tools: TOOLS }));`;

test("the tools of a server are enriched, and the gateway searches the words", async (t) => {
  const { url } = await model();
  const cwd = folder({});
  const file = config(cwd, { sky: small(cwd, "sky", SKY) }, { activation: "on", enrichment: "enrichment.jsonl" });
  const command = ["enrich", "servers.json", "-m", "small", "--base-url", url, "-y"];
  const { code, stderr } = await toolsift(command, { cwd, env: NO_KEY });
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    readEnrichment(fileIn(cwd)).map(({ name, server }) => [name, server]),
    Object.keys(WORDS).map((name) => [name, "sky"]),
  );
  const found = async (home, ...more) => {
    const gateway = await overStdio(t, home, ["--config", file, ...more]);
    const answer = said(await search(gateway.client, "is it raining in Lisbon"));
    await gateway.client.close();
    return { answer, told: gateway.stderr() };
  };
  const { answer } = await found(folder({}));
  assert.match(answer, /get_forecast/);
  assert.doesNotMatch(answer, /umbrella|Lisbon/);
  // Two names do not tell whose the tools are; three would do.
  const others = fileIn(cwd)
    .replaceAll(/"hash":"\w+"/g, '"hash":"0123456789abcdef"')
    .split("\n")
    .slice(0, 2);
  writeFileSync(join(cwd, "stale.jsonl"), others.join("\n"));
  const stale = await found(folder({}), "--enrichment", join(cwd, "stale.jsonl"));
  assert.doesNotMatch(stale.answer, /get_forecast/);
  assert.match(
    stale.told,
    /the enrichment of 2 tools of sky was written from other definitions and is ignored: get_forecast, list_alarms/,
  );
  const wrong = await toolsift(["mcp", "--config", file, "--enrichment", join(cwd, "nowhere.jsonl")], { cwd });
  assert.deepEqual([wrong.code, /nowhere\.jsonl" cannot be read/.test(wrong.stderr)], [1, true]);
});
