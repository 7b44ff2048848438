/**
 * Does `npm run eval` measure what it is given?
 *
 * 1. Every ranker of the package and every peer is measured on every set; tables and `--json` say the same, and the
 *    qualities follow from the ranked lists alone. Each peer says which version runs, or that it is our reading.
 * 2. Results carry the set's own names, whatever they are; a tool that cannot be registered is told of, and nobody finds it.
 * 3. A query that a ranker refuses finds nothing and is counted as an error.
 * 4. `--against` itself is no difference; against a run with typos it is one, with an interval around it.
 * 5. `--names` asks for names, and a ranker that looks at names finds them.
 * 6. `--ablate` leaves out each ingredient that the core knows, and all of them; what it says follows from the lists.
 * 7. `--confidence` asks a set its own queries and foreign ones, and what it says follows from how each was judged.
 * 8. `--gateway` asks a gateway every query, and tells which share of its answers has the right tool.
 * 9. Input that cannot be right is refused with the place or the value, before anything is measured.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gainLeftOut } from "../../scripts/lib/eval/ablation.mjs";
import { meanQualities, measure, QUALITIES } from "../../scripts/lib/eval/metrics.mjs";
import { readSets } from "../../scripts/lib/eval/sets.mjs";
import { versionOf } from "../../scripts/lib/modules.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { scriptOf } from "../scripts/lib/script.mjs";

const SETS = at("tests", "eval", "sets");
const GARDEN = join(SETS, "garden");
const PEERS = ["ai-sdk", "mastra", "fastmcp", "codex", "pydantic-ai", "minisearch"];
const OWN = ["parts", "overlap", "bm25", "pattern+fuzzy"];

const home = mkdtempSync(join(tmpdir(), "toolsift-eval-"));
after(() => rmSync(home, { recursive: true }));

/** With `--readings`, so that nothing is installed from PyPI. */
const evaluation = scriptOf("eval.mjs");
const command = (...args) => evaluation("--readings", ...args);
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

const whole = join(home, "whole.json");
const run = await command(SETS, "--json", whole);
const { results, summary } = read(whole);
const sets = readSets(SETS);
const ranked = (set, ranker, id) => results.find((one) => one.set === set && one.ranker === ranker && one.id === id).ranked;

test("every ranker on every set", () => {
  assert.equal(run.code, 0, run.output);
  const rankers = new Set(results.map(({ ranker }) => ranker));
  for (const name of [...OWN, ...PEERS]) assert.ok(rankers.has(name), name);
  assert.deepEqual(
    sets.map(({ name }) => name),
    ["garden", "odd names"],
  );
  assert.equal(results.length, rankers.size * (7 + 17));
  for (const { name } of sets) assert.match(run.stdout, new RegExp(`^${name}: \\d+ tools, \\d+ queries$`, "m"));
  assert.ok(
    run.stdout.split("\n").every((line) => line.length <= 120),
    run.stdout,
  );
});

test("the qualities follow from the lists", () => {
  sets.forEach(({ name, queries }, place) => {
    for (const [ranker, means] of Object.entries(summary.sets[place].rankers)) {
      const again = meanQualities(queries.map((query) => measure(ranked(name, ranker, query.id), query)));
      for (const key of QUALITIES) assert.equal(means[key], again[key], `${name} ${ranker} ${key}`);
    }
  });
  for (const [ranker, means] of Object.entries(summary.macro)) {
    const values = summary.sets.map(({ rankers }) => rankers[ranker]["recall@5"]);
    assert.equal(means["recall@5"], (values[0] + values[1]) / 2);
  }
});

test("each peer says what runs", () => {
  const { labels, readings } = summary;
  assert.equal(labels["ai-sdk"], `ai-sdk (ai ${versionOf("ai-7")})`);
  assert.equal(labels.mastra, `mastra (${versionOf("@mastra/core")})`);
  assert.equal(labels.minisearch, `minisearch (${versionOf("minisearch")})`);
  assert.deepEqual(readings, ["fastmcp", "codex", "pydantic-ai"]);
  for (const name of readings) assert.equal(labels[name], `${name} (our reading)`);
  for (const name of OWN) assert.equal(labels[name], name);
  for (const label of Object.values(labels)) assert.ok(run.stdout.includes(`\n${label}  `), label);
});

