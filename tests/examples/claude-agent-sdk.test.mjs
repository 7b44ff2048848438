/** Tests the example for Claude's Agent SDK, except the parts that need Claude. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { ENTITIES } from "../adapters/lib/calls.mjs";
import { compiled } from "../adapters/lib/compiled.mjs";

const FOLDER = at("examples", "claude-agent-sdk");
const PROGRAMS = ["memory", "filesystem"].map((name) => `@modelcontextprotocol/server-${name}`);
const PACKAGES = ["@anthropic-ai/claude-agent-sdk", "@modelcontextprotocol/sdk", "@types/node", ...PROGRAMS];

/** Speaks MCP with the example's server, within the process, and prints what each of some calls is answered. */
const TALK = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { servers, session } from "./catalog.mjs";
import { toolsiftServer } from "./server.mjs";
const { instance, name, type } = toolsiftServer(session, servers.execute);
const [here, there] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "claude", version: "1" });
await Promise.all([instance.connect(there), client.connect(here)]);
const { tools } = await client.listTools();
const answers = [];
for (const call of JSON.parse(process.argv[2])) answers.push(await client.callTool(call));
console.log(JSON.stringify({ name, type, tools, answers }));
await client.close();
await servers.close();
`;

let folder;

beforeAll(async () => {
  const app = await appWith(Object.fromEntries(PACKAGES.map((name) => [name, name])));
  folder = app.folder;
  cpSync(FOLDER, folder, { recursive: true });
  writeFileSync(join(folder, "talk.mjs"), TALK);
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  for (const name of PROGRAMS)
    symlinkSync(`../${name}/dist/index.js`, join(bin, name.replace("@modelcontextprotocol/", "mcp-")));
});

async function talk(...calls) {
  const about = calls.map(([name, args]) => ({ name, arguments: args }));
  const env = { npm_config_offline: "true" };
  const { stdout } = await node(join(folder, "talk.mjs"), [JSON.stringify(about)], { cwd: folder, env });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

test("it compiles under strict", () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".mjs"));
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]));
  assert.equal(names.length, 3);
  assert.equal(compiled(folder, files, { allowJs: true, checkJs: true, types: ["node"] }), "");
});

test("its server lists three tools, and by them the tools of all servers are found, described and run", async () => {
  const { name, type, tools, answers } = await talk(
    ["tool_search", { query: "create entities in the knowledge graph" }],
    ["tool_describe", { name: "create_entities" }],
    ["tool_call", { name: "create_entities", arguments: ENTITIES }],
    ["tool_call", { name: "read_graph", arguments: {} }],
  );
  assert.deepEqual([name, type], ["toolsift", "sdk"]);
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ["tool_search", "tool_describe", "tool_call"],
  );
  assert.deepEqual(
    tools.map(({ inputSchema }) => inputSchema.required),
    [["query"], ["name"], ["name", "arguments"]],
  );
  assert.match(tools[0].description, /more tools that are available on demand/);
  const texts = answers.map(({ content }) => content[0].text);
  assert.match(texts[0], /create_entities/);
  assert.match(texts[1], /observations/);
  assert.match(texts[3], /likes engines/);
  assert.ok(answers.every(({ isError }) => !isError));
});
