/**
 * What does the installed package make of enrichments?
 *
 * 1. `register` and `sync` take entries, a JSON list and JSON lines, and report what became of them; a changed definition
 * makes an entry stale. 2. A search finds a tool by its words and gives the reasons as `keyword` and `query`. 3. No model sees
 * them: not in tools, prompts, sizes, outcomes or definitions. 4. They are kept in a prebuilt index. 5. Bad input of every
 * kind is refused with its place, and nothing has changed then. 6. Words of definitions and of a server's `_meta` count too.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { install } from "./installed.mjs";
import { refused, tool, ToolSift } from "./refused.mjs";

const { home } = await install();
const { connectMcp } = await import(pathToFileURL(join(home, "dist", "adapters", "mcp.js")).href);
const { definitionHash } = await import(pathToFileURL(join(home, "dist", "index.js")).href);

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
    assert.deepEqual(report.enrichment, { enriched: 2, aged: [], stale: [] });
    assert.equal(best(sift, "umbrella"), "get_forecast");
    assert.equal(best(sift, "clock"), "list_alarms");
  }
  for (const none of [[], "", "\n\n", "[]"])
    assert.deepEqual(sifted(none).report.enrichment, { enriched: 0, aged: [], stale: [] });
  assert.equal("enrichment" in sifted().report, false);
  assert.equal("enrichment" in sifted(null).report, false);
  const one = new ToolSift().register(TOOLS[0], { enrichment: [ENTRY] });
  assert.deepEqual(one.enrichment, { enriched: 1, aged: [], stale: [] });
});

test("sync reports and ignores what was written from another definition", () => {
  const { sift } = sifted([ENTRY]);
  const moved = TOOLS.with(0, { ...TOOLS[0], description: "Get the forecast for a harbour." });
  const stale = sift.sync("sky", moved, { enrichment: [ENTRY] });
  assert.deepEqual(stale.changed, ["get_forecast"]);
  assert.deepEqual(stale.enrichment, { enriched: 0, aged: [], stale: ["get_forecast"] });
  assert.equal(best(sift, "umbrella"), undefined);
  const back = sift.sync("sky", TOOLS, { enrichment: JSON.stringify(ENTRY) });
  assert.deepEqual(back.enrichment, { enriched: 1, aged: [], stale: [] });
  assert.equal(best(sift, "umbrella"), "get_forecast");
  assert.equal(sift.sync("sky", TOOLS, { enrichment: [ENTRY] }).unchanged, 3);
  // A sync without enrichment says that there is none.
  assert.deepEqual(sift.sync("sky", TOOLS).changed, ["get_forecast"]);
  assert.equal(best(sift, "umbrella"), undefined);
});

test("an alias is reported under the name that the model sees", () => {
  const odd = tool({ name: "get forecast!", description: FORECAST });
  const entry = { ...ENTRY, name: "get forecast!", hash: definitionHash("get forecast!", "Another.") };
  const sift = new ToolSift();
  const { registered, enrichment } = sift.register([odd], { names: "alias", enrichment: [entry] });
  assert.deepEqual(enrichment.stale, registered);
});

test("the reasons say whether a keyword or a query matched", () => {
  const { sift } = sifted([ENTRY]);
  for (const [query, field] of [
    ["drizzle", "keyword"],
    ["umbrella", "query"],
  ]) {
    const [hit] = sift.search(query, { reasons: true }).hits;
    const part = hit.parts.find((one) => one.field === field);
    assert.deepEqual([hit.name, part.term, part.matched, part.how], ["get_forecast", query, query, "word"]);
    assert.ok(part.contribution > 0);
    assert.ok(sift.explain(query, "get_forecast").parts.some((one) => one.field === field));
  }
});

test("no model sees them, and they cost nothing", () => {
  for (const { name: profile } of ToolSift.profiles()) {
    const [rich, plain] = [[ENTRY], undefined].map((enrichment) => {
      const sift = new ToolSift({ profile, activation: "on", deferral: "opt-out" });
      sift.register(TOOLS, { server: "sky", ...(enrichment && { enrichment }) });
      const session = sift.session("s");
      session.reveal(["get_forecast"]);
      const sent = ["openai", "anthropic", "google", "mcp"].map((format) => session.assemble({ format }));
      const calls = ["search_tools", "ToolSearch", "tool_search"].map((one) => session.call(one, { query: "get_forecast" }));
      return {
        text: JSON.stringify([sent, calls, sift.tools(), session.tools()]),
        sizes: [sift.size(), sent.map(({ size }) => size)],
      };
    });
    assert.doesNotMatch(rich.text, /umbrella|drizzle/, profile);
    assert.deepEqual(rich.sizes, plain.sizes, profile);
  }
});

test("an index keeps them, and its hash tells nothing of them", () => {
  const { sift } = sifted([ENTRY, OTHER]);
  const loaded = ToolSift.fromIndex(sift.exportIndex(), { activation: "on" });
  for (const query of ["umbrella", "drizzle", "clock"]) {
    assert.deepEqual(loaded.search(query, { reasons: true }), sift.search(query, { reasons: true }));
  }
  assert.deepEqual(loaded.exportIndex(), sift.exportIndex());
  assert.deepEqual(loaded.sync("sky", TOOLS, { enrichment: [ENTRY, OTHER] }).enrichment, {
    enriched: 2,
    aged: [],
    stale: [],
  });
});

const BAD = [
  ["a number", 7, "option_invalid", "got number 7"],
  ["an object", {}, "option_invalid", "got an object"],
  ["a function", () => {}, "option_invalid", "got function"],
  ["half a surrogate pair in a file", '{"name":"a\uD83D"}', "text_invalid", "half a surrogate pair"],
  [
    "half a surrogate pair in an entry",
    [{ name: "a", keywords: ["\uD83D"] }],
    "enrichment_invalid",
    "half a surrogate pair",
  ],
  ["a text in the list", ["rain"], "enrichment_invalid", "entry 0: it must be an object"],
  ["an entry of nothing", [ENTRY, {}], "enrichment_invalid", "entry 1: it needs a name or a hash"],
  ["a name that is none", [{ name: 7 }], "enrichment_invalid", "entry 0: name must be a string"],
  ["a hash that is none", [{ hash: "0123" }], "enrichment_invalid", "entry 0: hash must be 16 hexadecimal digits"],
  [
    "queries that are a text",
    [{ name: "a", queries: "rain" }],
    "enrichment_invalid",
    "entry 0: queries must be a list of strings",
  ],
  [
    "a keyword that is a number",
    [{ name: "a", keywords: [7] }],
    "enrichment_invalid",
    "entry 0: keywords must be a list of strings",
  ],
  ["a long keyword", [{ name: "a", keywords: ["x".repeat(257)] }], "enrichment_invalid", "longer than 256 characters"],
  [
    "many queries",
    [{ name: "a", queries: Array(129).fill("x") }],
    "enrichment_invalid",
    "queries has 129 entries; at most 128",
  ],
  ["no JSON", "[", "enrichment_invalid", "is no JSON list"],
  ["a broken line", `${JSON.stringify(ENTRY)}\n{"name":`, "enrichment_invalid", "line 2"],
  ["a line of no object", "rain", "enrichment_invalid", "line 1"],
];

for (const [what, enrichment, code, part] of BAD) {
  test(`refused: ${what}`, () => {
    refused((sift) => sift.register([tool({ name: "other" })], { enrichment }), code, part);
    refused((sift) => sift.sync("sky", [tool({ name: "other" })], { enrichment }), code, part);
  });
}

test("a definition may carry its own words, in bounds", () => {
  const sift = new ToolSift();
  const { rejected } = sift.register([
    tool({ name: "get_forecast", searchKeywords: ["drizzle", " "], searchQueries: ["do I need an umbrella?"] }),
    tool({ name: "wrong_type", searchKeywords: "drizzle" }),
    tool({ name: "too_long", searchQueries: ["x".repeat(257)] }),
    tool({ name: "too_many", searchKeywords: Array(129).fill("x") }),
    tool({ name: "nulls", searchKeywords: null, searchQueries: null }),
  ]);
  assert.deepEqual(
    rejected.map(({ name, code, message }) => [name, code, message.includes("search")]),
    ["wrong_type", "too_long", "too_many"].map((name) => [name, "option_invalid", true]),
  );
  assert.equal(best(sift, "umbrella"), "get_forecast");
  assert.equal(best(sift, "drizzle"), "get_forecast");
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
  assert.deepEqual(
    sift.tools().map(({ name }) => name),
    ["get_forecast", "list_alarms"],
  );
  for (const query of ["umbrella", "drizzle", "hail", "wet outside"]) assert.equal(best(sift, query), "get_forecast", query);
  assert.equal(best(sift, "secret"), undefined);
  await servers.close();
});

test("connectMcp refuses a sidecar that cannot be read", async () => {
  const attempt = connectMcp(new ToolSift(), { sky: client(TOOLS) }, { enrichment: [{}] });
  await assert.rejects(attempt, { code: "enrichment_invalid" });
});
