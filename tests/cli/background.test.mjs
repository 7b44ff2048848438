/**
 * Words that a model writes while a gateway or a proxy serves: the searches of clients get better, `status()` and events say how far it
 * is, a server that goes ends it, and `npx toolsift mcp --enrich` says what is sent where.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { gateway } from "toolsift/gateway";
import { at } from "../../scripts/lib/paths.mjs";
import { BIN, folder, start, toolsift } from "./command-line.mjs";
import { client, opened, said, search, server } from "./gateways.mjs";

const model = ({ prompt }) => {
  const names = [...prompt.matchAll(/"name":"([\w-]+)"/g)].map(([, name]) => name);
  const queries = (name) => [
    `show the zeppelin of ${name.replaceAll(/[_-]/g, " ")}`,
    "where is my airship",
    "balloon plans please",
  ];
  return JSON.stringify({ tools: names.map((name) => ({ name, queries: queries(name), keywords: ["zeppelin"] })) });
};
const memory = () => server("memory", { read_graph: { description: "Read all entities." } });
const until = async (is) => {
  for (const end = Date.now() + 60_000; !is(); assert.ok(Date.now() < end))
    await new Promise((resolve) => setTimeout(resolve, 10));
};

test("a gateway", async (t) => {
  const events = [];
  const served = await opened(
    t,
    { memory: memory() },
    { enrich: { model }, eager: true, onEvent: (event) => events.push(event) },
  );
  await until(() => events.some(({ type, words }) => type === "words" && !words.isWriting));
  const [{ words }] = served.gateway.status();
  assert.deepEqual([words.written, words.failed, words.error], [1, [], null]);
  assert.match(said(await search(await client(t, served), "zeppelin of read graph")), /read_graph/);
  await assert.rejects(gateway({ mcpServers: {}, enrich: { model: 7 } }), /options\.enrich\.model is number 7/);
});

test("npx toolsift mcp --enrich", async () => {
  const asked = [];
  const api = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push({ key: request.headers.authorization, ...JSON.parse(body) });
    const content = model({ prompt: asked.at(-1).messages[1].content });
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
  const main = at("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js");
  const cwd = folder({ "servers.json": { mcpServers: { all: { command: process.execPath, args: [main, "stdio"] } } } });
  const flags = ["--enrich", "small", "--enrich-url", `http://127.0.0.1:${api.address().port}/v1`, "--no-packs", "--eager"];
  const env = { ...process.env, TOOLSIFT_HOME: join(cwd, "home"), OPENAI_API_KEY: "sk-1" };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", "--config", "servers.json", ...flags],
    cwd,
    env,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr.on("data", (text) => (stderr += text));
  const host = new Client({ name: "host", version: "1.0.0" });
  await host.connect(transport);
  try {
    const words = join(cwd, "home", "words", "toolsift", "words");
    await until(() => existsSync(words) && readdirSync(words).length > 5);
    assert.match(
      stderr,
      /asked of small at http:\/\/127\.0\.0\.1:\d+\/v1: names, descriptions and parameters of tools are sent there/,
    );
    assert.deepEqual([asked[0].model, asked[0].key], ["small", "Bearer sk-1"]);
    assert.doesNotMatch(stderr, /sk-1/);
  } finally {
    // Before the folder of the test goes.
    await host.close();
    api.closeAllConnections();
    api.close();
  }
  const alone = await toolsift(["mcp", "--config", "servers.json", "--enrich-url", "http://localhost"], { cwd });
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /need --enrich, which names the model/);
});

test("npx toolsift proxy --enrich asks its own upstream, with no key that is another vendor's", async () => {
  const asked = [];
  const api = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { messages, tools } = JSON.parse(body);
    response.setHeader("content-type", "application/json");
    if (tools !== undefined) return response.end(JSON.stringify({ choices: [{ index: 0, message: { content: "Done." } }] }));
    asked.push({ url: request.url, key: request.headers.authorization });
    response.end(JSON.stringify({ choices: [{ message: { content: model({ prompt: messages[1].content }) } }] }));
  });
  await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
  const cwd = folder({});
  const flags = ["--upstream", `http://127.0.0.1:${api.address().port}`, "--port", "0", "--enrich", "small"];
  const { child, done } = start(["proxy", ...flags], {
    env: { ...process.env, TOOLSIFT_HOME: join(cwd, "home"), OPENAI_API_KEY: "sk-1" },
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  try {
    await until(() => /listening on (\S+),/.test(said));
    const [, url] = /listening on (\S+),/.exec(said);
    const tools = [{ type: "function", function: { name: "read_graph", description: "Read all of it.", parameters: {} } }];
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }], tools });
    await fetch(`${url}/v1/chat/completions`, { method: "POST", body, headers: { "content-type": "application/json" } });
    await until(() => said.includes("1 got some"));
    assert.match(said, /words: 0 tools had some, 1 got some/);
    assert.deepEqual(asked, [{ url: "/v1/chat/completions", key: undefined }]);
  } finally {
    child.kill("SIGTERM");
    await done;
    api.closeAllConnections();
    api.close();
  }
});
