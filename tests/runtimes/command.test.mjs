/**
 * Is what `npm run runtimes` prints what it tried?
 *
 * 1. With `--json` one row for each runtime that was asked for, and nothing else on standard output. 2. A name that is none
 * is refused with those that are. 3. docs/runtimes.md shows a row for each runtime and way of loading, and each is right;
 * its worker runs, and does what it says.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appFolder } from "../../scripts/runtimes/app.mjs";
import { KINDS } from "../../scripts/runtimes/kinds.mjs";
import { table } from "../../scripts/runtimes/table.mjs";
import { askWorker, writeWorker } from "../../scripts/runtimes/worker.mjs";

const DOCS = readFileSync(at("docs", "runtimes.md"), "utf8");

const command = (...args) => node(at("scripts", "runtimes.mjs"), args, { fails: false });

test("rows for programs", async () => {
  const { stdout, code } = await command("--only", "node-require,workerd", "--short", "--json");
  const { steps, digest, rows } = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.ok(steps > 500);
  assert.match(digest, /^[0-9a-f]{64}$/);
  const said = rows.map(({ name, ok, reason }) => [name, ok, reason]);
  assert.deepEqual(said, [
    ["node-require", true, null],
    ["workerd", true, null],
  ]);
  assert.ok(rows.every(({ cold, version }) => cold > 0 && /^[\d.]+$/.test(version)));
});

test("a name that is none", async () => {
  const { stdout, stderr, code } = await command("--only", "deno,netscape");
  assert.equal(code, 2);
  assert.equal(stdout, "");
  for (const { name } of KINDS) assert.ok(stderr.includes(name), name);
  assert.match(stderr, /no runtime "netscape"/);
});

test("the table", () => {
  const row = { runtime: "X", version: "1.2", loader: "import", ok: true, cold: 12.4, bytes: 1_499 };
  const failed = { runtime: "Longer", version: null, loader: "y", ok: false, cold: null, bytes: null };
  assert.deepEqual(table([row, failed]).split("\n"), [
    "| runtime | version | loader | same answers | cold start | code, gzip |",
    "|---------|---------|--------|--------------|-----------:|-----------:|",
    "| X       | 1.2     | import | yes          |      12 ms |       1 KB |",
    "| Longer  |         | y      | NO           |            |            |",
  ]);
});

test("the documentation shows every runtime", () => {
  const [, shown] = /^\| runtime .*\n\|[-|: ]+\n((?:\|.*\n)+)/m.exec(DOCS);
  const rows = shown
    .trimEnd()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  assert.deepEqual(
    rows.map(([runtime, , loader]) => [runtime, loader]),
    KINDS.map(({ runtime, loader }) => [runtime, loader]),
  );
  for (const [runtime, version, , same, cold] of rows) {
    assert.equal(same, "yes", runtime);
    assert.match(version, /\d/);
    assert.match(cold, /^\d+ ms$/);
  }
});

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
