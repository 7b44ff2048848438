/**
 * Runs the examples unchanged, in an application with the packed package, its SDK and two real MCP servers. Only the
 * vendor's API is replaced. The model searches, and lets the real memory server store something.
 */

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { gemini as google } from "../apis/gemini.mjs";
import { ENTITIES, script } from "./lib/calls.mjs";
import { application, environment } from "./lib/examples.mjs";
import { anthropic } from "../apis/messages.mjs";
import { responses } from "../apis/responses.mjs";

/** Which API each example speaks to. */
const WIRES = {
  "ai-sdk.mjs": chat,
  "anthropic.mjs": anthropic,
  "google.mjs": google,
  "langchain.mjs": chat,
  "langgraph.mjs": chat,
  "mastra.mjs": chat,
  "mcp.mjs": chat,
  "ollama.mjs": chat,
  "openai-agents.mjs": responses,
  "openai-responses.mjs": responses,
  "openai.mjs": chat,
};

const SCRIPT = script(
  [{ name: "search_tools", args: { query: "create entities in the knowledge graph" } }],
  [{ name: "create_entities", args: ENTITIES }],
);

/** Runs an example, whose model does what the script says, and has a real server remember Ada. Returns the requests of the vendor. */
async function played(folderName, name, wire, calls) {
  const { folder } = await application();
  const place = join(folder, `${folderName}-${name.replace(".mjs", "")}`);
  cpSync(at("examples", folderName), place, { recursive: true });
  const vendor = await startVendor(wire, calls);
  try {
    const { stdout } = await node(name, [], { cwd: place, env: environment(vendor.url) });
    assert.match(stdout, /All done\./);
  } finally {
    await vendor.close();
  }
  assert.match(readFileSync(join(place, "memory.jsonl"), "utf8"), /"Ada"/, "the real server remembers");
  assert.match(vendor.requests.at(-1).answers.join(), /Ada/);
  return vendor.requests;
}

const EXAMPLES = readdirSync(at("examples", "adapters")).filter((name) => name.endsWith(".mjs") && name !== "servers.mjs");

for (const name of allOrLast(EXAMPLES)) {
  test(`examples/adapters/${name}`, async () => {
    assert.ok(WIRES[name], `${name} has no row in WIRES of tests/adapters/examples.test.mjs: which API does it speak?`);
    const [first, , last] = await played("adapters", name, WIRES[name], SCRIPT);
    assert.ok(!first.tools.includes("create_entities") && last.tools.includes("create_entities"));
  });
}

for (const [name, wire] of allOrLast([
  ["openai-agents.mjs", responses],
  ["ai-sdk.mjs", responses],
])) {
  test(`examples/skills/${name}`, async () => {
    const [first] = await played("skills", name, wire, script([{ name: "create_entities", args: ENTITIES }]));
    assert.ok(first.tools.includes("create_entities") && first.tools.includes("add_observations"));
    assert.match(JSON.stringify(first), /Make one entity of type/);
  });
}
