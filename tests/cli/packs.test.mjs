/**
 * Tests that the command line and the gateway add the words of packs to tools, unless `--no-packs` or a setting is given.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { ToolSift } from "toolsift";
import { startServers } from "../../scripts/servers.mjs";
import { folder, toolsift } from "./command-line.mjs";
import { client, opened, said, search, server } from "./gateways.mjs";
import { overStdio, real as realEntry } from "./processes.mjs";

const real = await startServers({ names: ["memory"] });
afterAll(() => real.close());
const [{ tools }] = real.servers;
/** A word that nothing but the pack of the memory server has. It finds delete_entities. */
const WORD = "unlearn";
const cwd = folder({ "memory.json": { tools }, "queries.txt": `${WORD} -> delete_entities\n` });

test("commands", async () => {
  const { command, args } = realEntry("memory");
  const server = [command, ...args].join(" ");
  for (const [line, ...codes] of [
    [["search", WORD, "memory.json"], 0, 1],
    [["search", WORD, "--server", server], 0, 1],
    [["explain", WORD, "delete_entities", "memory.json"], 0, 1],
    [["eval", "queries.txt", "memory.json", "--fail-under", "1"], 0, 1],
    [["doctor", "memory.json"], 0, 0],
    [["index", "memory.json", "-o", "tools.bin"], 0, 0],
  ]) {
    for (const [at, more] of [[], ["--no-packs"]].entries()) {
      assert.equal((await toolsift([...line, ...more], { cwd })).code, codes[at], [...line, ...more].join(" "));
      if (line[0] !== "index") continue;
      const sift = ToolSift.fromIndex(readFileSync(join(cwd, "tools.bin")), { search: { universe: "all" } });
      assert.equal(sift.search(WORD).hits.length, 1 - at);
    }
  }
});

/** The gateway tells nothing where no tool fits, so it is asked for more than a word. */
const QUERY = "recall facts mentioning invoices";
/** The tool that the answer of a search tells first, surely or not. */
const firstOf = (answer) => /^(?:\{"name":"|- )(\w+)/m.exec(said(answer))?.[1];
const memory = server("memory", Object.fromEntries(tools.map(({ name, description }) => [name, { description }])));

test("a gateway", async (t) => {
  const found = async (options, query = QUERY) =>
    firstOf(await search(await client(t, await opened(t, { memory }, options)), query));
  const mcpServers = (more) => ({ mcpServers: { memory: { command: "unused", ...more } } });
  assert.equal(await found({}), "search_nodes");
  assert.notEqual(await found({ packs: false }), "search_nodes");
  // From the packs of others it knows what people say for the words of tools.
  assert.equal(await found(mcpServers({ packs: false })), "search_nodes");
  const plans = "show the zeppelin plans of the knowledge graph";
  const own = mcpServers({ enrichment: [{ name: "read_graph", keywords: ["zeppelin plans"], queries: [plans] }] });
  assert.equal(await found(own), "search_nodes");
  assert.equal(await found(own, plans), "read_graph");
});

test("toolsift mcp", async (t) => {
  const mcpServers = { memory: { ...realEntry("memory"), env: { MEMORY_FILE_PATH: join(cwd, "m.jsonl") } } };
  const home = folder({
    "servers.json": { mcpServers, toolsift: { activation: "on" } },
    "without.json": { mcpServers, toolsift: { activation: "on", packs: false } },
  });
  for (const [file, isFound] of Object.entries({ "servers.json": true, "without.json": false })) {
    const { client } = await overStdio(t, home, ["--config", join(home, file), "--trust", "off"]);
    assert.equal(firstOf(await search(client, QUERY)) === "search_nodes", isFound, file);
  }
});