test("tables are in the order of recall@5", () => {
  const macro = run.stdout.split("\n\n").find((part) => part.includes("Mean over 2 sets"));
  const shown = macro
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => Number(line.trim().split(/ {2,}/)[3]));
  assert.equal(shown.length, Object.keys(summary.macro).length);
  assert.deepEqual(
    shown,
    [...shown].sort((a, b) => b - a),
  );
});

test("odd names are the set's own", () => {
  const { tools, queries } = sets[1];
  const own = new Set(tools.map(({ name }) => name));
  for (const { set, ranked } of results) {
    if (set === "odd names")
      assert.ok(
        ranked.every((name) => own.has(name)),
        ranked.join(),
      );
  }
  // What each of these tools says of itself nobody else says, so that this ranker must find it.
  const found = queries.filter(({ id }) => !["umbrella", "nobody", "pattern", "café"].includes(id));
  for (const { id, relevant } of found) assert.ok(relevant.includes(ranked("odd names", "bm25", id)[0]), id);
  assert.deepEqual(ranked("odd names", "pattern+fuzzy", "café"), ["喫茶店を探す"]);
});

test("a broken tool is told of, and nobody finds it", () => {
  assert.match(run.stdout, /1 tools cannot be registered and are left out: .+/);
  assert.match(run.stderr, /odd names: 1 tools cannot be registered/);
  assert.match(run.stdout, /1 queries name relevant tools that the catalog lacks/);
  assert.equal(summary.sets[1].tools, 12);
  assert.ok(results.every(({ ranked }) => !ranked.includes("broken")));
});

test("a refused query finds nothing and is an error", () => {
  const { rankers } = summary.sets[1];
  assert.deepEqual(ranked("odd names", "pattern+fuzzy", "pattern"), []);
  assert.equal(rankers["pattern+fuzzy"].errors, 1);
  assert.equal(rankers.codex.errors, 0);
  // Of 17 queries only the one without any known word finds nothing.
  assert.equal(rankers.codex.empty, results.filter(emptyOf("codex")).length / 17);
  assert.ok(rankers.codex.empty > 0);
});

const emptyOf =
  (name) =>
  ({ set, ranker, ranked }) =>
    set === "odd names" && ranker === name && ranked.length === 0;

test("--against", async () => {
  const same = await command(SETS, "--rankers", "codex, pattern", "--against", whole);
  assert.equal(same.code, 0, same.output);
  assert.match(same.stdout, /Against .+whole\.json/);
  const lines = same.stdout.split("\n").filter((line) => /^ {2}.+\d\]$/.test(line));
  assert.equal(lines.length, 2 * 3);
  for (const line of lines) assert.equal(line.match(/\+0\.0 \[\+0\.0, \+0\.0\]/g)?.length, 2, line);
  assert.match(same.stdout, /^codex \(our reading\)$/m);
  const former = join(home, "former.json");
  writeFileSync(former, JSON.stringify({ results, summary: { labels: { codex: "codex (9.9.9)" } } }));
  const other = await command(SETS, "--rankers", "codex", "--against", former);
  assert.match(other.stdout, /^codex \(our reading\), before: codex \(9\.9\.9\)$/m);
  // A ranker of whole words without stems: a mistyped word is lost to it, and of two that remain others have one, too.
  const typo = await command(GARDEN, "--rankers", "pydantic-ai", "--typo", "7", "--against", whole);
  assert.equal(typo.code, 0, typo.output);
  const [, mean, low, high] = /mean over sets .* ([-+][\d.]+) \[([-+][\d.]+), ([-+][\d.]+)\]$/m.exec(typo.stdout);
  assert.ok(Number(mean) < 0 && Number(low) < Number(mean) && Number(mean) < Number(high), `${mean} ${low} ${high}`);
});

