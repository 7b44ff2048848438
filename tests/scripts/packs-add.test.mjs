/**
 * `npm run packs -- add`, with a small server of a folder.
 *
 * 1. It installs without scripts, makes up what the server says it lacks, and leaves what the writers need.
 * 2. Words that break a rule are refused with the reason of each, and nothing is written.
 * 3. Good words become the pack, its requests and its row; the next time it asks only for what is new.
 * 4. What another writer's requests say is added to words that are there, once; its keywords are not.
 * 5. A server that does not list its tools is noted with the kind of reason. What hangs or talks without end is ended.
 * 6. The command says what it needs.
 */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { install } from "../../scripts/lib/installed.mjs";
import { listServer, takeWords } from "../../scripts/lib/packs/add/add.mjs";
import { madeUp } from "../../scripts/lib/packs/add/made-up.mjs";
import { readPacks } from "../../scripts/lib/packs/read.mjs";
import { readServers, writeServers } from "../../scripts/lib/packs/servers.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node, Problem } from "../../scripts/lib/run.mjs";

const { home } = await install();
const entry = (name) => import(pathToFileURL(join(home, "dist", name)).href);
const [{ ToolSift }, { enrich }] = await Promise.all(["index.js", "author.js"].map(entry));
// Of the built package: what is installed has no MCP SDK beside it.
const { inspect, processTransport } = await import(pathToFileURL(at("pkg", "dist", "gateway.js")).href);
const lib = { enrich, inspect, ToolSift, processTransport, Client, ResultSchema };

