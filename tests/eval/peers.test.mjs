/**
 * Do the peers rank as they are described? A handful of tools, and orders worked out by hand.
 *
 * 1. Each finds a tool by what its description says that it reads, and by nothing else.
 * 2. Ties are in order of registration, nothing is found without a common word, and no more than asked for.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { index as aiSdk } from "../../scripts/lib/eval/peers/ai-sdk.mjs";
import { best, bm25 } from "../../scripts/lib/eval/peers/bm25.mjs";
import { index as codex } from "../../scripts/lib/eval/peers/codex.mjs";
import { index as fastmcp } from "../../scripts/lib/eval/peers/fastmcp.mjs";
import { index as mastra } from "../../scripts/lib/eval/peers/mastra.mjs";
import { index as minisearch } from "../../scripts/lib/eval/peers/minisearch.mjs";
import { index as pydanticAi } from "../../scripts/lib/eval/peers/pydantic-ai.mjs";

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

test("AI SDK: two for the name, one for the description, camelCase is words", () => {
  assert.deepEqual(found(aiSdk, "file FILE"), ["write_file", "readFile"]);
  assert.deepEqual(found(aiSdk, "a"), ["readFile", "write_file", "sail"]);
  assert.deepEqual(found(aiSdk, "port"), []);
});

test("pydantic-ai: shared words, names in camelCase are one", () => {
  assert.deepEqual(found(pydanticAi, "readfile a boat", 2), ["readFile", "sail"]);
  assert.deepEqual(found(pydanticAi, "file"), ["write_file"]);
});

test("Mastra: the id lifts what holds a word", () => {
  // Only "document" is a word of the first tool; its id holds "read" and "file", too.
  assert.deepEqual(found(mastra, "read document file")[0], "readFile");
  assert.deepEqual(found(mastra, "sail boat", 1), ["sail"]);
  assert.deepEqual(found(mastra, "land"), []);
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
  assert.deepEqual(index.score(["a"]).map(([at]) => at), [0]);
  assert.ok(Math.abs(index.score(["a"])[0][1] - expected) < 1e-12);
  assert.deepEqual(best([[2, 1], [1, 1], [0, 0]], 5), [[1, 1], [2, 1]]);
});