test("--names", async () => {
  const path = join(home, "names.json");
  const { code, stdout, output } = await command(SETS, "--names", "--rankers", "ai-sdk,pydantic-ai", "--json", path);
  assert.equal(code, 0, output);
  assert.match(stdout, /as is +camelCase +snake_case +spaced words +server:name/);
  const garden = read(path).summary.sets.filter(({ set }) => set === "garden");
  const recall = Object.fromEntries(garden.map(({ spelling, rankers }) => [spelling, rankers["ai-sdk"]["recall@1"]]));
  assert.deepEqual(recall, { "as is": 1, camelCase: 1, snake_case: 1, "spaced words": 1, "server:name": 1 });
  // Words in snake_case are cut apart by this one, those in camelCase are not: three of eight names are in camelCase.
  const apart = garden.find(({ spelling }) => spelling === "camelCase").rankers["pydantic-ai"];
  assert.equal(apart["recall@1"], 3 / 8);
});

test("--ablate", async () => {
  const path = join(home, "ablation.json");
  const { code, stdout, output } = await command(SETS, "--ablate", "--typo", "7", "--json", path);
  assert.equal(code, 0, output);
  const { results, summary, ablation } = read(path);
  const weights = readFileSync(at("src", "search", "sift", "score", "weights.rs"), "utf8");
  const ingredients = [...weights.matchAll(/\("([a-z-]+)", Ingredient::/g)].map(([, name]) => name);
  assert.ok(ingredients.length > 0);
  const expected = [...ingredients.map((name) => `without ${name}`), "bare"];
  assert.deepEqual(ablation.map(({ ranker }) => ranker).sort(), [...expected].sort());
  assert.equal(results.length, (1 + expected.length) * (7 + 17));
  assert.equal(ablation.at(-1).ranker, "bare");
  for (const { ranker, qualities, leftOut, stays } of ablation) {
    const gains = qualities["recall@1"].sets.map(({ mean }) => -mean);
    assert.equal(leftOut["recall@1"], gainLeftOut(gains));
    assert.equal(stays, Math.max(leftOut["recall@1"], leftOut["recall@5"]) >= 0.003);
    const { mean, low, high } = qualities["recall@5"].macro;
    const [without, full] = [ranker, "sift"].map((name) => summary.macro[name]["recall@5"]);
    assert.ok(Math.abs(mean - (without - full)) < 1e-12 && low <= mean && mean <= high, `${ranker} ${mean}`);
    assert.match(stdout, new RegExp(`^${ranker} +[-+]\\d.+\\]$`, "m"));
  }
  // A mistyped word is no word of the catalog: only repair can tell what it stands for.
  const repair = ablation.find(({ ranker }) => ranker === "without repair").qualities["ndcg@10"];
  assert.ok(repair.macro.mean < 0 && repair.macro.low < repair.macro.mean, JSON.stringify(repair.macro));
  assert.ok(
    stdout.split("\n").every((line) => line.length <= 120),
    stdout,
  );
  const few = await command(GARDEN, "--ablate", "--rankers", "bare, without names");
  assert.equal(few.code, 0, few.output);
  assert.deepEqual(few.stdout.match(/^(without .+?|bare)(?= {2}.*\])/gm)?.sort(), ["bare", "without names"]);
});

test("what is gained on a set left out is chosen by the others", () => {
  const about = (gains, expected) => assert.ok(Math.abs(gainLeftOut(gains) - expected) < 1e-12, gains.join());
  about([0.01, 0.02, 0.03], 0.02);
  about([-0.01, -0.02, -0.03], 0);
  // One set gains, two lose a little: without the first the others drop it, and each of these two would keep it.
  about([0.03, -0.01, -0.01], (0 - 0.01 - 0.01) / 3);
  about([0.05, 0, 0], 0);
});

test("--confidence", async () => {
  const path = join(home, "confidence.json");
  const { code, stdout, output } = await command(SETS, "--confidence", "--json", path);
  assert.equal(code, 0, output);
  const { results, summary } = read(path);
  const foreign = results.filter(({ set, of }) => set !== of);
  assert.deepEqual(
    summary.sets.map((figures) => figures.foreign),
    [17, 7],
  );
  assert.equal(foreign.length, 17 + 7);
  // Of the 17 queries two cannot be answered: one has nothing relevant, the tool of another cannot be registered.
  assert.deepEqual(
    summary.sets.map(({ answerable }) => answerable),
    [7, 15],
  );
  assert.equal(results.length, foreign.length + 7 + 15);
  for (const { set, answerable, auc, levels, declinedOfForeign, ...figures } of summary.sets) {
    const own = results.filter((one) => one.set === set && one.of === set);
    const share = (list) => list.filter(({ confidence }) => confidence === "none").length / list.length;
    assert.equal(figures.declined, share(own));
    assert.equal(declinedOfForeign, share(foreign.filter((one) => one.set === set)));
    const counted = Object.values(levels).reduce((sum, { queries }) => sum + queries, 0);
    assert.equal(counted, answerable);
    // Not a word is common to the two sets.
    assert.ok(auc > 0.9 && auc <= 1, `${set} ${auc}`);
  }
  const named = results.find(({ of, set, id }) => set === of && id === "café");
  assert.deepEqual([named.confidence, named.overChance], ["high", null]);
  assert.match(stdout, /lower bounds/);
  assert.ok(
    stdout.split("\n").every((line) => line.length <= 120),
    stdout,
  );
});

