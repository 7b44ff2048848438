/** Does the example of search by meaning find a tool that shares no word with the query, and does it leave words their part? */

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
  folder = mkdtempSync(join(app, "embeddings-"));
  cpSync(at("examples", "embeddings"), folder, { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const answerTo = async (query) => {
  const { stdout, stderr } = await node(join(folder, "search.mjs"), [query], { cwd: folder });
  assert.equal(stderr, "");
  return stdout;
};

test("a tool without a word in common is listed, and not loaded for that", async () => {
  assert.match(await answerTo("is it raining in Lisbon?"), /^No tool clearly fits[^]*Not loaded[^]*- get_forecast\(/);
});

test("words decide what is loaded", async () => {
  const answer = await answerTo("send a mail");
  assert.match(answer, /^- send_mail\(/m);
  assert.doesNotMatch(answer, /Not loaded[^]*send_mail/);
});

test("a query that no tool answers loads nothing", async () => {
  assert.match(await answerTo("zzz"), /^No tool clearly fits/);
});
