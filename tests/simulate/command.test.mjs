/**
 * Does `npm run simulate` simulate the package?
 *
 * 1. The first search of the package reveals what the simulation says, and answers in the lines that it counts.
 * 2. A hit knows what the set's labels say of it, whatever names the package gave; queries that need nothing are no tasks.
 * 3. Every strategy is measured in every setting, and the figures of one follow from the others by hand.
 * 4. Catalogs are priced with their own tools, each by itself and all together.
 * 5. Input that cannot be right is refused with the place or the value, and nothing is printed.
 */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { acceptedBy } from "../../scripts/lib/eval/ours.mjs";
import { readSets } from "../../scripts/lib/eval/sets.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { lineOf, tokensOf } from "../../scripts/lib/simulate/line.mjs";
import { asPackage } from "../../scripts/lib/simulate/steps.mjs";
import { PAGE, PROFILE, registerSet, tasksOf } from "../../scripts/lib/simulate/tasks.mjs";
import { readSet } from "../golden/sets.mjs";
import { scriptOf } from "../scripts/lib/script.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
const SETS = at("tests", "simulate", "sets");
const CATALOGS = at("tests", "simulate", "catalogs");
const [shop] = readSets(SETS).map((set) => ({ ...set, tools: acceptedBy(ToolSift, set.tools).tools }));

const home = mkdtempSync(join(tmpdir(), "toolsift-simulate-"));
after(() => rmSync(home, { recursive: true }));

const command = scriptOf("simulate.mjs");

/** What the package itself does with each query that needs something: the answer, and the tokens that it reveals. */
function answersOf({ tools, queries }) {
  const sift = new ToolSift({ profile: PROFILE });
  try {
    const own = registerSet(sift, tools);
    const tokens = new Map(sift.tools().map((info) => [info.name, info.tokens]));
    return queries
      .filter(({ relevant }) => relevant.length > 0)
      .map(({ id, query }) => {
        const session = sift.session(String(id));
        const { content } = session.call("search_tools", { query });
        const revealed = session.revealed.reduce((sum, name) => sum + tokens.get(name), 0);
        return { id, content, revealed, lines: [...own].map(([name, tool]) => lineOf({ ...tool, name })) };
      });
  } finally {
    sift.dispose();
  }
}

test("the package does what is simulated", () => {
  const { search } = ToolSift.profiles().find(({ name }) => name === PROFILE);
  assert.equal(PAGE, search.hits);
  for (const set of [shop, readSet("mcp60")]) {
    const tasks = tasksOf(ToolSift, set, set.queries);
    const answers = answersOf(set);
    assert.equal(tasks.length, answers.length);
    let shown = 0;
    answers.forEach(({ id, content, revealed, lines }, place) => {
      const [first] = asPackage({ page: PAGE }, tasks[place]).steps;
      assert.equal(first.revealed, revealed, `${set.name} ${id}`);
      // What a hit looks up is said behind it.
      const own = content
        .split("\n")
        .filter((line) => line.startsWith("- "))
        .map((line) => `${line.replace(/ \(gives \w+\)$/, "")}\n`);
      assert.equal(own.length, tasks[place].listed, `${set.name} ${id}`);
      for (const line of own) assert.ok(lines.includes(line), `${set.name} ${id}: ${line}`);
      // Rounded line by line; what stands around them is 38 tokens on the mean, and more where words are unknown.
      assert.ok(Math.abs(tokensOf(content) - first.answer) <= 45, `${set.name} ${id}: ${first.answer} ${content}`);
      shown += own.length;
    });
    assert.ok(shown > answers.length && answers.some(({ revealed }) => revealed > 0), set.name);
  }
});

test("hits and needs", () => {
  const [create, either, both, , never, ...others] = tasksOf(ToolSift, shop, shop.queries);
  assert.deepEqual(others, []);
  assert.deepEqual([create.needs, either.needs, both.needs, never.needs], [1, 1, 3, 1]);
  assert.equal(create.hits[0].meets, 1);
  assert.deepEqual(
    either.hits.slice(0, 2).map(({ meets }) => meets),
    [1, 1],
  );
  assert.deepEqual(
    both.hits
      .slice(0, 2)
      .map(({ meets }) => meets)
      .sort(),
    [1, 2],
  );
  assert.ok(never.hits.length > 0 && never.hits.every(({ meets }) => meets === 0));
});

