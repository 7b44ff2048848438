/**
 * Does `toolsift enrich` turn a model into a file of words, and do the other commands search them?
 *
 * 1. What is sent to an OpenAI-compatible server, and what is written, told and counted. 2. Nothing is asked for or spent
 * without a yes; a dry run says what it would take. 3. A key reaches only the server that it is for, and no message. 4. A busy
 * server is asked again, a refusal ends the run, rubbish costs its own tools. 5. What was written stays after Ctrl-C, and the
 * next run goes on there. 6. No other file is written over. 7. `search`, `explain`, `eval`, `doctor`, `index` and `mcp` take the
 * file, and tell what fits no more.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { ToolSift } from "toolsift";
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

test("a dry run asks for nothing and writes nothing", async () => {
  const { url, requests } = await model();
  const cwd = place();
  const command = ["enrich", "tools.json", "--dry-run", "--base-url", url];
  const { code, stdout } = await toolsift([...command, "--price", "0.15,0.6"], { cwd, env: NO_KEY });
  assert.equal(code, 0);
  assert.match(stdout, /^3 tools in 1 request: about \d+ tokens in and \d+ out, US\$ 0\.\d+\.$/m);
  const plain = JSON.parse((await toolsift([...command, "--json", "--languages", "en,ja"], { cwd })).stdout);
  assert.deepEqual([plain.tools, plain.requests, plain.file, "cost" in plain], [3, 2, "enrichment.jsonl", false]);
  const priced = JSON.parse((await toolsift([...command, "--json", "--price", "1,2"], { cwd })).stdout);
  assert.equal(priced.cost, (priced.inputTokens + 2 * priced.outputTokens) / 1e6);
  assert.deepEqual([requests.length, readdirSync(cwd)], [0, ["tools.json"]]);
});

const WRONG = [
  ["no yes, and nobody to ask", ["-m", "small"], /cannot ask without a terminal[\s\S]*--dry-run[\s\S]*--yes/],
  ["no model", ["--yes"], /name a model with --model/],
  ["a language that is none", ["-m", "small", "-y", "--languages", "en,no such"], /--languages\.1 is "no such"/],
  ["prices that are none", ["--price", "1"], /two prices/],
  ["a negative price", ["--price=-1,2"], /two prices/],
  ["too many at a time", ["--concurrency", "33"], /from 1 to 32/],
  ["a base that is no URL", ["--base-url", "localhost"], /http:\/\/localhost:11434/],
  ["a base with a password", ["--base-url", "https://a:b@example.com/v1"], /without a user or a password/],
  ["a key that is named and missing", ["-m", "small", "-y", "--key-env", "MY_KEY"], /the environment has no MY_KEY/],
  ["the source as the file", ["-m", "small", "-y", "--out", "tools.json"], /"tools\.json" is one of the sources/],
  ["another file", ["-m", "small", "-y", "--out", "list.json"], /"list\.json" exists and is no enrichment file/],
];

for (const [what, more, message] of WRONG) {
  test(`refused before anything is asked: ${what}`, async () => {
    const { url, requests } = await model();
    const cwd = place({ "list.json": TOOLS });
    const base = more.includes("--base-url") ? [] : ["--base-url", url];
    const { code, stdout, stderr } = await toolsift(["enrich", "tools.json", ...base, ...more], { cwd, env: NO_KEY });
    assert.deepEqual([code, stdout, requests.length], [2, "", 0]);
    assert.match(stderr, message);
    assert.deepEqual(JSON.parse(fileIn(cwd, "list.json")), TOOLS);
  });
}

test("a key is needed by OpenAI, and is not sent for everybody to read", async () => {
  const cwd = place();
  const run = (url, env) => toolsift(args(url), { cwd, env });
  const missing = await run("https://api.openai.com/v1", NO_KEY);
  assert.deepEqual(
    [missing.code, /no OPENAI_API_KEY, which holds the key for api\.openai\.com/.test(missing.stderr)],
    [2, true],
  );
  const open = await run("http://models.example/v1", { OPENAI_API_KEY: KEY });
  assert.deepEqual([open.code, /sent to models\.example unencrypted/.test(open.stderr)], [2, true]);
  const broken = await run("https://models.example/v1", { OPENAI_API_KEY: `${KEY}\nx` });
  assert.deepEqual([broken.code, /no header can have/.test(broken.stderr)], [2, true]);
  for (const { stderr } of [missing, open, broken]) assert.doesNotMatch(stderr, new RegExp(KEY));
});

test("a local server needs no key", async () => {
  const { url, requests } = await model();
  const { code } = await toolsift(args(url), { cwd: place(), env: NO_KEY });
  assert.deepEqual([code, requests[0].headers.authorization], [0, undefined]);
});

test("a refused key ends the run, and is in no message", async () => {
  const error = { error: { message: `Incorrect API key provided: ${KEY}` } };
  for (const [status, part] of [
    [401, /answered 401; it refuses the key in MY_KEY/],
    [403, /answered 403; it refuses the key in MY_KEY/],
    [402, /answered 402: Incorrect API key provided: \[key\]/],
    [404, /answered 404: Incorrect API key provided: \[key\]; is there a model "small"/],
  ]) {
    const { url, requests } = await model(() => ({ status, body: error }));
    const cwd = place();
    const command = args(url, "--key-env", "MY_KEY", "--batch", "1", "--concurrency", "1");
    const { code, stdout, stderr } = await toolsift(command, { cwd, env: { MY_KEY: KEY } });
    assert.deepEqual([code, stdout, requests.length], [1, "", 1]);
    assert.match(stderr, part);
    assert.doesNotMatch(stderr, new RegExp(KEY));
    assert.equal(existsSync(join(cwd, "enrichment.jsonl")), false);
  }
});

test("a busy server is asked again when it says so, and not for ever", async () => {
  const busy = { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } };
  const { url, requests } = await model((body, count) => (count <= 2 ? busy : words(body)));
  const cwd = place();
  const { code } = await toolsift(args(url), { cwd, env: NO_KEY });
  assert.deepEqual([code, requests.length, namesIn(cwd).length], [0, 3, 3]);
  const down = { status: 503, headers: { "retry-after": new Date(0).toUTCString() }, body: "<html>down\u001b[31m</html>" };
  const never = await model(() => down);
  const { code: failed, stderr, stdout } = await toolsift(args(never.url), { cwd: place(), env: NO_KEY });
  assert.deepEqual([failed, never.requests.length], [1, 6]);
  assert.match(
    stderr,
    /tools: get_forecast and 2 more tools: the model's server answered 503: <html>down\\u\{001B\}\[31m<\/html>/,
  );
  assert.match(stdout, /0 written, 0 kept, 3 failed/);
  assert.doesNotMatch(stderr, /\u001b/);
});

test("rubbish costs its own tools, which the next run asks for again", async () => {
  const bodies = [
    answer("I cannot do that."),
    answer(null),
    answer([{ type: "text", text: "no" }]),
    "<html>",
    { choices: [] },
    "null",
  ];
  for (const rubbish of bodies) {
    const { url, requests } = await model((body) =>
      asked(body).includes("list_alarms") ? { status: 200, body: rubbish } : words(body),
    );
    const cwd = place();
    const { code, stderr, stdout } = await toolsift(args(url, "--batch", "1"), { cwd, env: NO_KEY });
    assert.deepEqual([code, requests.length], [1, 4]);
    assert.match(
      stderr,
      /tools: list_alarms: (the answer holds no JSON as asked for|the answer of the model's server holds no text)/,
    );
    assert.match(stdout, /2 written, 0 kept, 1 failed/);
    assert.deepEqual(namesIn(cwd), ["get_forecast", "get_route"]);
    const next = await model();
    await toolsift(args(next.url), { cwd, env: NO_KEY });
    assert.deepEqual(valuesOf(next.requests, "tools"), [["list_alarms"]]);
    assert.deepEqual(namesIn(cwd), Object.keys(WORDS));
  }
});

test("a server that cannot be reached, or leads elsewhere, gets nothing", async () => {
  const elsewhere = await model();
  const { url } = await model(() => ({ status: 307, headers: { location: `${elsewhere.url}/chat/completions` }, body: "" }));
  const { code, stderr } = await toolsift(args(url), { cwd: place(), env: { OPENAI_API_KEY: KEY } });
  assert.deepEqual([code, elsewhere.requests.length], [1, 0]);
  assert.match(stderr, /cannot be reached: .*redirect/);
});

test("Ctrl-C keeps what was written, and the next run goes on there", async () => {
  const { url, requests } = await model((body, count) => (count === 1 ? words(body) : undefined));
  const cwd = place();
  const { child, done } = start(args(url, "--batch", "1", "--concurrency", "1"), { cwd, env: NO_KEY });
  await until(() => requests.length === 2);
  child.kill("SIGINT");
  const { code, stderr } = await done;
  assert.equal(code, 130);
  assert.match(stderr, /interrupted; "enrichment\.jsonl" has what was written so far, and the same command goes on/);
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

test("a file that cannot be written is told before anything is spent", async () => {
  const { url, requests } = await model();
  const command = args(url, "--batch", "1", "--concurrency", "1", "--out", "no-such-folder/words.jsonl");
  const { code, stderr } = await toolsift(command, { cwd: place(), env: NO_KEY });
  assert.deepEqual([code, requests.length], [1, 0]);
  assert.match(stderr, /"no-such-folder\/words\.jsonl" cannot be written/);
});

const entries = TOOLS.map(({ name, description }) => ({ name, hash: definitionHash(name, description), ...WORDS[name] }));
const lines = (list) => list.map((one) => JSON.stringify(one)).join("\n");
const searching = folder({
  "tools.json": { tools: TOOLS },
  "words.jsonl": lines(entries),
  "stale.jsonl": lines([{ ...entries[0], hash: "0123456789abcdef" }, entries[1]]),
  "other.jsonl": lines([{ name: "elsewhere", keywords: ["x"] }]),
  "broken.jsonl": `${lines(entries)}\n{"name":`,
  "queries.txt": "do I need an umbrella? -> get_forecast\nlist my alarms -> list_alarms\nwhat to cook -> get_route\n",
});
const run = (...more) => toolsift(more, { cwd: searching });

test("search and explain find tools by these words, and say so", async () => {
  const plain = await run("search", "umbrella", "tools.json");
  assert.equal(plain.code, 1);
  const rich = await run("search", "umbrella", "tools.json", "--enrichment", "words.jsonl");
  assert.deepEqual([rich.code, rich.stderr], [0, ""]);
  assert.match(rich.stdout, /get_forecast +tools +query: covered, umbrella/);
  const explained = await run("explain", "rain", "get_forecast", "tools.json", "--enrichment", "words.jsonl");
  assert.match(explained.stdout, /keyword +word +rain +rain/);
});

test("eval has a row with and one without", async () => {
  const { code, stdout } = await run("eval", "queries.txt", "tools.json", "--enrichment", "words.jsonl");
  assert.equal(code, 0);
  assert.match(stdout, /without the file +3 +33\.3 % +33\.3 % +0\.333/);
  assert.match(stdout, /with the file +3 +66\.7 % +66\.7 % +0\.667/);
  assert.match(stdout, /Found only with it: 1 \(line 1\)\. Found only without it: none\./);
  const json = await run(
    "eval",
    "queries.txt",
    "tools.json",
    "--enrichment",
    "words.jsonl",
    "--json",
    "--fail-under",
    "0.6",
  );
  const { recallAt5, misses, without } = JSON.parse(json.stdout);
  assert.deepEqual([json.code, recallAt5, misses.length, without.misses.length], [0, 2 / 3, 1, 2]);
  const plain = JSON.parse((await run("eval", "queries.txt", "tools.json", "--json")).stdout);
  assert.deepEqual(plain, without);
});

test("what fits no more is told on stderr, and a broken file is refused with its line", async () => {
  for (const [command, more] of [
    ["search", ["rain"]],
    ["doctor", []],
    ["index", ["-o", "stale.bin"]],
  ]) {
    const stale = await run(command, ...more, "tools.json", "--enrichment", "stale.jsonl");
    assert.match(
      stale.stderr,
      /the enrichment of 1 tool was written from another definition and is ignored: get_forecast; run/,
      command,
    );
    const none = await run(command, ...more, "tools.json", "--enrichment", "other.jsonl");
    assert.match(none.stderr, /no entry of --enrichment is for one of these tools/);
    const broken = await run(command, ...more, "tools.json", "--enrichment", "broken.jsonl");
    assert.deepEqual([broken.code, broken.stdout], [1, ""]);
    assert.match(broken.stderr, /"broken\.jsonl": the enrichment cannot be read: line 4/);
  }
  const both = await run("search", "rain", "tools.json", "--enrichment", "other.jsonl", "--enrichment", "words.jsonl");
  assert.deepEqual([both.code, both.stderr], [0, ""]);
});

test("an index keeps the words", async () => {
  await run("index", "tools.json", "-o", "rich.bin", "--enrichment", "words.jsonl");
  const sift = ToolSift.fromIndex(readFileSync(join(searching, "rich.bin")), { search: { universe: "all" } });
  assert.equal(sift.search("umbrella").hits[0].name, "get_forecast");
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
