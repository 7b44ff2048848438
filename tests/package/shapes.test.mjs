/** Tests that the declared types match the values that the wasm returns. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { readFileSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";
import { compiled } from "../adapters/lib/compiled.mjs";
import { install } from "./installed.mjs";
import { ToolSift } from "./refused.mjs";
import { FORMATS } from "../apis/formats.mjs";

/** What the package returns, each with the name of its type. */
function answers() {
  const sift = new ToolSift({ profile: "search-add", disclosure: "names", preDiscovered: ["mcp__weather__get_tides"] });
  const tools = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));
  const broken = [{ name: "a b" }, { name: "untyped", inputSchema: {}, category: "c", title: "T" }, null];
  const session = sift.session("s");
  const found = [];
  const add = (type, value) => found.push([type, value]);
  add("RegisterReport", sift.register([...tools, ...broken]));
  add("SyncReport", sift.sync("late", [{ name: "late" }, { name: "" }, { name: "odd", inputSchema: {} }]));
  add("SyncReport", sift.sync("late", [{ name: "late", description: "Changed." }]));
  for (const format of FORMATS) {
    add(`Assembly<"${format}">`, session.assemble({ format }));
    add(`HeldBack<"${format}">[]`, session.heldBack({ format }));
    session.call("add_tool", { tool_names: [session.tools().find((tool) => tool.state === "deferred").name] });
  }
  for (const [name, args] of [
    ["search_tools", { query: "weather" }],
    ["search_tools", { query: "(" }],
    ["add_tool", { tool_names: ["mcp__slack__send_message"] }],
    ["mcp__slack__send_message", { text: "hi", to: ["a"] }],
    ["untyped", {}],
    ["nope", {}],
  ]) {
    add("Outcome", session.call(name, args));
  }
  add("HistoryReport", session.fromMessages([{ name: "add_tool", result: "Added: late, gone" }], { format: "mcp" }));
  add("Snapshot", session.snapshot());
  for (const query of ["wether", "issue", "send mesage", "qqqqqqqq"]) {
    add("SearchResult", sift.search(query, { reasons: true }));
    add("Explanation", sift.explain(query, "mcp__weather__get_tides"));
  }
  for (const { name: profile, surface } of ToolSift.profiles()) {
    const other = new ToolSift({ profile, activation: "on", deferral: "opt-out", contextWindow: 200_000 });
    other.register(tools);
    const chat = other.session("s");
    add("SettingsInfo", other.settings);
    add('Assembly<"mcp">', chat.assemble());
    for (const name of surface) {
      for (const args of [{}, { query: "slack message" }, { query: "zzzz" }, { name: "mcp__slack__send_message" }]) {
        add("Outcome", chat.call(name, args));
      }
    }
    add("SearchResult", other.search("slack message", { reasons: true }));
    add("Explanation", other.explain("slack message", "mcp__slack__send_message"));
    add("Assembly", chat.assemble());
  }
  const bounded = new ToolSift({ budget: { tools: 2, tokens: 300 }, search: { without: ["names", "stop-words"] } });
  add("SettingsInfo", bounded.settings);
  for (const result of reasons(tools)) add("SearchResult", result);
  add("ToolInfo[]", sift.tools());
  add("ToolInfo[]", session.tools());
  add("CatalogSize", sift.size());
  add("Snapshot", session.snapshot());
  add("ProfileInfo[]", ToolSift.profiles());
  return found;
}

/** Answers of our own ranker that give every kind of reason there is. */
function reasons(tools) {
  const own = new ToolSift();
  own.register(tools);
  const queries = ["wether", "create issues", "spread sheet", "open a pull request, weather", "project", "bake a cake"];
  own.register([{ name: "projector", description: "Switches the screen on." }], { server: "hall" });
  const named = ["select:mcp__slack__send_message", "/send_.*/", "list", ["share a file", "tides"], "slack"];
  return [...queries, ...named].map((query) => own.search(query, { reasons: true }));
}

const VALUES = answers();

/** A program of values as their types. */
function program(values) {
  const types = [...new Set(values.map(([type]) => /^\w+/.exec(type)[0]))];
  const lines = values.map(([type, value], i) => `export const v${i}: ${type} = ${JSON.stringify(value)};`);
  return `import type { ${types.join(", ")} } from "toolsift";\n${lines.join("\n")}\n`;
}

test("everything that is returned compiles as its type; a key too many and a key too few do not", async () => {
  const [, size] = VALUES.find(([type]) => type === "CatalogSize");
  const { bytes, ...fewer } = size;
  assert.ok(bytes > 0);
  const files = {
    "shapes.mts": program(VALUES),
    "more.mts": program([["CatalogSize", { ...size, colour: "red" }]]),
    "fewer.mts": program([["CatalogSize", fewer]]),
  };
  const options = { exactOptionalPropertyTypes: true, lib: ["es2022", "esnext.disposable", "dom"] };
  const errors = compiled((await install()).app, files, options).match(/^\S.*(\n +.*)*/gm);
  assert.equal(errors.length, 2, errors.join("\n"));
  assert.match(errors.join("\n"), /fewer\.mts[^]*'bytes'/);
  assert.match(errors.join("\n"), /more\.mts.*colour/);
});
