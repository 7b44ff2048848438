/**
 * What does a trial count?
 *
 * 1. The scores of a conversation follow from its recording, as worked out by hand here.
 * 2. Every label of our tasks names a tool that there is, and a catalog holds what its tasks need, whatever its size.
 * 3. The queries of a labelled set are tasks, and so are the requests that nothing of it serves.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RATES } from "../../scripts/lib/conversation/rates.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { labelOf, poolOf } from "../../scripts/lib/trial/catalog.mjs";
import { scoresOf } from "../../scripts/lib/trial/score.mjs";
import { readTrial } from "../../scripts/lib/trial/tasks.mjs";

const SETS = at("tests", "simulate", "sets");

/** Where the folder of `--catalogs` is needed to know a server. */
const ELSEWHERE = /^(desktop-commander|stripe)\//;

test("scores by hand", () => {
  const recording = {
    needs: [["create_issue"], ["send_mail", "post_message"], ["book_room"]],
    also: ["create_label"],
    steps: [
      {
        tokens: 1_000,
        cached: 0,
        output: 10,
        shared: 900,
        calls: [
          { is: "search", name: "search_tools", args: { query: "issue" }, found: [] },
          { is: "search", name: "search_tools", args: { query: "mail" }, found: ["send_mail"], revealed: ["send_mail"] },
          { is: "help", name: "add_tool", args: { tool_names: ["create_isue"] }, found: [], strange: ["create_isue"] },
        ],
      },
      {
        tokens: 1_200,
        cached: 1_000,
        output: 20,
        calls: [
          { is: "ran", name: "send_mail" },
          { is: "ran", name: "create_label" },
          { is: "ran", name: "list_issues" },
          { is: "ran", name: "delete_issue" },
          { is: "refused", name: "create_issue", code: "tool_not_loaded", known: true, sent: false },
          { is: "refused", name: "make_issue", code: "tool_unknown", known: false, sent: false },
        ],
      },
      { tokens: 1_300, cached: 1_200, output: 30, text: "Done.", calls: [] },
    ],
    seen: 7,
    loaded: ["send_mail", "create_issue"],
    ended: true,
  };
  const { priced, warm, ...scores } = scoresOf(recording, { format: "openai" }, RATES);
  assert.deepEqual(scores, {
    called: 1 / 3,
    loaded: 2 / 3,
    all: 0,
    wrong: 1,
    searches: 2,
    empty: 1,
    discovery: 3,
    guessed: 2,
    early: 1,
    rounds: 3,
    tools: 7,
    sent: 3_500,
    last: 1_300,
  });
  // New ones count once, cached ones a tenth, output five times.
  assert.equal(Math.round(priced), 1_000 + 200 + 100 + 0.1 * (1_000 + 1_200) + 5 * 60);
  assert.equal(Math.round(warm), Math.round(priced) - 0.9 * 900);
});

test("our tasks", () => {
  const labels = new Set(poolOf().map(labelOf));
  const tasks = readFileSync(at("tests", "trial", "tasks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.ok(tasks.length >= 30);
  assert.equal(new Set(tasks.map(({ id }) => id)).size, tasks.length);
  for (const { id, needs, also = [] } of tasks) {
    assert.ok(needs.length <= 6, id);
    const strange = [...needs.flat(), ...also].filter((label) => !labels.has(label) && !ELSEWHERE.test(label));
    assert.deepEqual(strange, [], id);
  }
  for (const size of [100, 250]) {
    const trial = readTrial({ size });
    assert.equal(trial.tasks.length, tasks.length);
    for (const { id, needs, catalog } of trial.tasks) {
      const held = new Set(trial.catalogs[catalog].map(labelOf));
      assert.equal(held.size, size);
      assert.ok(
        needs.flat().every((label) => held.has(label)),
        id,
      );
    }
  }
  assert.equal(readTrial({ size: 250 }).catalogs.length, 1, "all tasks share a catalog that is large enough");
  assert.deepEqual(readTrial({ size: 250, tasks: 5 }), readTrial({ size: 250, tasks: 5 }));
  assert.throws(() => readTrial({ size: 5_000 }), /--size 5000: there are \d+ tools; --catalogs DIR adds/);
  assert.throws(() => readTrial({ needs: 9 }), /no task has at least 9 needs/);
});

test("the tasks of a labelled set", () => {
  const { tasks, catalogs } = readTrial({ set: SETS });
  assert.ok(tasks.length > 0 && tasks.every(({ needs }) => needs.length > 0));
  const held = new Set(catalogs[0].map(labelOf));
  assert.ok(tasks.flatMap(({ needs }) => needs.flat()).every((label) => held.has(label)));
});
