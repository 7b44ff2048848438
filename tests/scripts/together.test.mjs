/**
 * Do the files of a check that share a process run as they would alone?
 * 1. All are loaded before the first test runs, and their tests run in the order of the files.
 * 2. A test that hangs is named and ends the process.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

const folder = mkdtempSync(join(tmpdir(), "toolsift-together-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs two files together: what they do after `import { before, test } from "node:test"`. */
async function together(timeout, ...bodies) {
  const files = bodies.map((body, place) => {
    const file = join(folder, `${place}.mjs`);
    writeFileSync(file, `import { before, test } from "node:test";\n${body}`);
    return file;
  });
  // Set where a test starts this; Node would report to the process above.
  const env = { NODE_TEST_CONTEXT: undefined };
  const program = at("scripts", "lib", "together.mjs");
  return node("--test-reporter=spec", [program, String(timeout), ...files], { env, fails: false });
}

test("all files are loaded first, and run in their order", async () => {
  const { code, stdout } = await together(
    60_000,
    'console.log("loads 0"); test("zero", () => console.log("runs 0"));',
    'await new Promise((go) => setTimeout(go, 50)); console.log("loads 1"); let ready; before(() => (ready = true)); test("one", () => console.log("runs 1", ready));',
  );
  assert.equal(code, 0);
  assert.deepEqual(stdout.match(/^(loads|runs) .*$/gm), ["loads 0", "loads 1", "runs 0", "runs 1 true"]);
  assert.match(stdout, /^ℹ pass 2$/m);
});

test("a test that hangs is named", async () => {
  const { code, output } = await together(
    500,
    'test("quick", () => {});',
    'test("endless", () => new Promise(() => setInterval(() => {}, 1_000)));',
  );
  assert.equal(code, 1);
  assert.match(output, /the test "endless" has not ended after 500 ms/);
});
