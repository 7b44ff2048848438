/** Tests that the worker in docs/runtimes.md runs as printed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { appFolder } from "./lib/app.mjs";
import { askWorker, writeWorker } from "./lib/worker.mjs";

const DOCS = readFileSync(at("docs", "runtimes.md"), "utf8");

test("the worker of the documentation keeps a conversation in what it answers", async () => {
  const folder = await appFolder();
  await writeWorker(folder, /^```js\n(.*?)^```/ms.exec(DOCS)[1]);
  const first = await askWorker(folder, { query: "high water" });
  assert.match(first.content, /Loaded.*get_tides/s);
  const second = await askWorker(folder, { query: "high water", snapshot: first.snapshot });
  assert.equal(second.snapshot.id, first.snapshot.id);
  assert.deepEqual(
    second.snapshot.revealed.map(({ name }) => name),
    ["get_tides"],
  );
});
