/**
 * What becomes of the figures, worked out by hand.
 *
 * 1. Rounds come together by medians: of each query first, then over the queries.
 * 2. An aim is reached when every kind of words reaches it, or says by how much the worst misses it, and why.
 * 3. What takes longer than its budget is ended, said, and keeps the figures that it had.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { aimsOf } from "../../scripts/lib/bench/speed/aims.mjs";
import { combined } from "../../scripts/lib/bench/speed/combine.mjs";
import { withMaterial } from "../../scripts/lib/bench/speed/size.mjs";
import { inProcess } from "../../scripts/lib/bench/speed/spawn.mjs";

test("rounds come together by medians", () => {
  const rounds = [
    { build: 10, memory: { bytes: 5 }, sync: [1, 2], "3-words": { times: [1, 8, 3, null], hits: 10 } },
    { build: 30, memory: { bytes: 7 }, sync: [3, 4], "3-words": { times: [2, 9, 5, null], hits: 9 } },
    { build: 20, memory: { bytes: 6 }, sync: [5], "3-words": { times: [3, 7, 4, null], hits: 8 } },
  ];
  const ended = { step: "sync", reason: "over" };
  assert.deepEqual(combined(rounds, { row: "toolsift", kinds: ["3-words", "story"], ended }), {
    build: 20,
    memory: { bytes: 6 },
    sync: { p50: 3, p95: 5, count: 5 },
    // 2, 8 and 4 for the three queries that were timed.
    queries: { "3-words": { p50: 4, p95: 8, count: 3, hits: 8 }, story: { skipped: "over" } },
    skipped: "over",
    at: "sync",
  });
  const peer = combined([{}], { row: "lunr", kinds: ["select", "story"], ended: undefined });
  assert.deepEqual(peer, { queries: { select: { skipped: "has no such queries" }, story: { skipped: "not measured" } } });
});

/** A row of a table: the p50 of every kind of words, that of stories, and other figures. */
const row = (words, story, others = {}) => ({
  queries: { "3-words": { p50: words }, "12-words": { p50: words }, typo: { p50: words }, story: { p50: story } },
  ...others,
});

test("an aim is reached by every kind, or missed by the worst", () => {
  const toolsift = row(0.1, 0.4, { ready: 30, memory: { bytes: 150e6 }, "search after sync": { p50: 3 } });
  toolsift.queries.filter = { p50: 0.15 };
  const rows = {
    toolsift,
    "toolsift call": row(0.11, 0.6),
    minisearch: row(20, 40, { build: 100 }),
    flexsearch: row(0.8, 1),
    lunr: row(9, 0.9),
  };
  const cold = { node: { cpu: 9 }, workerd: { skipped: "only Linux" } };
  const aims = aimsOf({ sizes: [{ tools: 10_000, rows }], cold, sync: { sync: { p50: 10 } } });
  const found = (text) => {
    const { reached, missedBy, measured } = aims.find(({ aim }) => aim.includes(text)) ?? assert.fail(text);
    return [reached, missedBy === null ? null : Number(missedBy.toFixed(2)), measured];
  };
  // Stories: FlexSearch takes 1 ms, and that is 2.5 times ours.
  assert.deepEqual(found("10,000 tools: as fast as 8 x FlexSearch").slice(0, 2), [false, 3.2]);
  assert.match(found("10,000 tools: as fast as 8 x FlexSearch")[2], /3 words 8\.00 x.*story 2\.50 x/);
  assert.deepEqual(found(" 1,000 tools: as fast as 2 x FlexSearch"), [null, null, "not measured in this run"]);
  assert.deepEqual(found("10,000 tools: as fast as 100 x MiniSearch").slice(0, 2), [true, null]);
  assert.deepEqual(found("call, 10,000 tools").slice(0, 2), [false, 1.25]);
  assert.deepEqual(found("must occur, 10,000 tools"), [true, null, "share 1.50 x"]);
  assert.deepEqual(found("10,000 tools: build + first search"), [true, null, "share 0.300"]);
  assert.deepEqual(found("first search after one changed"), [false, 1.5, "search 3.00"]);
  assert.deepEqual(found("200 MB"), [null, null, "not measured in this run"]);
  assert.deepEqual(found("first search, node"), [true, null, "CPU 9.00"]);
  assert.deepEqual(found("first search, workerd"), [null, null, "only Linux"]);
  assert.deepEqual(found("20,000: at most 5 ms"), [false, 2, "sync 10.0"]);
  for (const { aim, reached, why } of aims) assert.equal(typeof why === "string", reached === false, aim);
  assert.match(aims.find(({ aim }) => aim.includes("10,000 tools: as fast as 8 x")).why, /synonym/);
});

test("a library that takes too long is ended, and keeps the figures that it had", async () => {
  const { rows, ended } = await withMaterial(undefined, 500, (folder) => {
    const job = { do: "measure", library: "fuse", rows: ["fuse"], kinds: ["story"], folder, steps: false };
    return inProcess(job, { start: 60, build: 60, other: 0.1 });
  });
  assert.deepEqual(ended, { step: "fuse: story", reason: "over 0.1 s, skipped" });
  assert.ok(rows.fuse.build > 0 && rows.fuse.ready > rows.fuse.build);
  assert.equal(rows.fuse.story, undefined);
});
