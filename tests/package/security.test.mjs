/**
 * Does SECURITY.md promise only what a test shows?
 *
 * 1. Every promise names a test, and there is one of that name in that file.
 * 2. Its links lead to files.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";

const SECURITY = readFileSync(at("SECURITY.md"), "utf8");
const [, promised] = /## What is promised\n(.*?)\n## /s.exec(SECURITY);
const rows = promised.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| promise "));

/** Whether a file has a test whose name begins so. */
function has(path, name) {
  const source = readFileSync(at(path), "utf8");
  if (path.endsWith(".rs")) return new RegExp(`#\\[test\\]\\s+(?:#\\[[^\\]]*\\]\\s+)*fn ${name}\\(`).test(source);
  return [`test("${name}`, `test(\`\${label}${name}`].some((start) => source.includes(start));
}

test("every promise names a test that there is", () => {
  assert.ok(rows.length >= 20, `${rows.length} promises`);
  for (const row of rows) {
    const [, path, name] = /\| `(tests\/[\w./-]+)` ([^|]+?) \|$/.exec(row) ?? [];
    assert.ok(path !== undefined, `no test is named in: ${row}`);
    assert.ok(existsSync(at(path)), path);
    assert.ok(has(path, name), `${path} has no test "${name}"`);
  }
});

test("its links lead to files", () => {
  for (const [, path] of SECURITY.matchAll(/\]\(([^)#]+)/g)) assert.ok(existsSync(at(path)), path);
});
