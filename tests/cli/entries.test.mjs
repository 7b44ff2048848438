/**
 * Is an entry of `mcpServers` read alike by the command that lists tools, by the gateway, and by the library?
 * 1. What clients accept is accepted: numbers in `env`, variables that are set to nothing, `$${` for `${`.
 * 2. What is wrong is told with the name of its server, and costs no other server; in a program it is an error.
 * 3. A server that is switched off is not started, and commands say so.
 * 4. Every command reads the spelling of every client.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { toolsift as door } from "toolsift/openai";
import { serverWay } from "toolsift/gateway";
import { folder, toolsift } from "./command-line.mjs";
import { said, search } from "./gateways.mjs";
import { overStdio } from "./processes.mjs";

/** A server whose only tool has the name of its first argument, and says what it was started with. */
const SERVER = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [log, name, ...args] = process.argv.slice(2);
appendFileSync(log, name + "\\n");
const { PORT, ON, EMPTY } = process.env;
const tool = { name, description: JSON.stringify({ PORT, ON, EMPTY, args }), inputSchema: { type: "object" } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const body = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
}
`;
const home = folder({ "server.mjs": SERVER });
const log = join(home, "started.txt");
const args = (name, ...more) => [join(home, "server.mjs"), log, name, ...more];
const entry = (name, more = {}) => ({ command: process.execPath, args: args(name), ...more });
const started = () => readFileSync(log, "utf8").split("\n");

const GOOD = {
  number: entry("number", { env: { PORT: 8080, ON: true } }),
  empty: entry("empty", { env: { EMPTY: "${TOOLSIFT_EMPTY}" } }),
  literal: entry("literal", { args: args("literal", "$${X}", "$$${X}") }),
};
const OFF = { off: entry("off", { enabled: false }), gone: entry("gone", { disabled: true }) };
const BAD = {
  bogus: { type: "bogus", url: "http://127.0.0.1:9/" },
  both: { command: "x", url: "http://127.0.0.1:9/" },
  list: { command: "x", args: "-y" },
  nothing: { comand: "x" },
  unset: entry("unset", { args: args("unset", "${TOOLSIFT_NOT_SET}") }),
};
const WRONG = {
  bogus: /"bogus"\.type is string bogus; it must be one of stdio, http/,
  both: /"both" has both command and url/,
  list: /"list"\.args is a text; it must be a list of texts/,
  nothing: /"nothing" has neither command nor url; it has "comand"/,
  unset: /"unset" is left out: the environment has no TOOLSIFT_NOT_SET/,
};
const EXPECTED = {
  number: { PORT: "8080", ON: "true", args: [] },
  empty: { EMPTY: "", args: [] },
  literal: { args: ["${X}", "$${X}"] },
};
const env = { TOOLSIFT_EMPTY: "" };

const described = (tools) => Object.fromEntries(tools.map(({ server, description }) => [server, JSON.parse(description)]));

test("1. 2. 3. tools FILE", async () => {
  const file = join(folder({ "mcp.json": { mcpServers: { ...GOOD, ...OFF, ...BAD } } }), "mcp.json");
  const { code, stdout, stderr } = await toolsift(["tools", file], { env });
  assert.equal(code, 1);
  assert.deepEqual(described(JSON.parse(stdout).tools), EXPECTED);
  for (const pattern of Object.values(WRONG)) assert.match(stderr, pattern);
  for (const name of Object.keys(OFF)) {
    assert.match(stderr, new RegExp(`"${name}" is switched off`));
    assert.ok(!started().includes(name));
  }
});

test("1. 2. 3. mcp --config FILE", async (t) => {
  const inside = folder({ "mcp.json": { mcpServers: { ...GOOD, ...OFF, ...BAD } } });
  const flags = ["--config", join(inside, "mcp.json"), "--activation", "on", "--trust", "off"];
  const { client, stderr } = await overStdio(t, inside, flags, { env });
  const answer = said(await search(client, "number empty literal"));
  for (const expected of Object.values(EXPECTED)) assert.ok(answer.includes(JSON.stringify(expected)), answer);
  for (const [name, pattern] of Object.entries(WRONG)) {
    assert.match(stderr(), pattern);
    assert.match(answer, new RegExp(`Not available now[^]*${name} \\(`));
  }
  for (const name of Object.keys(OFF)) {
    assert.match(stderr(), new RegExp(`"${name}" is switched off`));
    assert.ok(!started().includes(name));
  }
});

test("1. 2. 3. the library", async () => {
  const sift = new ToolSift();
  const open = await door({ sift, mcpServers: { ...GOOD, ...OFF }, env, ready: "all", onStatus: () => {} });
  assert.deepEqual(described(sift.tools()), EXPECTED);
  await open.close();
  for (const [name, code] of Object.entries({ bogus: "option_invalid", both: "option_conflict", list: "option_invalid" })) {
    const named = (pattern) => (error) => error.code === code && pattern.test(error.message);
    await assert.rejects(door({ mcpServers: { [name]: BAD[name] } }), named(new RegExp(`^options\\.mcpServers\\.${name}`)));
    assert.throws(() => serverWay(name, BAD[name], {}), named(new RegExp(`^mcpServers\\.${name}`)));
  }
  assert.throws(() => serverWay("a:b", GOOD.number, {}), /"a:b" has a colon/);
});

const SPELLINGS = {
  opencode: [
    "opencode.json",
    { mcp: { one: { type: "local", command: [process.execPath, ...args("one", "{env:WORD}")] } } },
  ],
  "opencode 2": [
    "opencode.json",
    { mcp: { servers: { one: { command: [process.execPath, ...args("one", "{env:WORD}")] } } } },
  ],
  Zed: ["settings.json", { theme: "dark", context_servers: { one: entry("one", { args: args("one", "${WORD}") }) } }],
  Cursor: ["mcp.json", { mcpServers: { one: entry("one", { args: args("one", "${env:WORD}"), alwaysAllow: ["x"] }) } }],
  Codex: [
    "config.toml",
    `[mcp_servers.one]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args("one", "${WORD}"))}\n`,
  ],
};
for (const [client, [name, content]] of Object.entries(SPELLINGS)) {
  test(`4. tools FILE: ${client}`, async () => {
    const { code, stdout, stderr } = await toolsift(["tools", join(folder({ [name]: content }), name)], {
      env: { WORD: "w" },
    });
    assert.equal(code, 0, stderr);
    assert.deepEqual(described(JSON.parse(stdout).tools), { one: { args: ["w"] } });
    assert.equal(stderr, "");
  });
}

test("4. The keys of a URL, its headers and its transport; keys of a process beside it are told", async () => {
  const one = { serverUrl: "http://127.0.0.1:9/mcp", type: "streamable-http", env: { A: "1" } };
  const file = join(folder({ "mcp.json": { mcpServers: { one } } }), "mcp.json");
  const { code, stderr } = await toolsift(["tools", file]);
  assert.equal(code, 1);
  assert.match(stderr, /"one" has keys that toolsift does not apply: "env"/);
  assert.match(stderr, /the server one: cannot connect to http:\/\/127\.0\.0\.1:9: /);
});

test("2. Entries that are all wrong, or switched off, are an error", async () => {
  for (const [servers, expected] of [
    [{ both: BAD.both }, /^error: .*mcp\.json:\d+:\d+: "both" has both command and url/],
    [OFF, /"off" is switched off[^]*error: no source has a tool/],
    [{}, /error: .* configures no servers: its mcpServers is empty/],
  ]) {
    const { code, stderr } = await toolsift(["tools", join(folder({ "mcp.json": { mcpServers: servers } }), "mcp.json")]);
    assert.equal(code, 1);
    assert.match(stderr, expected);
  }
});
