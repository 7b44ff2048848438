/**
 * Tests enrichments in the installed package. Valid entries, searching their words and storing them in an index are tested
 * in tests/enrichment.rs.
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
];
const ENTRY = {
  name: "get_forecast",
  hash: definitionHash("get_forecast", FORECAST),
  queries: ["do I need an umbrella?"],
  keywords: ["drizzle"],
  languages: ["en"],
};
const best = (sift, query) => sift.search(query).hits[0]?.name;

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
