/**
 * `npm run bench` as a command. How long things take is not asserted: machines are busy.
 *
 * 1. The parts index and sync measure two ways that give the same answers.
 * 2. The part proxy times each vendor's API.
 * 3. What cannot be measured is refused before anything is built, with what there is instead.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { bench } from "./lib/bench.mjs";

/** A part that takes most of a minute; `npm test` measures speed alone, at 100 tools. */
const part = isFull ? test : () => {};

part("index and sync measure both ways, and both give the same answers", async () => {
  const { stdout } = await bench("--index", "--sync", "--runs", "1", "--json");
  const { index, sync, speed } = JSON.parse(stdout);
  assert.equal(speed, undefined);
  for (const { problems } of [index, sync]) assert.ok(!problems.some((problem) => problem.includes("answers")), problems);
  for (const row of [index.built, index.loaded]) assert.ok(row.ready > 0 && row.first > 0 && row.both >= row.ready);
  for (const row of [sync.synced, sync.rebuilt]) assert.ok(row.change > 0 && row.first > 0);
  assert.ok(index.bytes > 100_000);
});

part("the part proxy times each vendor's API", async () => {
  const { stdout } = await bench("--proxy", "--runs", "1", "--json");
  const { rows } = JSON.parse(stdout).proxy;
  assert.deepEqual(
    rows.map(({ wire }) => wire),
    ["openai", "openai-responses", "anthropic", "google"],
  );
  for (const { first, same, streamed, searched } of rows) assert.ok(first > 0 && same > 0 && streamed > 0 && searched > 0);
});

const REFUSED = [
  [["--runs", "0"], /--runs 0: it must be a whole number from 1 to 1000/],
  [["--sizes", "100,5"], /--sizes 5: it must be a whole number from 10 to 200000/],
  [["--sizes", ""], /--sizes : it must be a whole number/],
  [["--peers", "minisearch,solr"], /--peers has no "solr"; there are minisearch, .*none/],
  [["--kinds", "haiku"], /--kinds has no "haiku"; there are 3-words, /],
  [["--data", "/nowhere/at/all"], /--data takes a folder, and "\/nowhere\/at\/all" is none/],
  [["/nowhere/at/all"], /nowhere/],
  [["--fast"], /--fast/],
];

for (const [args, message] of REFUSED) {
  test(`${args.join(" ")} is refused`, async () => {
    const { code, stderr, stdout } = await bench(...args);
    assert.equal(code, 2);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}

test("the help names every part and option", async () => {
  const { code, stdout } = await bench("--help");
  assert.equal(code, 0);
  for (const flag of [
    "sizes",
    "peers",
    "kinds",
    "data",
    "runs",
    "strict",
    "json",
    "update",
    "speed",
    "index",
    "sync",
    "proxy",
  ]) {
    assert.match(stdout, new RegExp(`--${flag}\\b`));
  }
});
