/**
 * Does `npm run fuzz` take what it says?
 *
 * 1. It lists the targets, which are those that the tests replay. 2. It refuses what it does not know.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { chosen, foldersOf, targets } from "../../scripts/lib/fuzz/targets.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

const fuzz = (...args) => node(at("scripts", "fuzz.mjs"), args, { fails: false });

test("the targets are listed, and each has a corpus", async () => {
  const { code, stdout } = await fuzz("--list");
  assert.deepEqual([code, stdout.trim().split("\n")], [0, targets()]);
  assert.ok(targets().length >= 15);
  for (const target of targets()) assert.ok(existsSync(foldersOf(target).kept), target);
});

test("what it does not know is refused before anything is built", async () => {
  for (const [args, words] of [
    [["no-such-target"], /there is no target "no-such-target"; there are calls, catalog/],
    [["query", "--seconds", "0"], /--seconds 0: it must be a whole number from 1 to/],
    [["query", "--jobs", "x"], /--jobs x: it must be a whole number from 1 to 64/],
    [["--input", "x"], /--input needs the name of one target/],
    [["--second", "1"], /--second/],
  ]) {
    const { code, output } = await fuzz(...args);
    assert.notEqual(code, 0, args.join(" "));
    assert.match(output, words);
  }
  assert.deepEqual(chosen(["query", "query"]), ["query"]);
});
