/**
 * What does the installed package make of enrichments? What an entry may be, and how its words are searched and kept in an
 * index, is in tests/enrichment.rs.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { definitionHash } from "../../scripts/lib/packs/hash.mjs";
import { valuesOf } from "../cli/command-line.mjs";
import { tool, ToolSift } from "./refused.mjs";

const { connectMcp } = await import("toolsift/mcp");

const FORECAST = "Get the forecast for a place.";
const TOOLS = [
  tool({ name: "get_forecast", description: FORECAST }),
  tool({ name: "list_alarms", description: "List what wakes you." }),
  tool({ name: "get_route", description: "Get the way between two places." }),
];
const ENTRY = {
  name: "get_forecast",
  hash: definitionHash("get_forecast", FORECAST),
  queries: ["do I need an umbrella?"],
  keywords: ["drizzle"],
  languages: ["en"],
};
const OTHER = { name: "list_alarms", keywords: ["clock"] };

const sifted = (enrichment, tools = TOOLS) => {
  const sift = new ToolSift({ activation: "on" });
  const report = sift.register(tools, { server: "sky", ...(enrichment !== undefined && { enrichment }) });
  return { sift, report };
};
const best = (sift, query) => sift.search(query).hits[0]?.name;

test("entries, a JSON list and JSON lines are the same", () => {
  const forms = [
    [ENTRY, OTHER],
    Object.freeze([Object.freeze(ENTRY), OTHER]),
    JSON.stringify([ENTRY, OTHER]),
    `${JSON.stringify(ENTRY)}\n${JSON.stringify(OTHER)}\n`,
    `\uFEFF${JSON.stringify(ENTRY)}\r\n\r\n${JSON.stringify(OTHER)}`,
  ];
  for (const form of forms) {
    const { sift, report } = sifted(form);
    assert.deepEqual(report.enrichment, { enriched: 2, stale: [] });
    assert.equal(best(sift, "umbrella"), "get_forecast");
    assert.equal(best(sift, "clock"), "list_alarms");
  }
  for (const none of [[], "", "\n\n", "[]"]) assert.deepEqual(sifted(none).report.enrichment, { enriched: 0, stale: [] });
  assert.equal("enrichment" in sifted().report, false);
  assert.equal("enrichment" in sifted(null).report, false);
  const one = new ToolSift().register(TOOLS[0], { enrichment: [ENTRY] });
  assert.deepEqual(one.enrichment, { enriched: 1, stale: [] });
});

test("an alias is reported under the name that the model sees", () => {
  const odd = tool({ name: "get forecast!", description: FORECAST });
  const entry = { ...ENTRY, name: "get forecast!", hash: definitionHash("get forecast!", "Another.") };
  const sift = new ToolSift();
  const { registered, enrichment } = sift.register([odd], { names: "alias", enrichment: [entry] });
  assert.deepEqual(enrichment.stale, registered);
});

/** A client of the SDK's, as far as the adapter needs one. */
const client = (tools) => ({
  connect() {},
  close() {},
  ping() {},
  setNotificationHandler() {},
  getServerCapabilities: () => ({ tools: { listChanged: true } }),
  listTools: async () => ({ tools }),
  callTool: async () => ({ content: [] }),
});

test("a connected server's _meta and a sidecar are joined, and broken _meta is passed over", async () => {
  const said = {
    ...TOOLS[0],
    _meta: { "toolsift/search": { queries: ["is it wet outside"], keywords: ["hail"] }, secret: "s" },
  };
  const broken = { ...TOOLS[1], _meta: { "toolsift/search": { keywords: "clock" } } };
  const sift = new ToolSift();
  const servers = await connectMcp(sift, { sky: client([said, broken]) }, { enrichment: [ENTRY] });
  assert.deepEqual(valuesOf(sift.tools(), "name"), ["get_forecast", "list_alarms"]);
  for (const query of ["umbrella", "drizzle", "hail", "wet outside"]) assert.equal(best(sift, query), "get_forecast", query);
  assert.equal(best(sift, "secret"), undefined);
  await servers.close();
});
