/**
 * What must the table in docs/adapters/README.md say? For every road: the SDK versions that were run, and what a prompt
 * cache keeps when a tool is revealed, measured on what was really sent. The table is printed, and must be the page's.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { add } from "./lib/calls.mjs";
import { script } from "./lib/contract.mjs";
import { middleware } from "./lib/middleware.mjs";
import { agentOver } from "./lib/tools.mjs";

const REPLIES = ["create_issue", "read_graph", "read_text_file"].map((name) => [add(name)]);

test("the table of the adapters' page is what was measured", async () => {
  const rows = [];
  for (const drive of await allDrives()) {
    rows.push(await row(drive));
    if (drive.adapter === "toolsift/ai-sdk") rows.push(await row(middleware));
  }
  rows.push(await mcpRow());
  const head = ["adapter", "deferral road", "SDK versions tested", "a prompt cache keeps, when a tool is revealed"];
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  console.log(table);
  const page = readFileSync(at("docs", "adapters", "README.md"), "utf8");
  assert.ok(page.includes(`\n${table}\n`), "copy the table that is printed above into docs/adapters/README.md");
});

async function row(drive) {
  const versions = [];
  const kept = new Set();
  for (const packages of drive.versions) {
    const app = await appWith(packages);
    const [sdk] = Object.keys(packages);
    versions.push(app.version(sdk));
    // In short, the newest tells for all: they are held to the same by the contract.
    if (allOrLast(drive.versions).includes(packages)) kept.add(await keptOver(drive, app));
  }
  assert.equal(kept.size, 1, `${drive.adapter} keeps the same with every version`);
  const [sdk] = Object.keys(drive.versions[0]);
  return [`\`${drive.adapter}\``, drive.road, `${sdk} ${versions.join(", ")}`, [...kept][0]];
}

/** Where tools come from, whatever the road that they take. */
async function mcpRow() {
  const sdks = ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client"];
  const app = await appWith(Object.fromEntries(sdks.map((name) => [name, name])));
  const versions = sdks.map((name) => `${name} ${app.version(name)}`);
  return ["`toolsift/mcp`", "brings the tools to any of these", versions.join(", "), "as it does there"];
}

/** What the next request repeats, at the worst of some reveals. */
async function keptOver(drive, app) {
  const { requests } = await agentOver(drive, app, { script: script(...REPLIES) });
  const pairs = requests.slice(1).map((request, at) => [requests[at], request]);
  assert.ok(
    pairs.every(([before, after]) => after.tools.length > before.tools.length),
    "each step reveals",
  );
  if (pairs.every(([before, after]) => before.toolsText === after.toolsText && before.system === after.system))
    return "everything";
  for (const [before, after] of pairs) {
    const closing = before.toolsText.match(/[\]}\s]*$/)[0].length;
    const body = before.toolsText.slice(0, before.toolsText.length - closing);
    assert.ok(after.toolsText.startsWith(body), `${drive.adapter}: the tools before stay as they are`);
  }
  return "the tools before it";
}