const folder = mkdtempSync(join(tmpdir(), "toolsift-packs-add-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => writeFileSync(join(folder, name), text);
const read = (name) => readFileSync(join(folder, name), "utf8");
const places = { packs: join(folder, "packs"), requests: join(folder, "own.jsonl"), pages: () => [] };
mkdirSync(places.packs);
writeServers({ packs: [], unlisted: [] }, places.packs);
write("own.jsonl", '{"id":"q-7","kind":"person","query":"x","relevant":["other__x"],"match":"any"}\n');

const TOOLS = [
  { name: "add_note", description: "Adds a note to the space.", inputSchema: { type: "object" } },
  { name: "find_notes", description: "Searches the notes of the space.", inputSchema: { type: "object" } },
];

/** A package whose server runs these lines before it answers. */
function server(name, tools, begin) {
  mkdirSync(join(folder, name), { recursive: true });
  const scripts = { postinstall: `node -e "require('fs').writeFileSync('${join(folder, "ran")}', '')"` };
  const manifest = { name: `@small/mcp-server-${name}`, version: "1.2.3", type: "module", bin: "server.js", scripts };
  write(`${name}/package.json`, JSON.stringify(manifest));
  write(
    `${name}/server.js`,
    `#!/usr/bin/env node
import { createInterface } from "node:readline";
${begin}
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: ${JSON.stringify(tools)} }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) }));
}`,
  );
  return join(folder, name);
}

const ASKS = `
if (!process.env.NOTES_API_KEY) { console.error("Error: NOTES_API_KEY is required"); process.exit(1); }
if (!process.argv.includes("--space")) { console.error("error: required option '--space <url>' not specified"); process.exit(1); }
`;
const out = join(folder, "out");
const list = (source, choices) => listServer({ source, args: [], env: {}, out, ...choices }, lib, places);
const take = (source, choices) => takeWords({ source, out, words: join(folder, "words.jsonl"), ...choices }, lib, places);

const QUERIES = {
  add_note: [
    "jot this down for me",
    "I keep forgetting what we agreed on",
    "write down: milk",
    "where do I put this thought?",
  ],
  find_notes: [
    "what did I write about the roof?",
    "lost my recipe again",
    "look up the wifi password",
    "anything on taxes?",
  ],
};
const KEYWORDS = {
  add_note: ["jot", "memo", "scribble", "write down", "remember", "sticky"],
  find_notes: ["look up", "recall", "lost", "where is", "dig out", "memory"],
};
const words = (names) => names.map((name) => ({ name, queries: QUERIES[name], keywords: KEYWORDS[name] }));
const lines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

test("lists the tools of a server that asks for keys, and leaves what writers need", async () => {
  const found = await list(server("notes", TOOLS, ASKS));
  assert.deepEqual(found, {
    pack: "notes",
    version: "1.2.3",
    tools: 2,
    open: 2,
    madeUp: ["NOTES_API_KEY", "--space"],
    out: join(out, "notes"),
  });
  assert.ok(!existsSync(join(folder, "ran")), "no script of the package runs");
  assert.match(read("out/notes/words.md"), /"queries": 8 things[^]*Adds a note to the space[^]*Searches the notes/);
  assert.match(read("out/notes/requests.md"), /add_note: Adds a note/);
  assert.deepEqual(JSON.parse(read("out/notes/tools.json")).tools, TOOLS);
});

test("refuses words that break a rule, and writes nothing", async () => {
  const [good, other] = words(["add_note", "find_notes"]);
  const rows = [
    {
      ...good,
      queries: [...good.queries.slice(1), other.queries[0], "find-notes or find_notes", "see https://example.com/x"],
    },
    { ...other, keywords: ["recall", "memory"] },
    { name: "delete_note", queries: [], keywords: [] },
  ];
  write("words.jsonl", lines(rows));
  write("requests.jsonl", lines([{ kind: "robot", query: "note", relevant: ["no_note"] }]));
  const { problems, leftOut } = await take(join(folder, "notes"), { requests: join(folder, "requests.jsonl") });
  const all = problems.join("\n");
  for (const pattern of [
    /delete_note is no tool of the server/,
    /find_notes has 2 keywords; 6 to 12/,
    /add_note and find_notes have the same query/,
    /there are 1 requests; write 3/,
    /request 1 has the kind robot; it is one of person, agent/,
    /request 1 is for no_note, no tool of the server/,
  ])
    assert.match(all, pattern);
  assert.match(leftOut.join("\n"), /find_notes"[^]*https:/);
  assert.deepEqual(readPacks(places.packs), []);
  write("words.jsonl", "queries: none");
  await assert.rejects(take(join(folder, "notes")), /words\.jsonl:1 is no JSON/);
  await assert.rejects(take("another"), /run the command without --words first/);
});

test("makes the pack, and asks the next time for what is new", async () => {
  const source = join(folder, "notes");
  write("words.jsonl", JSON.stringify({ tools: words(["add_note", "find_notes"]) }));
  const request = (query, relevant, kind = "person") => ({ kind, query, relevant: [relevant] });
  const requests = [
    request("jot down the number", "add_note"),
    request("what did I write about mum?", "find_notes"),
    request("xyzzy", "add_note", "agent"),
  ];
  write("requests.jsonl", lines(requests));
  const taken = await take(source, { requests: join(folder, "requests.jsonl") });
  assert.deepEqual(taken.problems, []);
  assert.deepEqual([taken.entries, taken.asked, taken.missed], [2, 3, ["xyzzy"]]);
  const [{ name, entries }] = readPacks(places.packs);
  assert.deepEqual([name, entries.map((one) => one.name)], ["notes", ["add_note", "find_notes"]]);
  const sift = new ToolSift();
  const { enrichment } = sift.register(TOOLS, { enrichment: entries });
  sift.dispose();
  assert.deepEqual(enrichment, { enriched: 2, aged: [], stale: [] });
  const own = read("own.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    own.map(({ id, relevant }) => [id, relevant]),
    [
      ["q-7", ["other__x"]],
      ["q-8", ["notes__add_note"]],
      ["q-9", ["notes__find_notes"]],
      ["q-10", ["notes__add_note"]],
    ],
  );
  const day = new Date().toISOString().slice(0, 10);
  const row = { pack: "notes", package: "@small/mcp-server-notes", version: "1.2.3", written: day };
  assert.deepEqual(readServers(places.packs).packs, [row]);

  const changed = [TOOLS[0], { ...TOOLS[1], description: "Finds what was noted." }];
  assert.equal((await list(server("notes", changed, ASKS))).open, 1);
  assert.doesNotMatch(read("out/notes/words.md"), /Adds a note/);
  write("words.jsonl", lines(words(["add_note"])));
  assert.deepEqual((await take(source)).problems, ["find_notes has no words"]);
  write("words.jsonl", lines(words(["find_notes"])));
  assert.equal((await take(source)).entries, 2);
  assert.equal(readPacks(places.packs)[0].entries[0].hash, entries[0].hash);
  assert.notEqual(readPacks(places.packs)[0].entries[1].hash, entries[1].hash);
});

test("adds the queries of another writer", async () => {
  const [, before] = readPacks(places.packs)[0].entries;
  const said = ["What did I write about the roof?", "the text from yesterday", "that idea with the boat"];
  write("more.jsonl", lines([{ name: "find_notes", queries: said, keywords: ["boat"] }]));
  const choices = { words: undefined, more: join(folder, "more.jsonl") };
  const { problems, entries } = await take(join(folder, "notes"), choices);
  assert.deepEqual([problems, entries], [[], 2]);
  const [, after] = readPacks(places.packs)[0].entries;
  assert.deepEqual(after, { ...before, queries: [...before.queries, ...said.slice(1)] });
});

test("notes a server that does not list its tools", async () => {
  const begins = {
    offline: ['console.error("Error: getaddrinfo ENOTFOUND api.example.com"); process.exit(1);', "it needs a network"],
    shut: ['console.error("Error: Unauthorized: the login failed"); process.exit(1);', "it checks its credentials first"],
    crash: ['throw new Error("oh dear");', "it ends with an error"],
    flood: ['const more = () => process.stdout.write("x".repeat(1 << 20), more); more();', "it ends with an error"],
  };
  for (const [name, [begin, why]] of Object.entries(begins)) {
    await assert.rejects(list(server(name, TOOLS, begin)), (error) => {
      assert.ok(error instanceof Problem);
      assert.match(error.message, new RegExp(`@small/mcp-server-${name} 1.2.3 does not list its tools: ${why}`));
      return true;
    });
  }
  const { unlisted } = readServers(places.packs);
  assert.deepEqual(
    unlisted.map((row) => [row.package, row.why]),
    Object.entries(begins)
      .map(([name, [, why]]) => [`@small/mcp-server-${name}`, why])
      .sort(),
  );
  await assert.rejects(list(server("empty", [], "")), /it lists no tools/);
  await assert.rejects(list(join(folder, "notes"), { program: "other" }), /its programs are mcp-server-notes/);
  await assert.rejects(
    list(server("notes-2", TOOLS, ""), { name: "notes" }),
    /is of @small\/mcp-server-notes: give this one/,
  );
});

test("makes up values by what is asked for", () => {
  const none = { env: {}, args: [] };
  const { env } = madeUp("DATABASE_URL must be set\nERR_MODULE_NOT_FOUND needed\nMissing SITE_HOST, APIKEY", none, "/f");
  assert.deepEqual(Object.keys(env), ["DATABASE_URL", "SITE_HOST", "APIKEY"]);
  assert.match(env.DATABASE_URL, /^postgresql:/);
  assert.equal(madeUp("it is done with NOTES_KEY", none, "/f"), null);
  assert.equal(madeUp("APIKEY is missing", { env, args: [] }, "/f"), null);
});

test("the command says what it needs", async () => {
  const add = (...args) => node(at("scripts", "packs.mjs"), ["add", ...args], { fails: false });
  assert.match((await add("--help")).stdout, /npm run packs -- add PACKAGE/);
  const none = await add();
  assert.deepEqual([none.code, /say which package/.test(none.output)], [1, true]);
  assert.equal((await add("x", "--requests", "y")).code, 1);
  assert.match((await add("x", "--wrds", "y")).output, /--wrds/);
});
