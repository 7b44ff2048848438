/**
 * Is search quality computed as it is defined? Every expectation is worked out by hand.
 *
 * 1. `any`: one relevant tool is enough. `all`: each counts. `groups`: each group counts, whichever of its tools is there.
 * 2. nDCG is binary, discounts by log2(place + 1), looks at ten places and is never above 1. MRR is of the first relevant.
 * 3. Means leave out queries with nothing relevant; a macro mean weighs sets alike, whatever their size.
 * 4. A bootstrap of equal differences has no width, one of mixed ones holds its mean, and both are the same every time.
 * 5. A typo changes one word of at least five letters by one slip, and nothing else.
 * 6. The area under the curve is the share of pairs in the right order. Foreign queries are those that a set has no tool for.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { bootstrap } from "../../scripts/lib/eval/bootstrap.mjs";
import { askedOf, auc } from "../../scripts/lib/eval/confidence.mjs";
import { macroOf } from "../../scripts/lib/eval/measure.mjs";
import { meanQualities, measure, percentile } from "../../scripts/lib/eval/metrics.mjs";
import { SPELLINGS } from "../../scripts/lib/eval/names.mjs";
import { randomFrom, shuffled } from "../../scripts/lib/eval/random.mjs";
import { mistyped } from "../../scripts/lib/eval/typo.mjs";

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

/** The qualities by what is expected of them: recall at 1, 3, 5 and 10, nDCG, MRR. */
function holds(ranked, query, [r1, r3, r5, r10, ndcg, mrr]) {
  const quality = measure(ranked, query);
  const expected = { "recall@1": r1, "recall@3": r3, "recall@5": r5, "recall@10": r10, "ndcg@10": ndcg, mrr };
  for (const [key, value] of Object.entries(expected)) near(quality[key], value);
}

const letters = [..."abcdefghijklm"];

test("one of several is enough", () => {
  holds(letters, { relevant: ["a"], match: "any" }, [1, 1, 1, 1, 1, 1]);
  // Third: 1 / log2(4) = 1/2. The fourth does not count.
  holds(letters, { relevant: ["d", "c"], match: "any" }, [0, 1, 1, 1, 1 / 2, 1 / 3]);
  holds(letters, { relevant: ["k"], match: "any" }, [0, 0, 0, 0, 0, 1 / 11]);
  holds(letters, { relevant: ["z"], match: "any" }, [0, 0, 0, 0, 0, 0]);
  holds([], { relevant: ["a"], match: "any" }, [0, 0, 0, 0, 0, 0]);
});

test("all of them count", () => {
  // First and fourth: (1 + 1/log2 5) / (1 + 1/log2 3).
  const ndcg = (1 + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3));
  holds(letters, { relevant: ["a", "d"], match: "all" }, [1 / 2, 1 / 2, 1, 1, ndcg, 1]);
  // Second, and twelfth, which nDCG does not see: (1/log2 3) / (1 + 1/log2 3).
  const half = 1 / Math.log2(3) / (1 + 1 / Math.log2(3));
  holds(letters, { relevant: ["l", "b"], match: "all" }, [0, 1 / 2, 1 / 2, 1 / 2, half, 1 / 2]);
  holds(letters, { relevant: ["a", "a"], match: "all" }, [1, 1, 1, 1, 1, 1]);
  // Twelve are relevant: ten places can hold ten of them, and more is not asked of them.
  holds(letters, { relevant: letters.slice(0, 12), match: "all" }, [1 / 12, 3 / 12, 5 / 12, 10 / 12, 1, 1]);
});

test("one of each group counts", () => {
  const groups = [
    ["c", "z"],
    ["a", "b"],
  ];
  // The second group is met first, the first one third: (1 + 1/2) / (1 + 1/log2 3).
  holds(letters, { relevant: ["a", "b", "c", "z"], match: "all", groups }, [
    1 / 2,
    1,
    1,
    1,
    1.5 / (1 + 1 / Math.log2(3)),
    1,
  ]);
  holds(["a", "b"], { relevant: ["a"], match: "all", groups: [["a"], ["a", "b"]] }, [1, 1, 1, 1, 1, 1]);
});

