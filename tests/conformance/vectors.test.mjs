/**
 * Does the package answer as the published systems do?
 *
 * 1. Every vector of every system holds. None is skipped: the details of Go's regular expressions are as in Go, too.
 * 2. There are as many vectors of each system as were recorded.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { conformance, lineOf } from "../../scripts/conformance.mjs";
import { SYSTEMS } from "../../scripts/lib/conformance/run.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const { results, systems } = await conformance(at("tests", "vectors"));

for (const system of Object.keys(SYSTEMS)) {
  test(`every vector of ${system} holds`, () => {
    const ofSystem = results.filter((one) => one.system === system);
    assert.deepEqual(ofSystem.filter(({ outcome }) => outcome !== "passed").map(lineOf), []);
  });
}

test("no system has fewer vectors than were recorded", () => {
  const recorded = { nexo: 136, claude_code: 39, everruns: 125, hermes: 205, mcpagent: 124 };
  for (const { system, passed, failed, skipped } of systems) {
    assert.ok(passed + failed + skipped >= recorded[system], `${system} had ${recorded[system]}`);
  }
  assert.deepEqual(
    systems.map(({ system }) => system),
    Object.keys(recorded),
  );
});
