/**
 * Does `npx toolsift` say what it is?
 * 1. Without arguments: version, an example and where to go; `--version` and `--help` what they promise.
 * 2. Anything else is refused by name, with exit code 2.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { npm } from "../../scripts/lib/run.mjs";
import { install, pack } from "./installed.mjs";

async function npx(...args) {
  const { app } = await install();
  return npm(["exec", "--offline", "--no", "--", "toolsift", ...args], { cwd: app, fails: false });
}

test("npx toolsift introduces the package", async () => {
  const { version } = await pack();
  const { stdout, code } = await npx();
  assert.equal(code, 0);
  for (const part of [`toolsift ${version}`, "npm install toolsift", "new ToolSift()", "README.md", "npm start"]) {
    assert.ok(stdout.includes(part), part);
  }
});

test("npx toolsift --version and --help", async () => {
  const { version } = await pack();
  assert.equal((await npx("--version")).stdout.trim(), version);
  assert.match((await npx("--help")).stdout, /--version/);
});

test("an unknown argument is an error that names it", async () => {
  const { code, stderr, stdout } = await npx("--serve");
  assert.equal(code, 2);
  assert.match(stderr, /unknown argument "--serve"/);
  assert.equal(stdout, "");
});
