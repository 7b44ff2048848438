/**
 * Tests that the examples of `rank` work as described: ranking by meaning in addition to words, and a second ranker for
 * uncertain results.
 */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

let folder;
beforeAll(async () => {
  const { app } = await install();
  folder = mkdtempSync(join(app, "ranks-"));
  for (const name of ["embeddings", "second-opinion"]) cpSync(at("examples", name), join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [example, query, expected, why] of [
  [
    "embeddings",
    "is it raining in Lisbon?",
    /^No tool clearly fits[^]*Not loaded[^]*- get_forecast\(/,
    "a vector loads nothing",
  ],
  ["embeddings", "send a mail", /^Loaded(?![^]*Not loaded[^]*send_mail)[^]*^- send_mail\(/m, "words decide what is loaded"],
  ["embeddings", "zzz", /^No tool clearly fits/, "nothing fits"],
  ["second-opinion", "let my contacts know about the rain", /^Loaded[^]*- send_mail\(\)[^-]*$/, "the decision is sure"],
  ["second-opinion", "the contacts of my lenses hurt", /^No tool matches/, "the decision says that none fits"],
]) {
  test(`${example}: ${why}`, async () => {
    const { stdout, stderr } = await node(join(folder, example, "search.mjs"), [query], { cwd: folder });
    assert.equal(stderr, "");
    assert.match(stdout, expected);
  });
}
