/**
 * Does the command line give tools the words of packs?
 * 1. `search`, `explain`, `eval`, `doctor` and `index` do, and `--no-packs` leaves them out.
 * 2. So does the gateway: by `packs` of `gateway()`, of one server, by `--no-packs` and by a setting of the file.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gateway } from "toolsift/gateway";
import { ToolSift } from "toolsift";
import { isFull } from "../../scripts/lib/full.mjs";
import { startServers } from "../../scripts/servers.mjs";
import { folder, toolsift, valuesOf } from "./command-line.mjs";
import { client, opened, said, search, server } from "./gateways.mjs";
import { overStdio, real as realEntry } from "./processes.mjs";

const real = await startServers({ names: ["memory"] });
after(() => real.close());
const [{ tools }] = real.servers;
/** A word that nothing but the pack of the memory server has, and the tool that it finds. */
const WORD = "unlearn";
const cwd = folder({
  "memory.json": { tools },
  "queries.txt": `${WORD} -> delete_entities\n`,
});
const run = (...args) => toolsift(args, { cwd });

test("search, explain and eval", async () => {
  const found = await run("search", WORD, "memory.json", "--json");
  assert.deepEqual(valuesOf(JSON.parse(found.stdout).hits, "name"), ["delete_entities"]);
  assert.equal((await run("search", WORD, "memory.json", "--no-packs")).code, 1);
  assert.equal((await run("explain", WORD, "delete_entities", "memory.json")).code, 0);
  assert.equal((await run("explain", WORD, "delete_entities", "memory.json", "--no-packs")).code, 1);
  const recall = async (...more) => JSON.parse((await run("eval", "queries.txt", "memory.json", "--json", ...more)).stdout);
  assert.equal((await recall()).recallAt1, 1);
  assert.equal((await recall("--no-packs")).recallAt1, 0);
});

test("a server that is started", async () => {
  const { command, args: own } = realEntry("memory");
  const args = ["search", WORD, "--server", [command, ...own].join(" "), "--json"];
  assert.deepEqual(valuesOf(JSON.parse((await run(...args)).stdout).hits, "name"), ["delete_entities"]);
});

test("doctor and index", async () => {
  for (const more of [[], ["--no-packs"]]) assert.equal((await run("doctor", "memory.json", ...more)).code, 0);
  const names = (file) => {
    const sift = ToolSift.fromIndex(readFileSync(join(cwd, file)), { search: { universe: "all" } });
    return sift.search(WORD).hits.map(({ name }) => name);
  };
  assert.equal((await run("index", "memory.json", "-o", "with.bin")).code, 0);
  assert.equal((await run("index", "memory.json", "-o", "without.bin", "--no-packs")).code, 0);
  assert.deepEqual([names("with.bin"), names("without.bin")], [["delete_entities"], []]);
});

/** The gateway tells nothing where no tool fits, so it is asked for more than a word. */
const QUERY = "recall facts mentioning invoices";
/** The answer of a search that describes a tool first, surely or not. */
const first = (tool) => new RegExp(`^([^\\n]*\\n\\n)?${tool} \\(server memory\\) `);

/** A server with the definitions of the real one. */
const memory = server("memory", Object.fromEntries(tools.map(({ name, description }) => [name, { description }])));

test("a gateway", async (t) => {
  const asked = async (options) => said(await search(await client(t, await opened(t, { memory }, options)), QUERY));
  assert.match(await asked({}), first("search_nodes"));
  assert.doesNotMatch(await asked({ packs: false }), first("search_nodes"));
  const one = { mcpServers: { memory: { command: "unused", packs: false } } };
  assert.doesNotMatch(await asked(one), first("search_nodes"));
  const own = {
    enrichment: [
      { name: "read_graph", keywords: ["zeppelin plans"], queries: ["show the zeppelin plans of the knowledge graph"] },
    ],
  };
  const joined = await opened(t, { memory }, { mcpServers: { memory: { command: "unused", ...own } } });
  const who = await client(t, joined);
  assert.match(said(await search(who, QUERY)), first("search_nodes"));
  assert.match(said(await search(who, "show the zeppelin plans of the knowledge graph")), first("read_graph"));
  assert.deepEqual(joined.problems, []);
  await assert.rejects(gateway({ mcpServers: {}, packs: "no" }), /options\.packs is string no; it must be true or false/);
});

test("toolsift mcp", async (t) => {
  const mcpServers = { memory: { ...realEntry("memory"), env: { MEMORY_FILE_PATH: join(cwd, "m.jsonl") } } };
  const home = folder({
    "servers.json": { mcpServers, toolsift: { activation: "on" } },
    "without.json": { mcpServers, toolsift: { activation: "on", packs: false } },
  });
  const asked = async (file, ...more) => {
    const { client } = await overStdio(t, home, ["--config", join(home, file), "--trust", "off", ...more]);
    return said(await search(client, QUERY));
  };
  assert.match(await asked("servers.json"), first("search_nodes"));
  if (isFull) assert.doesNotMatch(await asked("servers.json", "--no-packs"), first("search_nodes"));
  assert.doesNotMatch(await asked("without.json"), first("search_nodes"));
});
