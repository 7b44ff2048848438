/**
 * Does an application ship what it shipped before?
 *
 * 1. Nothing that is shipped grew by more than one part in a hundred beyond its committed size, or appeared without one.
 * 2. The wasm, the root, each adapter and the other entries keep to their limits.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parts, SIZES, sizesOf } from "../../scripts/size.mjs";

/** Compilers and names of files move a size by less. */
const GROWTH = 1.01;

const shipped = await parts();

test("nothing grew unnoticed", () => {
  const committed = JSON.parse(readFileSync(SIZES, "utf8"));
  const now = sizesOf(shipped);
  assert.deepEqual(Object.keys(committed), Object.keys(now), "npm run figures");
  const grown = Object.entries(now).filter(([name, bytes]) => bytes > committed[name] * GROWTH);
  const lines = grown.map(([name, bytes]) => `${name}: ${committed[name]} → ${bytes} bytes`);
  assert.deepEqual(lines, [], "if it has to be, npm run figures writes the sizes as they are");
});

test("everything keeps to its limit", () => {
  assert.ok(shipped.length > 8);
  for (const { name, bytes, limit } of shipped) {
    assert.ok(bytes > 0 && bytes <= limit, `${name}: ${bytes} bytes, more than ${limit}: npm run size`);
  }
});
