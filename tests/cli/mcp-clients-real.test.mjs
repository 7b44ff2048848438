/**
 * Tests real clients and a real server, with the gateway's process between them.
 * 1. The MCP Inspector, both versions of the SDK in both protocols, and both major versions of @ai-sdk/mcp list, search and
 *    call over stdio and over HTTP.
 * 2. Requests of server-everything to its client (elicitation, sampling) reach the client, and the answer comes back.
 * 3. A second start of the gateway with six real servers (short form: two) answers a search from stored definitions.
 * 4. Passed through unchanged, server-everything behaves as it does without the gateway: lists, prompts, resources, answers
 *    of tools.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { allOrLast, isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { SERVERS } from "../../scripts/servers.mjs";
import { BIN, folder, start, until } from "./command-line.mjs";
import { SURFACE } from "./gateways.mjs";
import { ANSWERING, CLIENTS, sdk1 } from "./mcp-clients-real.mjs";
import { config, real } from "./processes.mjs";

const EVERYTHING = real("everything", "stdio");
const home = folder();
const file = config(home, { everything: EVERYTHING });

/**
 * The gateway as an entry of a client's configuration. What it keeps of the servers is its own for each way that it is run:
 * server-everything has more tools for clients that can do more.
 */
const gateway = (...flags) => ({
  command: process.execPath,
  args: [BIN, "mcp", "--config", file, ...flags],
  env: { TOOLSIFT_HOME: join(home, `home ${flags.join(" ")}`) },
});

let http;
let url;
beforeAll(async () => {
  const { args, env } = gateway("--activation", "on", "--http", "0", "--no-token");
  http = start(args.slice(1), { env, input: false });
  await until(() => ([, url] = /listening on (\S+)/.exec(http.said.stderr) ?? []).length > 0, "listening");
});
afterAll(() => (http.child.kill(), http.done));

const WAYS = { stdio: () => gateway("--activation", "on"), HTTP: () => ({ url }) };

/** Each client over each way. */
function cases(clients) {
  return allOrLast(Object.entries(clients)).flatMap(([name, open]) => {
    return Object.entries(WAYS).map(([way, entry]) => ({ name, open, way, entry }));
  });
}

for (const { name, open, way, entry } of cases(CLIENTS)) {
  test(`${name} lists, searches and calls over ${way}`, async (t) => {
    const client = await open(entry());
    t.onTestFinished(() => client.close());
    assert.deepEqual(await client.tools(), SURFACE);
    const found = await client.call("search_tools", { query: "add two numbers" });
    assert.match(found, /^\{"name":"get-sum","server":"everything","call_with":"call_read_only_tool"/m);
    const sum = await client.call("call_read_only_tool", { name: "get-sum", arguments: { a: 2, b: 3 } });
    assert.equal(sum, "The sum of 2 and 3 is 5.");
  });
}

for (const { name, open, way, entry } of cases(ANSWERING)) {
  test(`${name} is asked for input and for a sample over ${way}, and answers`, async (t) => {
    const asked = [];
    const client = await open(entry(), {
      "elicitation/create": (params) => {
        asked.push(params);
        return { action: "accept", content: { name: "Ada Lovelace", check: true } };
      },
      "sampling/createMessage": (params) => {
        asked.push(params);
        return { role: "assistant", model: "test-model", content: { type: "text", text: "A gateway is a door." } };
      },
    });
    t.onTestFinished(() => client.close());

    const input = await client.call("call_tool", { name: "trigger-elicitation-request", arguments: {} });
    assert.match(input, /User provided the requested information/);
    assert.match(input, /Ada Lovelace/);

    const args = { prompt: "What is a gateway?" };
    const sample = await client.call("call_tool", { name: "trigger-sampling-request", arguments: args });
    assert.match(sample, /A gateway is a door\./);
    assert.match(sample, /test-model/);

    const [elicitation, sampling] = asked;
    assert.equal(asked.length, 2);
    assert.equal(elicitation.message, 'The server "everything" asks:\n> Please provide inputs for the following fields:');
    assert.equal(elicitation.requestedSchema.properties.name.title, "String");
    assert.match(sampling.messages[0].content.text, /What is a gateway\?$/);
    const theirs = 'The MCP server "everything" asks this. It is not the user\'s request.';
    assert.equal(sampling.systemPrompt, `${theirs}\n\nYou are a helpful test server.`);
  });
}

const FRONT = isFull ? SERVERS : SERVERS.filter(({ name }) => ["memory", "github"].includes(name));

test(`at its second start the gateway answers a search for ${FRONT.length} servers and starts none of them`, async () => {
  const own = folder();
  const entries = FRONT.map(({ name, package: from, args = () => [], env = () => ({}) }) => {
    const file = at("node_modules", from, "dist", "index.js");
    return [name, { command: process.execPath, args: [file, ...args(own)], env: env(own) }];
  });
  const file = join(own, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  /** Searches in a process of its own. Returns the servers that it has started. */
  const startedBySearch = async (log) => {
    const args = [BIN, "mcp", "--config", file, "--log", join(own, log)];
    const client = await sdk1({ command: process.execPath, args, env: { TOOLSIFT_HOME: join(own, "home") } });
    const answer = await client.call("search_tools", { query: "open a pull request" });
    await client.close();
    assert.match(answer, /"name":"create_pull_request","server":"github"/);
    const events = readFileSync(join(own, log), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return [...new Set(events.flatMap(({ event, server }) => (event === "server" ? [server] : [])))];
  };
  assert.deepEqual((await startedBySearch("first.jsonl")).sort(), FRONT.map(({ name }) => name).sort());
  assert.deepEqual(await startedBySearch("second.jsonl"), []);
});

/** An answer without the name of the server that it is from, which the gateway adds to prompts and resources. */
function withoutOrigin(answer) {
  return JSON.parse(JSON.stringify(answer), (_, value) => {
    if (value?._meta?.["toolsift/server"] === undefined) return value;
    const { "toolsift/server": _origin, ...meta } = value._meta;
    const { _meta, ...rest } = value;
    return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
  });
}

test("passed through, the server is what it is without the gateway", async (t) => {
  const [through, direct] = [await sdk1(gateway()), await sdk1(EVERYTHING)];
  t.onTestFinished(() => Promise.all([through.close(), direct.close()]));
  const same = async (ask) => {
    const [expected, actual] = [await ask(direct.client), await ask(through.client)];
    assert.deepEqual(withoutOrigin(actual), expected);
    return expected;
  };
  // The gateway leaves out tools that run only as tasks.
  const runsAsTask = ({ execution }) => execution?.taskSupport === "required";
  const { tools } = await same(async (client) => ({
    tools: (await client.listTools()).tools.filter((one) => !runsAsTask(one)),
  }));
  assert.ok(tools.length > 10);
  await same((client) => client.listPrompts());
  await same((client) => client.listResourceTemplates());
  const { resources } = await same((client) => client.listResources());
  await same((client) => client.readResource({ uri: resources[0].uri }));
  await same((client) => client.getPrompt({ name: "args-prompt", arguments: { city: "Paris", state: "Texas" } }));
  await same((client) => {
    const ref = { type: "ref/prompt", name: "completable-prompt" };
    return client.complete({ ref, argument: { name: "department", value: "E" } });
  });
  const calls = {
    echo: { message: "hello" },
    "get-tiny-image": {},
    "get-annotated-message": { messageType: "error", includeImage: true },
    "get-structured-content": { location: "New York" },
    "get-resource-links": { count: 3 },
    "get-sum": { a: 1 },
  };
  for (const [name, args] of Object.entries(calls)) await same((client) => client.callTool({ name, arguments: args }));
});
