/**
 * Tests that the package and the native library give the same answers, byte for byte, to every step of the script. It runs
 * in every runtime of the workspace, and natively with several threads that share the catalogs.
 */

import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { programData } from "./lib/app.mjs";
import { closeBrowser } from "./lib/chromium.mjs";
import { BRIEF, SHORT } from "./lib/kinds.mjs";
import { difference, measure } from "./lib/measure.mjs";
import { nativeAnswers, nativeProgram, told } from "./lib/native.mjs";

const { steps } = programData();
let native;

beforeAll(async () => (native = await nativeAnswers(steps)));
afterAll(closeBrowser);

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
