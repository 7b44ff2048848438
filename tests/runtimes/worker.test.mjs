/** Tests that the worker in docs/runtimes.md runs as printed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "../../scripts/lib/installed.mjs";
import { bundleWorker } from "../lib/workerd.mjs";
import { askWorker } from "./lib/kinds/workerd.mjs";

const DOCS = readFileSync(at("docs", "runtimes.md"), "utf8");

test("the worker of the documentation keeps a conversation in what it answers", async () => {
  const { app } = await install();
  const file = join(app, "worker", "worker.js");
  const [, contents] = /^```js\n(.*?)^```/ms.exec(DOCS);
  await bundleWorker({ contents, resolveDir: app }, file);
  const first = await askWorker(file, { query: "high water" });
  assert.match(first.content, /Loaded.*get_tides/s);
  const second = await askWorker(file, { query: "high water", snapshot: first.snapshot });
  assert.equal(second.snapshot.id, first.snapshot.id);
  assert.deepEqual(
    second.snapshot.revealed.map(({ name }) => name),
    ["get_tides"],
  );
});
