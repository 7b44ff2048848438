/**
 * What is aimed at, beside figures worked out by hand; and the files that a set has beside its tools and queries.
 *
 * 1. An aim over several sets is about their plain mean, and is missed by the worse of its two figures.
 * 2. What was not measured is neither reached nor missed.
 * 3. Words come from the set's own file, or from the one in the folder beside the sets by whose name its own begins.
 * 4. What the project asks of a set's catalog is a set of its own, with the set's tools and the project's words.
 * 5. Queries of each kind have figures of their own.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { aimsOf } from "../../scripts/lib/eval/aims.mjs";
import { kindsOf } from "../../scripts/lib/eval/measure.mjs";
import { readSets, withOwn } from "../../scripts/lib/eval/sets.mjs";

const set = (name, first, five, others = {}) => ({
  set: name,
  rankers: { sift: { "recall@1": first, "recall@5": five, ...others } },
});

test("an aim is missed by the worse of its figures", () => {
  const five = ["azure_mcp", "bfcl_live", "livemcp_routes", "metatool_multi", "stabletoolbench"];
  const sets = [...five.map((name, at) => set(name, 0.5 + 0.05 * at, 0.9)), set("plain_work", 0.41, 0.7, { vain: 0.2 })];
  const found = (text) => aimsOf({ sets }).find(({ aim }) => aim.startsWith(text));
  assert.equal(found("mean of the first 5 sets").measured, "60.0 / 90.0");
  assert.equal(found("mean of the first 5 sets").missedBy, 0);
  assert.equal(found("plain_work, sift: recall").missedBy, 0);
  assert.equal(found("plain_work, sift: at most").missedBy, 15);
  assert.equal(found("azure_at_scale").missedBy, null);
  assert.equal(found("plain_work, sift+enriched: recall").missedBy, null);
  sets[0].rankers.sift["recall@1"] = 0.2;
  assert.equal(found("mean of the first 5 sets").missedBy.toFixed(1), "4.0");
});

test("words come from beside the sets, and requests that nothing serves are read", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-eval-"));
  try {
    const tool = `${JSON.stringify({ name: "send_mail", description: "Sends a mail." })}\n`;
    const query = `${JSON.stringify({ id: 1, query: "write to her", relevant: ["send_mail"] })}\n`;
    for (const name of ["mail_routes", "post"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "catalog.jsonl"), tool);
      writeFileSync(join(folder, name, "queries.jsonl"), query);
    }
    mkdirSync(join(folder, "enrichment"));
    writeFileSync(join(folder, "enrichment", "mail.jsonl"), "{}\n");
    writeFileSync(
      join(folder, "post", "no_match_queries.jsonl"),
      `${JSON.stringify({ id: 2, query: "fly to the moon" })}\n`,
    );
    const [mail, post] = readSets(folder);
    assert.deepEqual([mail.enrichment, mail.unserved], ["{}\n", []]);
    assert.deepEqual([post.enrichment, post.unserved], [undefined, ["fly to the moon"]]);
    cpSync(join(folder, "enrichment", "mail.jsonl"), join(folder, "post", "enrichment.jsonl"));
    assert.equal(readSets(folder)[1].enrichment, "{}\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the project's own requests and words stand beside the set whose catalog they are about", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-eval-"));
  try {
    const lines = (...values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
    writeFileSync(join(folder, "post.enrichment.jsonl"), lines({ name: "send_mail", keywords: ["letter"] }));
    writeFileSync(join(folder, "post.enrichment.de.jsonl"), lines({ name: "send_mail", keywords: ["Brief"] }));
    const asked = { id: 1, query: "she never got it??", relevant: ["send_mail"], kind: "fragment" };
    writeFileSync(join(folder, "post.voices.jsonl"), lines(asked, { id: 2, query: "fly", relevant: [] }));
    writeFileSync(join(folder, "other.voices.jsonl"), "no JSON");
    const post = { name: "post", tools: [{ name: "send_mail" }], queries: [], unserved: [], notes: [] };
    const mail = { name: "mail", tools: [], queries: [], unserved: [], notes: [] };
    const [plain, words, voices, ...rest] = withOwn([mail, post], folder);
    assert.deepEqual([plain, rest], [mail, []]);
    assert.deepEqual(
      words.rewritten.split("\n").map((line) => JSON.parse(line).keywords),
      [["Brief"], ["letter"]],
    );
    assert.deepEqual([voices.name, voices.isOwn, voices.tools, voices.unserved], ["post voices", true, post.tools, ["fly"]]);
    assert.deepEqual([voices.queries, voices.rewritten], [[{ ...asked, match: "any" }], words.rewritten]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("queries of a kind have figures of their own", () => {
  const query = (kind) => ({ kind, relevant: ["a"], match: "any" });
  const queries = [query("wish"), query("problem"), query("problem"), { relevant: ["a"], match: "any" }];
  const loads = [["b"], ["a"], [], ["a"]].map((names) => ({ names, tokens: 1 }));
  assert.deepEqual(kindsOf({ ranked: [["a"], ["b", "a"], [], ["a"]], loads }, { queries }), {
    wish: { queries: 1, "recall@1": 1, "recall@5": 1, answered: 0 },
    problem: { queries: 2, "recall@1": 0, "recall@5": 0.5, answered: 0.5 },
  });
});
