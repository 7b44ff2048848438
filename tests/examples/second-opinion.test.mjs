/** Does the example of a second opinion load what the decision is sure of, and nothing where it says that nothing fits? */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

let folder;
before(async () => {
  const { app } = await install();
  folder = mkdtempSync(join(app, "second-opinion-"));
  cpSync(at("examples", "second-opinion"), folder, { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [query, expected] of [
  ["let my contacts know about the rain", /^Loaded[^]*- send_mail\(\)[^-]*$/],
  ["the contacts of my lenses hurt", /^No tool matches/],
]) {
  test(query, async () => {
    const { stdout, stderr } = await node(join(folder, "search.mjs"), [query], { cwd: folder });
    assert.equal(stderr, "");
    assert.match(stdout, expected);
  });
}
