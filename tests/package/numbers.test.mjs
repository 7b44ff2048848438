/**
 * Numbers as large or as small as JavaScript has them.
 *
 * 1. In wasm, whose counts have 32 bits, a limit that does not fit means the largest, and a negative one the smallest.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "./installed.mjs";

const { home } = await install();
const { ToolSift } = await import(pathToFileURL(join(home, "dist", "index.js")).href);
const tools = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));

/** How many tools the answer of a discovery tool names. */
function named(options, tool, args) {
  const sift = new ToolSift({ ...options, deferral: "opt-out" });
  sift.register(tools);
  const outcome = sift.session("s").call(tool, args);
  assert.equal(outcome.kind, "result");
  return outcome.content.split("mcp__").length - 1;
}

const LARGE = [2 ** 32, 2 ** 32 + 1, 2 ** 53, 1e300];
const SMALL = [0, -1, -(2 ** 32), -(2 ** 53), -1e300];

test("limits of the profile bridge", () => {
  const hits = (limit) => named({ profile: "bridge", activation: "on" }, "tool_search", { query: "send a message", limit });
  assert.ok(hits(1) === 1 && hits(1_000) > 5);
  for (const limit of LARGE) assert.equal(hits(limit), hits(1_000), `${limit}`);
  for (const limit of SMALL) assert.equal(hits(limit), 1, `${limit}`);
});

test("limits of the profile sift", () => {
  const hits = (limit) => named({ activation: "on" }, "search_tools", { query: "send a message", limit });
  for (const limit of LARGE) assert.equal(hits(limit), hits(1_000), `${limit}`);
});

test("a system's own configuration", () => {
  const hits = (limit) => {
    const config = { enabled: "on", max_search_limit: limit, search_default_limit: limit };
    return named({ profile: { name: "bridge", config } }, "tool_search", { query: "send a message" });
  };
  for (const limit of LARGE) assert.equal(hits(limit), hits(50), `${limit}`);
  for (const limit of SMALL) assert.equal(hits(limit), 1, `${limit}`);
});