test("means", () => {
  assert.equal(measure(["a"], { relevant: [], match: "any" }), null);
  const hit = measure(["a"], { relevant: ["a"], match: "any" });
  const miss = measure(["b"], { relevant: ["a"], match: "any" });
  near(meanQualities([hit, null, miss, miss, miss])["recall@1"], 1 / 4);
  const [small, large] = [
    { queries: 1, errors: 1, mrr: 1 },
    { queries: 9, errors: 2, mrr: 0.5 },
  ];
  assert.deepEqual(macroOf([small, large]), { queries: 10, errors: 3, mrr: 0.75 });
  assert.equal(percentile([5, 1, 4, 2, 3], 0.5), 3);
});

test("the bootstrap", () => {
  const even = bootstrap([
    [0.5, 0.5, 0.5],
    [0.1, 0.1],
  ]);
  assert.deepEqual(even.sets[0], { mean: 0.5, low: 0.5, high: 0.5 });
  for (const value of Object.values(even.macro)) near(value, 0.3);
  const mixed = Array.from({ length: 100 }, (_, at) => (at % 4 === 0 ? 1 : 0));
  const { sets, macro } = bootstrap([mixed]);
  // The standard error of a share of 1/4 in 100 is .0433; 1.96 of it on either side.
  near(sets[0].mean, 0.25);
  assert.ok(Math.abs(sets[0].low - (0.25 - 0.085)) < 0.02, `${sets[0].low}`);
  assert.ok(Math.abs(sets[0].high - (0.25 + 0.085)) < 0.02, `${sets[0].high}`);
  assert.deepEqual(macro, sets[0]);
  assert.deepEqual(bootstrap([mixed]), { sets, macro });
});

test("a seed decides an order", () => {
  assert.deepEqual(shuffled(letters, "x"), shuffled(letters, "x"));
  assert.notDeepEqual(shuffled(letters, "x"), shuffled(letters, "y"));
  assert.deepEqual(shuffled(letters, "x").sort(), letters);
});

test("typos", () => {
  assert.equal(mistyped("get it now", randomFrom(1)), "get it now");
  const kinds = new Set();
  for (let seed = 0; seed < 200; seed += 1) {
    const text = mistyped("ab window cd", randomFrom(seed));
    const [, word] = /^ab (.*) cd$/.exec(text) ?? assert.fail(text);
    assert.notEqual(word, "window");
    const sorted = [...word].sort().join("");
    if (word.length === 5) kinds.add("dropped");
    else if (word.length === 7) kinds.add("doubled");
    else kinds.add(sorted === "dinoww" ? "swapped" : "replaced");
  }
  assert.deepEqual([...kinds].sort(), ["doubled", "dropped", "replaced", "swapped"]);
});

test("spellings of names", () => {
  const of = (tool) => Object.values(SPELLINGS).map((spell) => spell(tool));
  const github = { name: "git-hub__createHTTPIssue2", server: "Git Hub" };
  assert.deepEqual(of(github), [
    "git-hub__createHTTPIssue2",
    "createHttpIssue2",
    "create_http_issue_2",
    "create http issue 2",
    "Git Hub:createHTTPIssue2",
  ]);
  assert.deepEqual(of({ name: "other__read", server: "git" })[4], "git:other__read");
  assert.deepEqual(of({ name: "?!", server: null }), ["?!", null, null, null, null]);
});

test("pairs in the right order", () => {
  // Six pairs: 3 is above both, 1 above one and equal to the other, infinity above both.
  near(auc([3, 1, Infinity], [0, 1]), 5.5 / 6);
  near(auc([Infinity], [Infinity, 2]), 1.5 / 2);
  near(auc([1, 2], [3]), 0);
});

test("whose queries a set is asked", () => {
  const query = (id, relevant) => ({ id, query: `about ${id}`, relevant: [relevant], match: "any" });
  const set = (name, tools, queries) => ({ name, tools: tools.map((name) => ({ name })), queries, notes: [] });
  const [one, other] = askedOf([
    set("one", ["a", "b"], [query("1", "a"), query("2", "gone")]),
    set("other", ["b", "c"], [query("3", "b"), query("4", "c"), { ...query("1", "c"), id: "5" }]),
  ]);
  const asked = ({ queries }) => queries.map(({ id, foreign }) => `${id} ${foreign ?? "own"}`).sort();
  // The first set has a tool for 3, and 5 is in the words of its own query.
  assert.deepEqual(asked(one), ["1 own", "4 other"]);
  assert.deepEqual(asked(other), ["2 one", "3 own", "4 own", "5 own"]);
  const many = set(
    "many",
    ["z"],
    Array.from({ length: 300 }, (_, at) => query(`q${at}`, "z")),
  );
  assert.equal(askedOf([many, set("none", [], [])])[1].queries.length, 200);
});
