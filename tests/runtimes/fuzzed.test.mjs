/**
 * Tests that the package and the native library give the same answers, byte for byte, to every step of every stored input of
 * the fuzz target `steps`.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { compare, inputsIn } from "./lib/fuzzed.mjs";
import { at } from "../../scripts/lib/paths.mjs";

test("steps in any order have the native answers", async () => {
  const { count, reason } = await compare(inputsIn(at("lab", "fuzz", "corpus", "steps")));
  assert.equal(reason, null);
  assert.ok(count > 300, `${count} steps`);
});
