/**
 * Do the examples of subagents run as they stand, with real MCP servers?
 *
 * 1. The subagent sees the tools of its scope only, searches by itself, and has the real memory server remember something.
 * 2. The agent sees none of what the subagent loads, and has it when it was handed back.
 */

import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { ENTITIES } from "./lib/calls.mjs";
import { application, environment } from "./lib/examples.mjs";
import { startVendor } from "../vendors/vendor.mjs";
import { chat } from "../vendors/wires/chat.mjs";
import { responses } from "./lib/wires/responses.mjs";

const FOLDER = at("examples", "subagents");
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith(".mjs") && name !== "servers.mjs");

/** The agent asks the archivist, who searches and remembers. */
function script({ tools, answers, prompt }) {
  const calls = (name, args) => ({ calls: [{ name, args }] });
  if (tools.includes("archivist")) {
    return answers.length > 0 ? { text: "All done." } : calls("archivist", { input: "Note that Ada likes engines." });
  }
  assert.match(prompt, /^Note that/);
  if (answers.length === 0) return calls("search_tools", { query: "create entities in the knowledge graph" });
  return /Ada/.test(answers.join()) ? { text: "Noted." } : calls("create_entities", ENTITIES);
}

for (const name of allOrLast(EXAMPLES)) {
  test(`examples/subagents/${name}`, async () => {
    const { folder } = await application();
    const place = join(folder, `subagent-${name.replace(".mjs", "")}`);
    cpSync(FOLDER, place, { recursive: true });
    const vendor = await startVendor(name === "openai-agents.mjs" ? responses : chat, script);
    try {
      const { stdout } = await node(name, [], { cwd: place, env: environment(vendor.url) });
      assert.match(stdout, /All done\. \[ 'create_entities'/);
    } finally {
      await vendor.close();
    }
    const sent = vendor.requests.map(({ tools }) => tools.filter((one) => one === "archivist" || one === "create_entities"));
    assert.deepEqual(sent.slice(0, 4), [["archivist"], [], ["create_entities"], ["create_entities"]]);
    const [, asked, ...others] = vendor.requests;
    assert.match(asked.system, /memory/);
    assert.doesNotMatch(asked.system, /files/);
    assert.match(others.at(-1).answers.join(), /Noted\./);
  });
}
