/**
 * Does memory level off, however long toolsift is used?
 *
 * 1. Each load of `npm run memory` that has a short form levels off in it: JavaScript's heap, and the core's wasm memory.
 * 2. The verdict tells growth from what levels off, and from noise.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { LOADS } from "../../scripts/lib/memory/loads.mjs";
import { verdict } from "../../scripts/lib/memory/verdict.mjs";
import { measure, verdictsOn } from "../../scripts/memory.mjs";

const MIB = 1024 * 1024;

test("memory levels off over cycles, session ids, changes of a catalog and runs", async (t) => {
  const loads = Object.entries(LOADS).filter(([, { short }]) => short !== undefined);
  for (const [name, { title, short }] of allOrLast(loads)) {
    await t.test(title, async () => {
      const taken = await measure(name, short);
      assert.equal(taken.length, 40);
      for (const [what, { levels, before, after }] of Object.entries(verdictsOn(taken))) {
        assert.ok(levels, `${what}: ${before} bytes in the second quarter, ${after} in the last`);
      }
    });
  }
});

const samples = (heapAt) => Array.from({ length: 40 }, (_, at) => ({ cycle: 100 * (at + 1), heap: heapAt(at) }));
const levels = (heapAt) => verdict(samples(heapAt), ({ heap }) => heap).levels;

test("the verdict tells growth from what levels off", () => {
  assert.ok(levels(() => 10 * MIB));
  assert.ok(
    levels((at) => Math.min(at, 18) * 10 * MIB),
    "what fills in the first half",
  );
  assert.ok(
    levels((at) => 10 * MIB + (at % 3) * 0.4 * MIB),
    "noise",
  );
  assert.ok(!levels((at) => 10 * MIB + at * 0.2 * MIB), "a steady leak");
  assert.ok(!levels((at) => 10 * MIB + (at > 35 ? 5 * MIB : 0)), "a late one");
  assert.equal(
    verdict(
      samples((at) => 10 * MIB + at * 100),
      ({ heap }) => heap,
    ).perCycle,
    1,
  );
});
