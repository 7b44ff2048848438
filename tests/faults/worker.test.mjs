/**
 * What if a worker's global scope forbids things?
 *
 * 1. In workerd, where outside of a request there are no timers, no randomness and no fetch, the package is imported and
 * used there. 2. The check can fail: one of those is refused.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { appFolder } from "../../scripts/runtimes/app.mjs";
import { askWorker, writeWorker } from "../../scripts/runtimes/worker.mjs";
import { pack } from "../package/installed.mjs";
import { expected, TOUR } from "../package/tour.mjs";

async function answerOf(globalScope) {
  const folder = await appFolder();
  await writeWorker(folder, `${globalScope}\nexport default { fetch: () => Response.json(tour) };`);
  return askWorker(folder, {});
}

test("the package is imported and used outside of any request", async () => {
  const told = await answerOf(`import { ToolSift } from "toolsift";\n${TOUR}`);
  assert.deepEqual(told, expected((await pack()).version));
});

test("what is forbidden is refused there", async () => {
  await assert.rejects(answerOf("const tour = crypto.randomUUID();"), /Disallowed operation called within global scope/);
});
