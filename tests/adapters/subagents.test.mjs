/**
 * Runs the examples of subagents unchanged, with real MCP servers.
 * 1. The subagent sees only the tools of its scope, searches by itself, and lets the real memory server store something: as
 *    a tool, as the agent of a handoff, and as a node of a graph.
 * 2. The agent does not see the tools that the subagent loads, until they are handed back.
 */

import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { ENTITIES } from "./lib/calls.mjs";
import { application, environment } from "./lib/examples.mjs";
import { responses } from "../apis/responses.mjs";

const FOLDER = at("examples", "subagents");
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith(".mjs") && name !== "servers.mjs");

const calls = (name, args) => ({ calls: [{ name, args }] });

/** What the archivist says: searches, remembers, and is done. */
function archivist({ prompt, answers }) {
  assert.match(prompt, /that Ada likes engines/);
  if (answers.some((text) => /Ada/.test(text))) return { text: "Noted." };
  if (answers.some((text) => /create_entities/.test(text))) return calls("create_entities", ENTITIES);
  return calls("search_tools", { query: "create entities in the knowledge graph" });
}

/** The agent asks the archivist, and is told what came of it. */
function asking(request) {
  const { tools, answers } = request;
  if (!tools.includes("archivist")) return archivist(request);
  if (answers.length === 0) return calls("archivist", { input: "Note that Ada likes engines." });
  assert.match(answers.join(), /Noted\./);
  return { text: "All done." };
}

/** The agent hands the conversation over. */
const handing = (request) =>
  request.tools.includes("transfer_to_Archivist") ? calls("transfer_to_Archivist", {}) : archivist(request);

/** The archivist's node comes first; then the agent has what was handed back. */
const inTurn = (request, step) => (step < 4 ? archivist(request) : { text: "All done." });

/** By example: what the models say, what is printed, and the tools of note in each request. */
const TALKS = {
  "langgraph-nodes.mjs": [
    inTurn,
    /^All done\. \[ 'create_entities'/,
    [[], ["create_entities"], ["create_entities"], ["create_entities"]],
  ],
  "openai-agents-handoff.mjs": [
    handing,
    /^Archivist Noted\. \[ 'create_entities'/,
    [["transfer_to_Archivist"], [], ["create_entities"], ["create_entities"]],
  ],
};
const ASKING = [asking, /All done\. \[ 'create_entities'/, [["archivist"], [], ["create_entities"], ["create_entities"]]];
const NOTED = ["archivist", "transfer_to_Archivist", "create_entities"];

for (const name of allOrLast(EXAMPLES)) {
  test(`examples/subagents/${name}`, async () => {
    const { folder } = await application();
    const place = join(folder, `subagent-${name.replace(".mjs", "")}`);
    cpSync(FOLDER, place, { recursive: true });
    const [script, printed, expected] = TALKS[name] ?? ASKING;
    const vendor = await startVendor(name.startsWith("openai-agents") ? responses : chat, script);
    try {
      const { stdout } = await node(name, [], { cwd: place, env: environment(vendor.url) });
      assert.match(stdout, printed);
    } finally {
      await vendor.close();
    }
    const sent = vendor.requests.map(({ tools }) => tools.filter((one) => NOTED.includes(one)));
    assert.deepEqual(sent.slice(0, expected.length), expected);
    const archivists = vendor.requests.filter(({ tools }) => !tools.includes(expected[0][0])).slice(0, 3);
    for (const { system } of archivists) {
      assert.match(system, /memory/);
      assert.doesNotMatch(system, /files/);
    }
  });
}