test("--gateway", async () => {
  const path = join(home, "gateway.json");
  const { code, stdout, output } = await command(GARDEN, "--gateway", "--json", path);
  assert.equal(code, 0, output);
  const [garden] = read(path).summary;
  // Every tool of the garden is the clear answer to its query, and the yard's two to the one query that needs both.
  const { tokens, ...figures } = garden;
  assert.deepEqual(figures, { set: "garden", tools: 8, queries: 7, told: 1, named: 1, nothing: 0 });
  assert.ok(tokens.mean > 10 && tokens.mean <= tokens.p95 && tokens.p95 < 200);
  assert.match(stdout, /^garden +8 +7 +100\.0 +100\.0 +0\.0 +\d+ +\d+$/m);
});

test("bad input", async () => {
  const broken = join(home, "broken");
  cpSync(GARDEN, join(broken, "garden"), { recursive: true });
  writeFileSync(join(broken, "garden", "catalog.jsonl"), '{"name": "a"}\n\n{"name": \n');
  const unlabelled = join(home, "unlabelled");
  cpSync(GARDEN, unlabelled, { recursive: true });
  writeFileSync(join(unlabelled, "queries.jsonl"), '{"id": 1, "query": "a", "relevant": "a"}\n');
  mkdirSync(join(home, "hollow"));
  writeFileSync(join(home, "other.json"), '{"results": [{"set": "garden", "ranker": "codex", "id": "x", "ranked": []}]}');
  writeFileSync(join(home, "no.json"), "[]");
  const codex = ["--rankers", "codex"];
  const cases = [
    [[], /say which folder/],
    [[join(home, "nowhere")], /nowhere cannot be read/],
    [[join(home, "hollow")], /hollow holds no set/],
    [[broken], /catalog\.jsonl, line 3 is no JSON/],
    [[unlabelled], /queries\.jsonl, line 1: relevant must be a list of names/],
    [[GARDEN, "--rankers", "bm52"], /there is no ranker "bm52"; there are .*pattern\+fuzzy, .+, minisearch/],
    [[GARDEN, ...codex, "--against", join(home, "other.json")], /other\.json is of other queries on the set "garden"/],
    [[SETS, ...codex, "--against", join(home, "other.json")], /other queries on the set "garden"/],
    [[join(SETS, "odd names"), ...codex, "--against", join(home, "other.json")], /no results on the set "odd names"/],
    [[GARDEN, ...codex, "--against", join(home, "no.json")], /no\.json holds no results/],
    [[GARDEN, ...codex, "--json", join(home, "nowhere", "a.json")], /there is no such folder/],
    [[GARDEN, "--names", "--typo", "1"], /not together/],
    [[SETS, "--names", "--ablate"], /are different questions: not together/],
    [[SETS, "--gateway", "--names"], /are different questions: not together/],
    [[SETS, "--gateway", "--rankers", "sift"], /--gateway is about one ranker/],
    [[SETS, "--ablate", ...codex], /there is no ranker "codex"; there are without stems, .+, bare/],
    [[SETS, "--confidence", "--against", whole], /not together with --rankers or --against/],
    [[GARDEN, "--confidence"], /holds one set/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await command(...args);
    assert.equal(code, 1, args.join(" "));
    assert.match(stderr, message);
    assert.doesNotMatch(stdout, /recall/);
  }
});

test("--help and a misspelt option", async () => {
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run eval -- DIR/);
  assert.equal((await command(GARDEN, "--rnakers", "bm25")).code, 2);
});
