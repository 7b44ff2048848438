/**
 * Tests search words that a model writes while a gateway or a proxy runs: searches of clients improve, `status()` and events
 * show the progress, the writing ends if its server disappears, and `npx toolsift mcp --enrich` says which data is sent
 * where.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test } from "vitest";
import { folder, httpServer, listening, toolsift, until } from "./command-line.mjs";
import { client, opened, said, search, server } from "./gateways.mjs";
import { overStdio, real } from "./processes.mjs";

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
});

test("npx toolsift mcp --enrich", async (t) => {
  const asked = [];
  const api = await httpServer(async (request, response) => {
    asked.push({ key: request.headers.authorization, ...(await json(request)) });
    const content = model({ prompt: asked.at(-1).messages[1].content });
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  const cwd = folder({ "servers.json": { mcpServers: { all: real("everything", "stdio") } } });
  const flags = ["--enrich", "small", "--enrich-url", `${api.url}/v1`, "--no-packs", "--eager"];
  const about = { cwd, env: { OPENAI_API_KEY: "sk-1" } };
  const { stderr } = await overStdio(t, cwd, ["--config", "servers.json", ...flags], about);
  const words = join(cwd, "state", "words", "toolsift", "words");
  await until(() => existsSync(words) && readdirSync(words).length > 5);
  assert.match(
    stderr(),
    /small at http:\/\/127\.0\.0\.1:\d+\/v1 writes search words .* names, descriptions and parameters are sent there/,
  );
  assert.deepEqual([asked[0].model, asked[0].key], ["small", "Bearer sk-1"]);
  assert.doesNotMatch(stderr(), /sk-1/);
  const alone = await toolsift(["mcp", "--config", "servers.json", "--enrich-url", "http://localhost"], { cwd });
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /need --enrich, which names the model/);
});

test("npx toolsift proxy --enrich asks its own upstream, with no key that is another vendor's", async (t) => {
  const asked = [];
  const api = await httpServer(async (request, response) => {
    const { messages, tools } = await json(request);
    response.setHeader("content-type", "application/json");
    if (tools !== undefined) return response.end(JSON.stringify({ choices: [{ index: 0, message: { content: "Done." } }] }));
    asked.push({ url: request.url, key: request.headers.authorization });
    response.end(JSON.stringify({ choices: [{ message: { content: model({ prompt: messages[1].content }) } }] }));
  });
  const flags = ["--upstream", api.url, "--port", "0", "--enrich", "small"];
  const env = { TOOLSIFT_HOME: folder(), OPENAI_API_KEY: "sk-1" };
  const { url, said } = await listening(t, ["proxy", ...flags], { env });
  const tools = [{ type: "function", function: { name: "read_graph", description: "Read all of it.", parameters: {} } }];
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }], tools });
  await fetch(`${url}/v1/chat/completions`, { method: "POST", body, headers: { "content-type": "application/json" } });
  await until(() => said.stderr.includes("search words: 0 tools had words, 1 tool got new words"));
  assert.deepEqual(asked, [{ url: "/v1/chat/completions", key: undefined }]);
});
