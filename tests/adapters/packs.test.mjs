/**
 * Tests that all functions that connect servers add the words of packs.
 * 1. `connectMcp`, `toolsift({ mcpServers })`, a user's own servers and the gateway do it before the first search. `packs:
 *    false` switches it off, for all servers or for one.
 * 2. The program's own enrichment is joined with it, as entries, as lines and as a JSON list.
 * 3. A list that is read again keeps the words.
 * 4. If packs cannot be loaded, everything else works, and a message says so.
 * 5. The option must be true or false.
 */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { mock as mocks } from "node:test";
import { afterAll, afterEach, test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { bench, SDKS } from "./lib/mcp.mjs";
import { MAJORS } from "./lib/mock-model.mjs";
import { toolsOf } from "./lib/tools.mjs";

afterEach(() => mocks.reset());

const SDK = SDKS.at(-1);
/** A word that nothing but the pack of the memory server has, and the tool that it finds. */
const WORD = "unlearn";
const FOUND = ["delete_entities"];
/** What a door finds of tools without words: from all packs it learns what people say for the words of tools. */
const DELETED = [...FOUND, "delete_observations", "delete_relations"];

const search = (sift, query = WORD, session) => {
  return sift.search(query, { ...(session !== undefined && { session }) }).hits.map(({ name }) => name);
};
const open = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

/** The memory server's tools, connected; `options` as `connectMcp` takes them. */
async function memory(options, tools, entry) {
  const { client } = await tools.wired({ tools: toolsOf("memory") });
  const sift = new tools.ToolSift({ search: { universe: "all" } });
  const servers = await tools.connectMcp(sift, { memory: entry === undefined ? client : { client, ...entry } }, options);
  open.push(servers);
  return { sift, servers, client };
}

test("connectMcp", async () => {
  const tools = await bench(SDK);
  const { sift, servers } = await memory({}, tools);
  assert.deepEqual(search(sift), FOUND);
  const [{ enrichment, packProblem, message }] = servers.status();
  assert.deepEqual([enrichment, packProblem], [{ enriched: 9, stale: [] }, undefined]);
  assert.equal(message, "The MCP server memory is connected with 9 tools.");
  await servers.refresh();
  assert.deepEqual(search(sift), FOUND);

  const off = await memory({ packs: false }, tools);
  assert.deepEqual([search(off.sift), off.servers.status()[0].enrichment], [[], undefined]);
  assert.deepEqual(search((await memory({}, tools, { packs: false })).sift), []);
  assert.deepEqual(search((await memory({ packs: false }, tools, { packs: true })).sift), FOUND);
});

const OWN = { name: "read_graph", keywords: ["zeppelin"] };
test("the host's own enrichment is joined with that of packs", async () => {
  const { sift, servers } = await memory({ enrichment: JSON.stringify(OWN) }, await bench(SDK));
  assert.deepEqual([search(sift), search(sift, "zeppelin")], [FOUND, ["read_graph"]]);
  assert.deepEqual(servers.status()[0].enrichment, { enriched: 9, stale: [] });
});

test("a list that changes", async () => {
  const tools = await bench(SDK);
  const real = toolsOf("memory");
  const server = { tools: real.slice(0, 2) };
  const wired = await tools.wired(server);
  const sift = new tools.ToolSift({ search: { universe: "all" } });
  const servers = await tools.connectMcp(sift, { memory: wired.client });
  assert.deepEqual(search(sift), []);
  server.tools = real;
  await servers.refresh();
  assert.deepEqual(search(sift), FOUND);
  server.tools = real.map((one) => ({ ...one, name: `do_${one.name}` }));
  await servers.refresh();
  assert.deepEqual([search(sift), servers.status()[0].tools], [[], 9]);
});

const app = await appWith({ ...MAJORS[0].packages, ...MCP });
const { toolsift } = await app.load("toolsift/ai-sdk");
const door = async (options) => {
  const made = await toolsift({ search: { universe: "all" }, ...options });
  open.push(made);
  return made;
};

test("toolsift({ mcpServers }), and a user's own servers", async () => {
  const { mcpServers } = configOf("memory");
  assert.deepEqual(search(await door({ mcpServers })), FOUND);
  assert.deepEqual(search(await door({ mcpServers, packs: false })), []);
  const alone = { memory: { ...mcpServers.memory, packs: false } };
  assert.deepEqual(search(await door({ mcpServers: alone })).toSorted(), DELETED);
  const shared = await door({});
  await shared.user("ada", { mcpServers });
  assert.deepEqual([search(shared), search(shared, WORD, "ada")], [[], FOUND]);
  const without = await door({ packs: false });
  await without.user("ada", { mcpServers });
  assert.deepEqual(search(without, WORD, "ada"), []);
});

test("where packs cannot be loaded, everything else is as it was, and it is told", async () => {
  // An application of its own: a file of the package is removed.
  const broken = { ...SDK, packages: { ...SDK.packages, "@modelcontextprotocol/none": "zod" } };
  const tools = await bench(broken);
  const { folder, load } = await appWith(broken.packages);
  rmSync(join(folder, "node_modules", "toolsift", "dist", "packs.js"));
  const told = [];
  const { sift, servers } = await memory({ onProblem: (message) => told.push(message), enrichment: [OWN] }, tools);
  const [{ state, tools: count, error, packProblem }] = servers.status();
  assert.deepEqual([state, count, error], ["connected", 9, null]);
  assert.match(packProblem, /packs\.js/);
  assert.deepEqual([search(sift), search(sift, "zeppelin")], [[], ["read_graph"]]);
  await servers.refresh();
  assert.equal(told.length, 1);
  assert.match(told[0], /^The MCP server memory is connected with 9 tools\. Packs were left out: .*packs\.js/);
  const quiet = [];
  await memory({ packs: false, onProblem: (message) => quiet.push(message) }, tools);
  assert.deepEqual(quiet, []);

  const warned = [];
  mocks.method(console, "warn", (message) => warned.push(message));
  const { toolsift } = await load("toolsift/openai");
  const { mcpServers } = configOf("memory");
  open.push(await toolsift({ mcpServers }));
  assert.equal(warned.length, 1);
  assert.match(warned[0], /^toolsift: packs for the MCP server memory were left out: .*packs\.js/);
  open.push(await toolsift({ mcpServers, packs: false }));
  assert.equal(warned.length, 1);
});

test("a server that ends while its packs are loaded leaves no tools", async () => {
  const tools = await bench(SDK);
  const real = toolsOf("memory");
  const server = { tools: real };
  const wired = await tools.wired(server);
  server.list = () => {
    // Behind the answer, and before anything can be loaded.
    queueMicrotask(() => void wired.client.close());
    return { tools: real };
  };
  const sift = new tools.ToolSift();
  const servers = await tools.connectMcp(sift, { memory: wired.client });
  assert.deepEqual([servers.status()[0].state, sift.tools()], ["failed", []]);
});
