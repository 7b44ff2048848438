/** Counts of tests are those that each runner tells at its end. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { tally } from "../../scripts/lib/tally.mjs";

test("each runner's closing lines are counted, and those of several are added up", () => {
  const cargo = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n";
  const node = "ℹ tests 7\nℹ pass 4\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\n";
  const pytest = "..s.F [100%]\n1 failed, 64 passed, 6 skipped, 3 deselected in 61.10s (0:01:01)\n";
  assert.deepEqual(tally(cargo), { passed: 3, failed: 0, skipped: 1 });
  assert.deepEqual(tally(node), { passed: 4, failed: 2, skipped: 1 });
  assert.deepEqual(tally(pytest), { passed: 64, failed: 1, skipped: 6 });
  assert.deepEqual(tally(cargo + node + pytest), { passed: 71, failed: 3, skipped: 8 });
  assert.deepEqual(tally("nothing ran"), { passed: 0, failed: 0, skipped: 0 });
});
