/** Tests that search on the golden sets is at least as good as the recorded figures. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { committedFigures, golden } from "./golden.mjs";
import { fallen } from "./measure.mjs";

const committed = committedFigures();
const measured = await golden();

for (const { set, classes } of measured) {
  for (const [kind, now] of Object.entries(classes)) {
    test(`${set.name}, ${kind}: no figure fell`, () => {
      const lines = fallen(set, kind, committed[set.name]?.[kind], now);
      assert.equal(lines.length, 0, lines.join("\n"));
    });
  }
}
