/** Do the wasm, the root and each adapter keep to their limits of bytes? */

import assert from "node:assert/strict";
import { test } from "vitest";
import { limited } from "../../scripts/size.mjs";

for (const { name, bytes, limit } of await limited()) {
  test(`the size of ${name}`, () => {
    assert.ok(bytes <= limit, `${bytes} bytes, more than ${limit}: npm run size`);
  });
}
