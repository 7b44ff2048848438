/**
 * Do the examples run as they stand? Each is started in an application with the packed package, its SDK and two real MCP
 * servers; all that is not a stranger's is where the vendor's API is. The model searches, and has the real memory server
 * remember something.
 *
 * Their places are held by tests/package/contributing.test.mjs: a row in WIRES, a page that shows them, at most 20 lines.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { startVendor } from "../vendors/vendor.mjs";
import { chat } from "../vendors/wires/chat.mjs";
import { gemini as google } from "../vendors/wires/gemini.mjs";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { ENTITIES } from "./lib/calls.mjs";
import { script } from "./lib/contract.mjs";
import { anthropic } from "../vendors/wires/messages.mjs";
import { responses } from "./lib/wires/responses.mjs";

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

/** Packages of the examples that no adapter's tests name, and the programs that npx is to find. */
const MORE = { "@ai-sdk/openai": "@ai-sdk/openai-4" };
const PROGRAMS = ["memory", "filesystem"];

const SCRIPT = script(
  [{ name: "search_tools", args: { query: "create entities in the knowledge graph" } }],
  [{ name: "create_entities", args: ENTITIES }],
);

/** The environment in which an SDK finds its vendor. */
const environment = (url) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "none",
  OLLAMA_URL: `${url}/v1`,
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "none",
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: "none",
  GOOGLE_API_KEY: undefined,
  npm_config_offline: "true",
});

let made;

/** One application for all examples, with every SDK at its newest. */
function application() {
  made ??= (async () => {
    const packages = Object.assign({}, ...(await allDrives()).map(({ versions }) => versions.at(-1)), MORE);
    for (const name of PROGRAMS) packages[`@modelcontextprotocol/server-${name}`] = `@modelcontextprotocol/server-${name}`;
    packages["@modelcontextprotocol/sdk"] = "@modelcontextprotocol/sdk";
    const app = await appWith(packages);
    const bin = join(app.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    for (const name of PROGRAMS)
      symlinkSync(`../@modelcontextprotocol/server-${name}/dist/index.js`, join(bin, `mcp-server-${name}`));
    return app;
  })();
  return made;
}

const EXAMPLES = readdirSync(at("examples", "adapters")).filter((name) => name.endsWith(".mjs") && name !== "servers.mjs");

test("every example is run", () => {
  const help = "the rows of WIRES in tests/adapters/examples.test.mjs are the files of examples/adapters";
  assert.deepEqual(Object.keys(WIRES).sort(), EXAMPLES.toSorted(), help);
});

for (const name of allOrLast(EXAMPLES)) {
  test(`examples/adapters/${name}`, async () => {
    assert.ok(WIRES[name], `${name} has no row in WIRES of tests/adapters/examples.test.mjs: which API does it speak?`);
    const { folder } = await application();
    const place = join(folder, name.replace(".mjs", ""));
    cpSync(at("examples", "adapters"), place, { recursive: true });
    const vendor = await startVendor(WIRES[name], SCRIPT);
    try {
      const { stdout } = await node(name, [], { cwd: place, env: environment(vendor.url) });
      assert.match(stdout, /All done\./);
    } finally {
      await vendor.close();
    }
    assert.match(readFileSync(join(place, "memory.jsonl"), "utf8"), /"Ada"/, "the real server remembers");
    const [first, , last] = vendor.requests;
    assert.ok(!first.tools.includes("create_entities") && last.tools.includes("create_entities"));
    assert.match(last.answers.join(), /Ada/);
  });
}
