/** Tests that memory stops growing in long use of toolsift. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { measure, SAMPLES, verdictsOn } from "./levels.mjs";
import { LOADS } from "./loads.mjs";

const loads = Object.entries(LOADS).filter(([, { short }]) => short !== undefined);
for (const [name, { title, short }] of allOrLast(loads)) {
  test(`memory levels off: ${title}`, async () => {
    const taken = await measure(name, short);
    assert.equal(taken.length, SAMPLES);
    for (const [what, { levels, before, after }] of Object.entries(verdictsOn(taken))) {
      assert.ok(levels, `${what}: ${before} bytes in the second quarter, ${after} in the last`);
    }
  });
}
