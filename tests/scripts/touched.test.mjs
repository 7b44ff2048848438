/**
 * What a person runs while they write.
 *
 * 1. A change touches the tests that import it, directly, over a helper, or as the installed package; nearer ones come first.
 * 2. A test file runs alone, from the sources; one that fails is the command's failure.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { touched } from "../../scripts/lib/touched.mjs";

test("a change touches the tests that import it", async () => {
  const [listen, processes] = [await touched(["cli/src/gateway/listen.ts"]), await touched(["tests/cli/processes.mjs"])];
  assert.equal(listen[0], "tests/cli/listen.test.mjs");
  assert.ok(!listen.includes("tests/scripts/schedule.test.mjs"));
  assert.ok(processes.includes("tests/cli/mcp-trouble.test.mjs"));
  assert.ok((await touched(["pkg/src/store/store.ts"])).includes("tests/store/package.test.mjs"));
  assert.deepEqual(await touched([]), []);
});

test("a test file runs alone", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (name, source) => {
    writeFileSync(join(folder, name), source);
    return node(at("scripts", "test.mjs"), [join(folder, name)], { fails: false });
  };
  const app = `import { install } from ${JSON.stringify(at("scripts", "lib", "installed.mjs"))};\n`;
  const load = `${app}const { home } = await install();\nconst { ToolSift } = await import(home + "/dist/index.js");\n`;
  assert.equal((await run("good.test.mjs", `${load}new ToolSift().dispose();\n`)).code, 0);
  assert.equal((await run("bad.test.mjs", "throw new Error('no');\n")).code, 1);
});
