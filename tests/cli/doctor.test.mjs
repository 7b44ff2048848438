/**
 * Does `toolsift doctor` tell what the doctor of the package finds?
 * 1. `--fail-on` decides the exit code, `--all` what is shown, `--check` what runs.
 * 2. The report is for a terminal or for a program. That for a comment on a change is in tests/package/doctor.test.mjs.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { folder, tool, toolsift, TRACKER, valuesOf } from "./command-line.mjs";

test("--fail-on decides the exit code", async () => {
  const noted = { tools: [...TRACKER.tools, tool("add_label", "Add a label.")] };
  const cwd = folder({
    "sound.json": TRACKER,
    "noted.json": noted,
    "broken.json": [tool("a b", "Open the door of a shed.")],
  });
  const codes = [
    ["sound.json", "note", 0],
    ["noted.json", "note", 1],
    ["noted.json", "warning", 0],
    ["noted.json", undefined, 0],
    ["broken.json", undefined, 1],
    ["broken.json", "note", 1],
    ["broken.json", "never", 0],
  ];
  for (const [file, level, expected] of codes) {
    const { code } = await toolsift(["doctor", file, ...(level ? ["--fail-on", level] : [])], { cwd });
    assert.equal(code, expected, `${file} ${level}`);
  }
});

test("the report shows the first findings of each check, and all with --all", async () => {
  const tools = Array.from({ length: 8 }, (_, at) => tool(`a b ${at}`, `Open door ${at}.`));
  const cwd = folder({ "x.json": { tools }, "sound.json": TRACKER });
  const short = await toolsift(["doctor", "x.json", "--check", "vendors"], { cwd });
  assert.match(short.stdout, /refused by vendors \(8\)/);
  assert.equal(short.stdout.match(/^ {2}error/gm).length, 5);
  assert.match(short.stdout, /… and 3 more; --all shows them/);
  assert.match(short.stdout, /8 errors, 0 warnings, 0 notes\n\nWords that people use: 0 of 8 tools .*\n$/);
  const all = await toolsift(["doctor", "x.json", "--check", "vendors", "--all"], { cwd });
  assert.equal(all.stdout.match(/^ {2}error/gm).length, 8);
  assert.equal(all.stdout.match(/→ Rename/g).length, 1);
  assert.match(
    (await toolsift(["doctor", "sound.json"], { cwd })).stdout,
    /Nothing wrong\.\n\nWords that people use: 0 of 3 tools .*\n$/,
  );
});

test("JSON has every finding, in the order of their levels", async () => {
  const tools = [...TRACKER.tools, tool("add_label", ""), tool("a b", "Open the door of a shed.")];
  const { stdout } = await toolsift(["doctor", "x.json", "--json"], { cwd: folder({ "x.json": { tools } }) });
  const { findings, servers } = JSON.parse(stdout);
  assert.equal(servers, 1);
  assert.deepEqual(valuesOf(findings, "level"), ["error", "warning"]);
  for (const finding of findings) {
    for (const key of ["check", "level", "server", "tool", "message", "advice"]) assert.ok(key in finding, key);
  }
});
