/** Tests that the package answers like the published systems. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { runVector, SYSTEMS } from "./play/run.mjs";
import { readVectors } from "./play/vectors.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
const { vectors, catalog } = readVectors(at("tests", "vectors"));
const RECORDED = { nexo: 136, claude_code: 39, everruns: 125, hermes: 205, mcpagent: 124 };

for (const system of Object.keys(SYSTEMS)) {
  test(`the vectors of ${system}`, () => {
    const results = vectors.filter((one) => one.system === system).map((one) => runVector(ToolSift, one, catalog));
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== "passed"),
      [],
    );
    assert.equal(results.length, RECORDED[system]);
  });
}
