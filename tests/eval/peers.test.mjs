/**
 * Do the peers rank as they should? A handful of tools, orders worked out by hand, and originals asked the same.
 *
 * 1. Each finds a tool by what it is known to read, and by nothing else.
 * 2. Ties are in order of registration, nothing is found without a common word, and no more than asked for.
 * 3. Our readings of FastMCP and pydantic-ai rank a generated catalog and odd tools as the originals do, and refuse the same
 *    queries. This needs the Python environment that `npm run eval` makes.
 * 4. Without Python there is a reason instead of an interpreter, and an original that cannot start says so.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { index as aiSdk } from "../../scripts/lib/eval/peers/ai-sdk.mjs";
import { best, bm25 } from "../../scripts/lib/eval/peers/bm25.mjs";
import { index as codex } from "../../scripts/lib/eval/peers/codex.mjs";
import { index as fastmcp } from "../../scripts/lib/eval/peers/fastmcp.mjs";
import { index as mastra } from "../../scripts/lib/eval/peers/mastra.mjs";
import { index as minisearch } from "../../scripts/lib/eval/peers/minisearch.mjs";
import { original } from "../../scripts/lib/eval/peers/original.mjs";
import { index as pydanticAi } from "../../scripts/lib/eval/peers/pydantic-ai.mjs";
import { installedPython, providePython } from "../../scripts/lib/eval/python.mjs";
import { randomFrom } from "../../scripts/lib/eval/random.mjs";

const inner = { type: "object", properties: { depth: { type: "string", description: "A hidden harbour" } } };
const TOOLS = [
  { name: "readFile", description: "Opens a document", parameters: null, server: null },
  { name: "write_file", description: "Stores text in a file", parameters: null, server: null },
  {
    name: "sail",
    description: "Sails a boat",
    parameters: { type: "object", properties: { port: { ...inner, description: "Where to land" } } },
    server: null,
  },
];
const found = (index, query, count = 10) => index(TOOLS).search(query, count);

test("AI SDK: two for the name, one for the description, camelCase is words", async () => {
  assert.deepEqual(await found(aiSdk, "file FILE"), ["write_file", "readFile"]);
  assert.deepEqual(await found(aiSdk, "a"), ["readFile", "write_file", "sail"]);
  assert.deepEqual(await found(aiSdk, "a", 2), ["readFile", "write_file"]);
  assert.deepEqual(await found(aiSdk, "port"), []);
  assert.deepEqual(await found(aiSdk, ""), []);
});

test("AI SDK: a tool may be called as the search tool is", async () => {
  const tools = ["toolSearch", "toolSearch_"].map((name) => ({ name, description: "", parameters: null, server: null }));
  assert.deepEqual(await aiSdk(tools).search("search", 10), ["toolSearch", "toolSearch_"]);
});

test("pydantic-ai: shared words, names in camelCase are one", () => {
  assert.deepEqual(found(pydanticAi, "readfile a boat", 2), ["readFile", "sail"]);
  assert.deepEqual(found(pydanticAi, "file"), ["write_file"]);
  assert.throws(() => found(pydanticAi, "喫茶店"), /non-empty search query/);
});

test("Mastra: the id lifts what holds a word, a letter is no word", async () => {
  // Only "document" is a word of the first tool; its id holds "read" and "file", too.
  assert.deepEqual((await found(mastra, "read document file"))[0], "readFile");
  assert.deepEqual(await found(mastra, "sail boat", 1), ["sail"]);
  assert.deepEqual(await found(mastra, "land"), []);
  assert.deepEqual(await found(mastra, "a"), []);
});

test("Mastra: names are compared among twice as many as are asked for", async () => {
  const tools = ["one", "two", "xnote"].map((name, at) => ({
    name,
    description: "note ".repeat(3 - at),
    parameters: null,
    server: null,
  }));
  assert.deepEqual(await mastra(tools).search("note", 1), ["one"]);
  assert.deepEqual(await mastra(tools).search("note", 2), ["xnote", "one"]);
});

test("FastMCP: parameters at the top, not inside", () => {
  assert.deepEqual(found(fastmcp, "LAND"), ["sail"]);
  assert.deepEqual(found(fastmcp, "harbour"), []);
});

test("codex: stems, and parameters at every depth", () => {
  assert.deepEqual(found(codex, "sailing"), ["sail"]);
  assert.deepEqual(found(codex, "harbours"), ["sail"]);
  assert.deepEqual(found(codex, "where in the"), []);
});

test("MiniSearch: parameters at every depth, whole words", () => {
  assert.deepEqual(found(minisearch, "harbour"), ["sail"]);
  assert.deepEqual(found(minisearch, "harb"), []);
});

test("BM25 by hand", () => {
  const index = bm25([["a", "a", "b"], ["b"]], { k1: 1.2, b: 0.75 });
  // One of two holds "a": idf = ln(1 + 1.5/1.5) = ln 2. Twice, in three words where two are the mean.
  const expected = (Math.LN2 * 2 * 2.2) / (2 + 1.2 * (0.25 + 0.75 * 1.5));
  assert.deepEqual(
    index.score(["a"]).map(([at]) => at),
    [0],
  );
  assert.ok(Math.abs(index.score(["a"])[0][1] - expected) < 1e-12);
  assert.deepEqual(
    best(
      [
        [2, 1],
        [1, 1],
        [0, 0],
      ],
      5,
    ),
    [
      [1, 1],
      [2, 1],
    ],
  );
});

/** Words that a way of cutting, folding or counting could take for others. */
const WORDS =
  "file files readFile read_file get-user GET b x9 9 a1b2 Straße STRASSE ΟΔΟΣ οδος ﬁle İstanbul ıstanbul istanbul café " +
  "cafe\u0301 喫茶店 茶 𐐀 𐐨𐐨 𝔸𝔹 ½ ² 10² Ⅷ ẞ naïve don't e.g. a/b user@host дом Дом __x__ ŉ ǆ ꭰꭰ";

