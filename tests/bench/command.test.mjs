/** Does `npm run bench` compare what gives the same answers? How long things take is not asserted: machines are busy. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";

const bench = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [at("scripts", "bench.mjs"), ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

test("every part measures both ways, and both give the same answers", async () => {
  const { stdout } = await bench("--runs", "1", "--json");
  const { index, sync } = JSON.parse(stdout);
  for (const { problems } of [index, sync]) assert.ok(!problems.some((problem) => problem.includes("answers")), problems);
  for (const row of [index.built, index.loaded]) assert.ok(row.ready > 0 && row.first > 0 && row.both >= row.ready);
  for (const row of [sync.synced, sync.rebuilt]) assert.ok(row.change > 0 && row.first > 0);
  assert.ok(index.bytes > 100_000);
});

test("what cannot be measured is refused", async () => {
  for (const args of [["--runs", "0"], ["--runs", "many"], ["/nowhere/at/all"], ["--fast"]]) {
    const { code, stderr } = await bench(...args);
    assert.notEqual(code, 0, args.join(" "));
    assert.match(stderr, /runs|nowhere|fast/, args.join(" "));
  }
  const { code, stdout } = await bench("--help");
  assert.equal(code, 0);
  assert.match(stdout, /--index[^]*--sync[^]*--json/);
});
