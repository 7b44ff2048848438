/**
 * Tests mistakes of a program at every entry of the package: a `ToolSiftError` with a stable code, whose message names the
 * mistake, and no change. There is one row for each kind of mistake, because all entries read their options with the same
 * code.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { gateway } from "toolsift/gateway";
import { refused, stateOf, tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { enrich, examine, readEnrichment, writeEnrichment } = await import("toolsift/author");
const { guard } = await import("toolsift/guard");
const { packsFor } = await import("toolsift/packs");

const cyclic = { type: "object", properties: {} };
cyclic.properties.self = cyclic;
const nested = (levels) => (levels === 0 ? { type: "object" } : { type: "object", properties: nested(levels - 1) });
const schema = (more) => ({ name: "b", inputSchema: { type: "object", ...more } });
const index = used().exportIndex();
const snapshot = new ToolSift().session("s").snapshot();
const complete = () => "";
const mcpServers = {};
const pin = { server: "s", name: "a", hash: "0".repeat(64) };
const many = (count, one) => new Array(count).fill(one);

/** How each door is used, with what it is given. */
const DOORS = {
  "new ToolSift": () => (options) => new ToolSift(options),
  register: (sift) => (tools) => sift.register(tools),
  "register with options": (sift) => (options) => sift.register([], options),
  sync: (sift) => (tools) => sift.sync("s", tools),
  "sync of a server": (sift) => (server) => sift.sync(server, []),
  unregister: (sift) => (which) => sift.unregister(which),
  fromIndex: () => (bytes) => ToolSift.fromIndex(bytes),
  "fromIndex with options": () => (options) => ToolSift.fromIndex(index, options),
  session: (sift) => (id) => sift.session(id),
  "session with options": (sift) => (options) => sift.session("t", options),
  restore: (sift) => (given) => sift.restore(given),
  "restore with options": (sift) => (options) => sift.restore(snapshot, options),
  assemble: (sift) => (options) => sift.session("s").assemble(options),
  call: (sift) => (args) => sift.session("s").call("good", args),
  callAll: (sift) => (calls) => sift.session("s").callAll(calls),
  reveal: (sift) => (names) => sift.session("s").reveal(names),
  rescope: (sift) => (scope) => sift.session("s").rescope(scope),
  evict: (sift) => (to) => sift.session("s").evict(to),
  prefetch: (sift) => (options) => sift.session("s").prefetch("x", options),
  search: (sift) => (query) => sift.search(query),
  "search with options": (sift) => (options) => sift.search("good", options),
  explain: (sift) => (query) => sift.explain(query, "good"),
  scores: (sift) => (scores) => sift.session("s").call("search_tools", { query: "good" }, { scores }),
  rank: (sift) => (rank) => sift.session("s").callAsync("search_tools", { query: "good" }, { rank }),
  guard: () => guard,
  accept: () => (held) => guard().accept(held),
  gateway: () => gateway,
  examine: () => (lists) => examine(lists),
  "examine with options": () => (options) => examine([], options),
  enrich: () => (options) => enrich([tool()], options),
  readEnrichment: () => readEnrichment,
  writeEnrichment: () => writeEnrichment,
  packsFor: () => packsFor,
};

