/** Tests that the wasm, the main entry and each adapter stay within their size limits. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { limited } from "../../scripts/size.mjs";

for (const { name, bytes, limit } of await limited()) {
  test(`the size of ${name}`, () => {
    assert.ok(bytes <= limit, `${bytes} bytes, more than ${limit}: npm run size`);
  });
}
