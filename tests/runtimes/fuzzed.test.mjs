/**
 * Does the package answer as the native library does where the fuzzer says what is done?
 *
 * 1. Every step of every kept input of the target `steps` has the native answer, byte for byte.
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