/** What is given, the code, and a part of the message. */
const MISTAKES = {
  "new ToolSift": [
    [{ disclosur: "names" }, "option_unknown", "disclosure"],
    [{ limits: { tool: 1 } }, "option_unknown", "tools"],
    [{ profile: "nope" }, "option_invalid", "search-add"],
    [{ profile: { name: "sift", config: {} } }, "option_invalid", "no configuration"],
    [{ profile: "search-add", reveal: "never" }, "option_conflict", "could never be called"],
    [null, "option_invalid", "null"],
    [{ contextWindow: NaN }, "limit_out_of_range", "NaN"],
    [{ budget: { tokens: 1e9 } }, "limit_out_of_range", "10000000"],
    [{ search: { ranker: "bm52" } }, "option_invalid", "bm25"],
    [{ search: { without: ["stems", "salt"] } }, "option_invalid", "options.search.without.1"],
    [{ synonyms: [["a", "b".repeat(10_000)]] }, "option_invalid", "512"],
    [{ countTokens: "cl100k" }, "option_invalid", "countTokens"],
    [{ limits: Promise.resolve({}) }, "option_invalid", "options.limits is a promise; await it"],
  ],
  register: [
    [tool(), "duplicate_tool", "good"],
    [{ name: "\ud800" }, "text_invalid", "surrogate"],
    [{ name: "b", description: "y".repeat(100_000) }, "description_too_long", "65536"],
    [{ name: "b", inputSchema: { type: "string" } }, "schema_invalid", "string"],
    [schema({ big: "z".repeat(300_000) }), "schema_too_large", "262144"],
    [{ name: "b", inputSchema: nested(70) }, "schema_too_large", "64"],
    [{ name: "b", inputSchema: cyclic }, "not_json", "cyclic"],
    [schema({ default: 1n }), "not_json", "bigint"],
    [{ type: "web_search" }, "tool_shape_unknown", 'got { type: "web_search" }; pass { name, description, inputSchema }'],
    [{}, "tool_shape_unknown", "a tool needs a name: {}"],
    ["[]", "not_json", "list"],
    [Promise.resolve([]), "not_json", "a promise; await it"],
    [new Map([["weather", tool()]]), "not_json", "pass [...tools]"],
    [{ weather: tool({ name: "weather" }) }, "not_json", "pass Object.values(tools)"],
  ],
  "register with options": [
    [{ servr: "x" }, "option_unknown", "server"],
    [{ server: "" }, "option_invalid", "options.server"],
    [{ enrichment: [{ name: "a" }, {}] }, "enrichment_invalid", "entry 1: it needs a name or a hash"],
  ],
  sync: [[Promise.resolve([]), "not_json", "a promise; await it"]],
  "sync of a server": [[" ", "option_invalid", "a string of 1 to 512 characters"]],
  unregister: [[{}, "option_invalid", "server"]],
  fromIndex: [
    [new Uint16Array(4), "option_invalid", "index"],
    [new Uint8Array(), "index_invalid", "does not begin"],
    [index.subarray(0, -1), "index_invalid", "cut short or altered"],
  ],
  "fromIndex with options": [
    [{ synonyms: [["a", "b"]] }, "index_stale", "options.synonyms"],
    [{ search: { without: ["stems"] } }, "index_stale", "options.search.without"],
    [{ contentHash: "x".repeat(10_000) }, "index_stale", "build it again"],
  ],
  session: [["", "session_id_invalid", "256"]],
  "session with options": [
    [{ scop: {} }, "option_unknown", "scope"],
    [{ scope: undefined }, "option_invalid", "all"],
    [{ scope: "everything" }, "option_invalid", "all"],
    [{ scope: Promise.resolve({}) }, "option_invalid", "a promise; await it"],
    [{ scope: { servers: new Set(["a"]) } }, "option_invalid", "pass a list"],
  ],
  restore: [null, {}, "text", { toolsift: 1, id: "x" }].map((given) => [given, "snapshot_invalid", "snapshot"]),
  "restore with options": [
    [{ replace: "yes" }, "option_invalid", "a boolean"],
    [{ scope: undefined }, "option_invalid", "all"],
  ],
  assemble: [[{ format: "opena" }, "option_invalid", "openai"]],
  call: [[cyclic, "not_json", "cyclic"]],
  callAll: [[[null], "option_invalid", "null"]],
  reveal: [
    [["good", "nope"], "tool_unknown", "nope"],
    [many(20_001, "x"), "option_invalid", "20000"],
  ],
  rescope: [[undefined, "option_invalid", "all"]],
  evict: [
    [{ tools: -1 }, "limit_out_of_range", "-1"],
    [{ token: 1 }, "option_unknown", "tokens"],
  ],
  prefetch: [[{ tools: -1 }, "limit_out_of_range", "-1"]],
  search: [
    [[], "query_empty", "0"],
    [["", " \n"], "query_empty", "2"],
    [["a", 7], "option_invalid", "query.1"],
    [many(20_001, "a"), "option_invalid", "20000"],
  ],
  "search with options": [
    [{ limit: 0 }, "limit_out_of_range", "options.limit"],
    [{ limits: 1 }, "option_unknown", "did you mean limit?"],
    [{ session: undefined }, "option_invalid", "options.session is null or undefined"],
    [{ session: "nowhere" }, "session_closed", "nowhere"],
  ],
  explain: [[["a", 7], "option_invalid", "query.1"]],
  scores: [[{ good: 1.5 }, "limit_out_of_range", "options.scores.good"]],
  rank: [
    [{ rerenk: () => [] }, "option_unknown", "rerank"],
    [{ rerank: () => [], rerankWhen: "never" }, "option_invalid", "rerankWhen"],
  ],
  guard: [
    [{ pin: true }, "option_unknown", "did you mean pins?"],
    [{ pins: [{ ...pin, hash: "abc" }] }, "option_invalid", "64 hexadecimal digits"],
    [{ pins: many(200_001, pin) }, "limit_out_of_range", "200001 pins; at most 200000"],
  ],
  accept: [["all", "option_invalid", ""]],
  gateway: [
    [{}, "option_invalid", "mcpServers is missing"],
    [{ mcpServers, alow: [] }, "option_unknown", "did you mean allow"],
    ...["profile", "reveal", "surface", "unrevealedCall"].map((option) => [
      { mcpServers, [option]: "x" },
      "option_unknown",
      option,
    ]),
    [{ mcpServers, allow: "github" }, "option_invalid", "list of at most"],
    [{ mcpServers, effects: { "a:*": "delete" } }, "option_invalid", "read, write, destroy"],
    [{ mcpServers, scope: null }, "option_invalid", "scope is null"],
    [{ mcpServers, idleMs: -1 }, "limit_out_of_range", "-1; 0 to"],
    [{ mcpServers: { a: { listTools() {} } } }, "option_invalid", "is a client"],
  ],
  examine: [[[tool()], "option_invalid", "servers[0]"]],
  "examine with options": [
    [{ maxToken: 1 }, "option_unknown", "did you mean maxTokens"],
    [{ maxTokens: 0 }, "limit_out_of_range", "1 to 1000000"],
  ],
  enrich: [
    [{}, "option_invalid", "options.complete is undefined; it must be a function"],
    [{ complete, batchSize: 3 }, "option_unknown", "did you mean batch?"],
    [{ complete, languages: ["english language"] }, "option_invalid", 'options.languages.0 is "english language"'],
    [{ complete, languages: "en de fr es it pt nl sv da fi cs pl ja".split(" ") }, "limit_out_of_range", "are 130"],
    [{ complete, queries: 11 }, "limit_out_of_range", "options.queries is 11; 1 to 10"],
    [{ complete, previous: "\n{" }, "enrichment_invalid", "line 2"],
  ],
  readEnrichment: [
    ['{"name":"a"}\n\n{"name":', "enrichment_invalid", "line 3"],
    ["\n\n7", "enrichment_invalid", "line 3: it must be an object"],
    [`{"name":"a","queries":["${"x".repeat(257)}"]}`, "enrichment_invalid", "line 1: queries has"],
  ],
  writeEnrichment: [[[{ name: "a" }, 7], "enrichment_invalid", ""]],
  packsFor: [
    [Promise.resolve([]), "not_json", "await it"],
    [many(200_001, tool()), "catalog_full", "200001 tools; a catalog holds at most 200000"],
    [many(1_200, { name: "long", description: "x".repeat(60_000) }), "list_too_large", "67108864 characters"],
  ],
};

for (const [door, rows] of Object.entries(MISTAKES)) {
  test(`${door}: mistakes are named, and change nothing`, async () => {
    for (const [given, code, part] of rows) {
      const sift = used();
      const before = stateOf(sift);
      const error = await (async () => DOORS[door](sift)(given))().catch((reason) => reason);
      assert.ok(ToolSiftError.is(error) && error instanceof Error, `${part}: ${error}`);
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.includes(part), `${error.message} should name ${part}`);
      assert.ok(error.message.length < 700 && !error.message.includes("s3cret"), "a message is no dump");
      assert.equal(stateOf(sift), before);
    }
  });
}

test("what profiles do not have is refused", () => {
  refused((sift) => sift.search("("), "pattern_invalid", "missing closing )", { profile: "search-add" });
  refused((sift) => sift.search("a".repeat(2_000)), "pattern_invalid", "1000", { profile: "search-add" });
  refused((sift) => sift.search("mail", { scores: { good: 1 } }), "option_conflict", "", { profile: "bridge" });
});