test("the command", async () => {
  const path = join(home, "all.json");
  const asked = ["--catalogs", CATALOGS, "--json", path, "--turns", "4", "--history", "1000", "--cached", "0.5"];
  const { code, stdout, output } = await command(SETS, ...asked);
  assert.equal(code, 0, output);
  assert.ok(
    stdout.split("\n").every((line) => [...line].length <= 120),
    stdout,
  );
  const { model, sets, rows, recommended, catalogs, together } = JSON.parse(readFileSync(path, "utf8"));
  assert.deepEqual([model.turns, model.history, model.cached, model.growth], [4, 1000, 0.5, 300]);
  assert.deepEqual(
    sets.map(({ name, tasks }) => [name, tasks]),
    [["shop", 5]],
  );

  const { definitions } = sets[0].beginnings.full;
  const full = rows.find(({ strategy }) => strategy === "full");
  // Four requests of 1,000, 1,300, 1,600 and 1,900 tokens beside the definitions.
  assert.ok(Math.abs(full.fresh - (definitions + 1900)) < 1e-6 && Math.abs(full.cached - (3 * definitions + 3900)) < 1e-6);
  assert.equal(full.solved, 1);
  const reveals = rows.filter(({ strategy }) => strategy === "reveal");
  assert.equal(reveals.length, 10 * 11 * 5 * 3 * 3);
  // One of five tasks needs a tool that there is not.
  assert.ok(Math.abs(Math.max(...rows.filter((row) => row !== full).map(({ solved }) => solved)) - 0.8) < 1e-9);
  const least = Math.min(...reveals.map(({ perSolved }) => perSolved));
  assert.ok(recommended.perSolved <= 1.02 * least && Math.abs(recommended.solved - 0.8) < 1e-9);
  assert.match(stdout, /Recommended: reveal \d+ of \d+/);

  assert.deepEqual(
    catalogs.map(({ name, tools }) => [name, tools]),
    [
      ["garden", 1],
      ["kitchen", 2],
      ["all 2", 3],
    ],
  );
  assert.equal(together.tools, 3);
  // Of one tool, the catalog's price in full is known, too.
  const [garden] = catalogs;
  assert.ok(Math.abs(garden.full.price - (garden.tokens + 1900 + 0.5 * (3 * garden.tokens + 3900))) < 1e-6);
});

test("bad input", async () => {
  const hollow = join(home, "hollow");
  mkdirSync(hollow);
  writeFileSync(join(hollow, "catalog.jsonl"), '{"name": "a"}\n');
  writeFileSync(join(hollow, "queries.jsonl"), '{"id": 1, "query": "a", "relevant": []}\n');
  const greedy = join(home, "greedy");
  mkdirSync(greedy);
  writeFileSync(join(greedy, "catalog.jsonl"), '{"name": "a"}\n');
  const many = Array.from({ length: 31 }, (_, at) => `t${at}`);
  writeFileSync(join(greedy, "queries.jsonl"), JSON.stringify({ id: 7, query: "a", relevant: many, match: "all" }));
  const cases = [
    [[join(home, "nowhere")], 1, /nowhere cannot be read/],
    [[SETS, "--catalogs", join(home, "nowhere")], 1, /nowhere cannot be read/],
    [[SETS, "--catalogs", home], 1, /holds no JSON file with a list of tools/],
    [[hollow, "--catalogs", CATALOGS], 1, /the set hollow has no query that needs a tool/],
    [[greedy, "--catalogs", CATALOGS], 1, /the query 7 of greedy needs more than 30 tools/],
    [[SETS, "--json", join(home, "nowhere", "a.json")], 1, /there is no such folder/],
    [[SETS, "--turns", "x"], 1, /--turns x: it must be a whole number from 1 to 1000/],
    [[SETS, "--trun", "1"], 2, /--trun/],
  ];
  for (const [args, status, message] of cases) {
    const { code, stdout, stderr } = await command(...args);
    assert.equal(code, status, args.join(" "));
    assert.match(stderr, message);
    assert.equal(stdout, "", args.join(" "));
  }
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run simulate[\s\S]*A task is a labelled query/);
});
