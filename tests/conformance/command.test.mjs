/**
 * Does `npm run conformance` say what does not hold?
 *
 * 1. Every vector of the project holds: none is skipped, and there are as many of each system as were recorded.
 * 2. It says so by system and in total, and `--json` says the same.
 * 3. With one vector of every kind of expectation changed, it fails and names each of them in a line of its own.
 * 4. A folder without vectors, or that does not exist, is an error; so is a file that is none.
 */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readVectors } from "../../scripts/lib/conformance/vectors.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { scriptOf } from "../scripts/lib/script.mjs";
import { changesOf } from "./lib/changed.mjs";

const home = mkdtempSync(join(tmpdir(), "toolsift-conformance-"));
after(() => rmSync(home, { recursive: true }));

const command = scriptOf("conformance.mjs");

/** A folder of vectors with the project's catalogs. */
function folderOf(name, files) {
  const folder = join(home, name);
  cpSync(at("tests", "vectors", "catalogs"), join(folder, "catalogs"), { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

test("every vector of the project holds", async () => {
  const { stdout, code } = await command();
  assert.equal(code, 0, stdout);
  const recorded = { nexo: 136, claude_code: 39, everruns: 125, hermes: 205, mcpagent: 124, total: 629 };
  const lines = stdout.trim().split("\n").slice(-6);
  const counts = lines.map((line) => /^(\w+): +(\d+) passed, 0 failed, 0 skipped$/.exec(line) ?? assert.fail(line));
  assert.deepEqual(Object.fromEntries(counts.map(([, name, passed]) => [name, Number(passed)])), recorded);
});

test("--json tells programs the same", async () => {
  // The first of each file are enough for the form.
  const names = readdirSync(at("tests", "vectors")).filter((name) => name.endsWith(".json"));
  const first = (name) => JSON.stringify(JSON.parse(readFileSync(at("tests", "vectors", name), "utf8")).slice(0, 3));
  const few = folderOf("few", Object.fromEntries(names.map((name) => [name, first(name)])));
  const { stdout, code } = await command(few, "--json");
  assert.equal(code, 0);
  const { passed, failed, skipped, systems, results } = JSON.parse(stdout);
  assert.deepEqual([failed, skipped, systems.length], [0, 0, 5]);
  assert.equal(results.length, passed);
});

test("changed vectors fail, each in a line of its own", async () => {
  const kinds = new Map();
  for (const { kind, vector } of readVectors(at("tests", "vectors")).vectors.flatMap(changesOf)) {
    if (!kinds.has(kind)) kinds.set(kind, vector);
  }
  const changed = [...kinds.values()].map((vector, i) => ({ ...asFile(vector), id: `${vector.id} changed ${i}` }));
  const { stdout, code } = await command(folderOf("changed", { "changed.json": JSON.stringify(changed) }));
  assert.equal(code, 1);
  const lines = stdout.split("\n");
  for (const { id } of changed) {
    const own = lines.filter((line) => line.startsWith(`${id}:`));
    assert.equal(own.length, 1, id);
    assert.match(own[0], /: (expected .+ actual |not understood: )/);
  }
  assert.ok(lines.includes(`total:       0 passed, ${changed.length} failed, 0 skipped`), lines.slice(-8).join("\n"));
});

/** A vector as it stands in a file: arguments are values there. */
function asFile({ configText, call, ...vector }) {
  const withValues = (step) => ("args" in step ? { ...step, args: JSON.parse(step.args) } : step);
  return { ...vector, call: call.steps ? { ...call, steps: call.steps.map(withValues) } : withValues(call) };
}

test("no vectors is an error", async () => {
  const cases = {
    [folderOf("empty", {})]: /holds no \*\.json/,
    [folderOf("hollow", { "a.json": "[]" })]: /holds no vectors/,
    [folderOf("other", { "a.json": '{"tools": []}' })]: /is no list of vectors/,
    [folderOf("broken", { "a.json": "[" })]: /is no JSON/,
    [join(home, "nowhere")]: /cannot be read/,
  };
  for (const [folder, message] of Object.entries(cases)) {
    const { code, stderr } = await command(folder);
    assert.equal(code, 1, folder);
    assert.match(stderr, message);
  }
});

test("--help and a misspelt option", async () => {
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run conformance \[-- DIR\]/);
  assert.equal((await command("--jsno")).code, 2);
});