/** A catalog, and queries of its words, that are the same in every run. */
function generated() {
  const random = randomFrom("peers");
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = [...WORDS.split(" "), ...Array.from({ length: 60 }, (_, at) => `word${at}`)];
  const several = (most) => Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(words));
  const text = (most) => several(most).join(pick([" ", ", "]));
  const described = () => ({ type: "string", description: text(6) });
  const property = () => pick([described(), { type: "number" }, { ...inner, title: text(2) }, true]);
  const properties = () => Object.fromEntries(Array.from({ length: 3 }, () => [pick(words), property()]));
  const tools = Array.from({ length: 150 }, (_, at) => ({
    name: `${pick(words)}_${pick(words)}_${at}`,
    description: text(20),
    parameters: pick([null, { type: "object" }, { type: "object", properties: properties() }]),
    server: null,
  }));
  const queries = Array.from({ length: 150 }, () => text(8));
  return { tools, queries: [...queries, ...words, "", "  ", "?!", "file file word1", "no such thing here"] };
}

/** Almost no words: where their mean number per tool is below one, the longer of two texts loses its lead. */
const HOLLOW = Array.from({ length: 32 }, (_, at) => ({
  name: "_".repeat(at + 1),
  description: ["cat cat cat cat cat dog", "cat"][at] ?? "",
  parameters: null,
  server: null,
}));

/** What is found for each query and limit, or that the query is refused. */
async function answers(makeIndex, { tools, queries }) {
  const index = await makeIndex(tools);
  const all = [];
  for (const query of queries) {
    for (const limit of [1, 10, 100]) {
      try {
        all.push({ query, limit, names: await index.search(query, limit) });
      } catch {
        all.push({ query, limit, names: "refused" });
      }
    }
  }
  index.dispose?.();
  return all;
}

const python = await installedPython();
const skip = python === null && "there is no Python environment; `npm run eval` makes it";

for (const [peer, reading] of Object.entries({ fastmcp, "pydantic-ai": pydanticAi })) {
  test(`our reading of ${peer} and the original`, { skip }, async () => {
    const hollow = { tools: HOLLOW, queries: ["cat", "dog", "cat a cat"] };
    for (const sample of [generated(), { tools: TOOLS, queries: ["file", "land boat", "harbour"] }, hollow]) {
      const expected = await answers(original(python, peer), sample);
      assert.ok(expected.some(({ names }) => names.length > 0));
      assert.deepEqual(await answers(reading, sample), expected);
    }
  });
}

const home = mkdtempSync(join(tmpdir(), "toolsift-python-"));
after(() => rmSync(home, { recursive: true }));

test("without Python", async () => {
  const none = await providePython({ home: join(home, "python"), interpreters: ["no-such-python"] });
  assert.deepEqual(none, { reason: "there is no Python 3" });
  await assert.rejects(original(join(home, "no-python"), "fastmcp")(TOOLS), /fastmcp in Python ended early: .*ENOENT/);
});
