/**
 * The short form of the comparison, at 100 tools. How long things take is not asserted: machines are busy.
 *
 * 1. Every library has a row, every kind of query has times or a reason, and toolsift has every figure that is its own.
 * 2. Every library finds something.
 * 3. Every aim is there; one that needs another size says that it was not measured. Missing one is an error only when asked.
 * 4. The table of the documentation has a row for every library, and what stands around it is left.
 * 5. The printed table has the same rows; a folder's tools, kinds and peers can be chosen.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DOCUMENT, withTable } from "../../scripts/lib/bench/speed/document.mjs";
import { PEERS } from "../../scripts/lib/bench/speed/peers.mjs";
import { KINDS, OWN_KINDS } from "../../scripts/lib/bench/speed/queries.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { bench } from "./lib/bench.mjs";

const positive = (value, what) => assert.ok(Number.isFinite(value) && value > 0, `${what} is ${value}`);

function assertTimes({ p50, p95, count }, what) {
  positive(p50, `${what} p50`);
  positive(count, `${what} count`);
  assert.ok(p95 >= p50, `${what}: p95 ${p95} is below p50 ${p50}`);
}

/** Aims that the short form measures. */
const MEASURED = [
  "search, 100 tools: as fast as 1 x",
  "call, 100 tools",
  "must occur, 100 tools",
  "100 tools: build + first search",
  "first search, node: at most 10 ms",
];

test("every row and figure is there", async () => {
  const { code, stdout, stderr } = await bench("--sizes", "100", "--runs", "1", "--json");
  assert.equal(code, 0, stderr);
  const { speed, index } = JSON.parse(stdout);
  assert.equal(index, undefined, "the other parts are run when they are named");
  assert.equal(speed.sizes.length, 1);
  const [{ tools, servers, bytes, rounds, rows }] = speed.sizes;
  assert.deepEqual([tools, rounds], [100, 1]);
  positive(servers, "servers");
  positive(bytes, "bytes");
  assert.deepEqual(Object.keys(rows), ["toolsift", "toolsift call", ...Object.keys(PEERS)]);

  for (const [row, { queries, skipped }] of Object.entries(rows)) {
    // Fuse.js needs seconds for a story; on a busy machine that is more than it is given.
    if (row === "fuse" && skipped !== undefined) {
      assert.match(skipped, /^over \d+ s, skipped$/);
      continue;
    }
    assert.equal(skipped, undefined, row);
    for (const kind of Object.keys(KINDS)) {
      if (OWN_KINDS.includes(kind) && row in PEERS) {
        assert.match(queries[kind].skipped, /no such queries/);
        continue;
      }
      assertTimes(queries[kind], `${row}, ${kind}`);
      positive(queries[kind].hits, `${row}, ${kind}: hits`);
    }
  }
  for (const row of ["toolsift", ...new Set(Object.keys(PEERS).filter((name) => name !== "minisearch-fuzzy"))]) {
    const { build, ready, memory } = rows[row];
    positive(build, `${row}: build`);
    assert.ok(ready > build, `${row}: the first search takes time`);
    // AI SDK's ranker keeps no index.
    if (row !== "ai-sdk") positive(memory.bytes, `${row}: memory`);
    assert.ok(memory.bytes >= 0, `${row}: memory is ${memory.bytes}`);
    positive(memory.rss, `${row}: rss`);
  }

  const own = rows.toolsift;
  positive(own.memory.wasm, "the memory of the wasm");
  for (const name of ["load", "load and search", "index"]) positive(own[name], name);
  for (const name of ["dispatch", "assemble", "sync", "search after sync", "open a session", "search in a scope"]) {
    assertTimes(own[name], name);
  }
  assert.equal(own.refused, 0, "the core takes every made-up tool");
  assert.equal(own.scopes, 100);
  assert.equal(speed.cold.tools, 1_000);
  for (const runtime of ["node", "workerd"]) {
    // Only Linux tells the CPU time of another process.
    if (runtime === "workerd" && process.platform !== "linux") continue;
    positive(speed.cold[runtime].cpu, `${runtime}: ${speed.cold[runtime].skipped}`);
  }

  const before = readFileSync(DOCUMENT, "utf8");
  const after = withTable(before, speed, "1 May 2030");
  const [kept, written] = [
    before.slice(0, before.indexOf("| |")),
    /\n\| \|.*\n\|[-:|]+\n((?:\|.*\n)+)\nOne run on 1 May 2030/.exec(after),
  ];
  assert.ok(after.startsWith(kept) && after.endsWith(before.slice(before.indexOf("<!-- until here"))));
  const cells = written[1]
    .trim()
    .split("\n")
    .map((row) => row.split(" | "));
  assert.equal(cells.length, 1 + Object.keys(PEERS).length, "each library, and a call of toolsift");
  const mini = cells.find(([title]) => title === "| MiniSearch, 100 tools");
  assert.equal(Number(mini[1]), Number((rows.minisearch.build / own.build).toPrecision(2)));

  const aimed = (text) => speed.aims.find(({ aim }) => aim.includes(text));
  for (const text of MEASURED) {
    assert.equal(typeof aimed(text).reached, "boolean", text);
  }
  for (const text of ["as fast as 2 x", "100 x MiniSearch", "one changed", "200 MB", "20,000"]) {
    assert.equal(aimed(text).reached, null, text);
    assert.match(aimed(text).measured, /not measured|needs/, text);
  }
});

test("a folder's tools, one kind and one peer, as a table; a missed aim is an error with --strict", async () => {
  const folder = at("tests", "simulate", "catalogs");
  const choice = ["--sizes", "60", "--runs", "1", "--peers", "flexsearch", "--kinds", "3-words,select", "--data", folder];
  const { code, stdout, stderr } = await bench(...choice, "--strict");
  assert.match(stdout, /60 tools/);
  assert.match(stdout, /3 words +select/);
  assert.match(stdout, /^ +toolsift search .*^ +toolsift call .*^ +FlexSearch .*^ +times toolsift search/ms);
  assert.doesNotMatch(stdout, /MiniSearch +\d|undefined|NaN|12 words/);
  assert.match(stdout, /aims\n/);
  assert.equal(code, /missed by/.test(stdout) ? 1 : 0, stderr);
});
