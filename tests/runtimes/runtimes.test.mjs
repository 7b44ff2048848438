/**
 * Does the package answer everywhere as the native library does?
 *
 * 1. In every runtime that the packages of the workspace bring along, every step of the script has the native answer, byte
 * for byte, and so it has where several native threads share its catalogs. 2. The worker of docs/runtimes.md runs, and keeps a
 * conversation in what it answers.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { appFolder, programData } from "../../scripts/runtimes/app.mjs";
import { closeBrowser } from "../../scripts/runtimes/chromium.mjs";
import { BRIEF, SHORT } from "../../scripts/runtimes/kinds.mjs";
import { difference, measure } from "../../scripts/runtimes/measure.mjs";
import { nativeAnswers, nativeProgram, told } from "../../scripts/runtimes/native.mjs";
import { askWorker, writeWorker } from "../../scripts/runtimes/worker.mjs";

const { steps } = programData();
let native;

before(async () => (native = await nativeAnswers(steps)));
after(closeBrowser);

for (const kind of isFull ? SHORT : BRIEF) {
  test(`${kind.runtime}, ${kind.loader}`, async () => {
    const { ok, reason, version, cold } = await measure(kind, { native, steps, runs: 1 });
    assert.equal(reason, null);
    assert.ok(ok && version.length > 0 && cold > 0);
  });
}

test("sessions of several threads over one catalog", async () => {
  const answered = JSON.parse(await told(await nativeProgram(), ["--threads"], programData()));
  assert.equal(difference(answered, native, steps), null);
});

test("the worker of the documentation keeps a conversation in what it answers", async () => {
  const folder = await appFolder();
  const [, worker] = /^```js\n(.*?)^```/ms.exec(readFileSync(at("docs", "runtimes.md"), "utf8"));
  await writeWorker(folder, worker);
  const first = await askWorker(folder, { query: "high water" });
  assert.match(first.content, /Loaded.*get_tides/s);
  const second = await askWorker(folder, { query: "high water", snapshot: first.snapshot });
  assert.equal(second.snapshot.id, first.snapshot.id);
  assert.deepEqual(
    second.snapshot.revealed.map(({ name }) => name),
    ["get_tides"],
  );
});
