/**
 * Can the golden sets fail?
 *
 * 1. They hold enough of every class, and no query is asked twice of a catalog.
 * 2. A query that is wrong in itself is refused.
 * 3. Each figure is what its description says, at both ends and between them.
 * 4. One query answered worse is named, with its class, its figure and what it was, for every query and every figure.
 * 5. Figures that are missing, or of other queries, are no figures.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, fallen, measure } from "./measure.mjs";
import { CLASSES, NOTHING, readSet, SETS, wrongWith } from "./sets.mjs";

const sets = Object.keys(SETS).map(readSet);

const found = (names, confidence = "high") => ({ hits: names.map((name) => ({ name })), confidence });

/** Answers as wanted, but for one query. */
const oracle = (set, spoilt, answer) => {
  const wanted = new Map(set.queries.map((one) => [one.query, one]));
  return (query) => {
    const { id, relevant } = wanted.get(query);
    return id === spoilt ? answer : found(relevant, relevant.length > 0 ? "high" : "none");
  };
};

test("there is enough of everything", () => {
  const all = sets.flatMap(({ queries }) => queries);
  assert.ok(all.length >= 190, `${all.length} queries`);
  for (const kind of CLASSES) {
    const count = all.filter((one) => one.class === kind).length;
    assert.ok(count >= 15, `${count} of ${kind}`);
  }
  for (const { name, queries } of sets) {
    assert.equal(new Set(queries.map(({ query }) => query)).size, queries.length, name);
  }
});

test("a query that is wrong in itself is refused", () => {
  const good = { query: "tides", relevant: ["a"], match: "any", class: "keywords" };
  const known = new Set(["a"]);
  assert.equal(wrongWith(good, known), undefined);
  const asked = [{ query: " " }, { class: "haiku" }, { class: NOTHING }];
  const wanted = [{ relevant: ["b"] }, { relevant: [] }, { match: "some" }];
  for (const change of [...asked, ...wanted]) assert.ok(wrongWith({ ...good, ...change }, known), JSON.stringify(change));
});

test("figures are what they say", () => {
  const figures = (kind, relevant, match, answer) => {
    const queries = [{ id: "one", query: "?", relevant, match, class: kind }];
    return figuresOf(measure({ queries }, () => answer)[kind]);
  };
  const get = { recall1: 0, recall5: 0, answered: 1 };
  assert.deepEqual(figures("typo", ["a"], "any", found(["a"])), { recall1: 1, recall5: 1, answered: 1 });
  assert.deepEqual(figures("typo", ["a"], "any", found(["b", "c", "d", "e", "a"], "low")), { ...get, recall5: 1 });
  assert.deepEqual(figures("typo", ["a"], "any", found(["b", "c", "d", "e", "f", "a"])), get);
  assert.deepEqual(figures("typo", ["a"], "any", found(["a"], "none")), { recall1: 1, recall5: 1, answered: 0 });
  assert.deepEqual(figures("script", ["a", "b"], "any", found(["c", "b"])), { ...get, recall5: 1 });
  assert.deepEqual(figures("intents", ["a", "b"], "all", found(["b", "c"])), { ...get, recall1: 0.5, recall5: 0.5 });
  assert.deepEqual(figures("exact", ["a", "b"], "all", found(["b", "c"])), { ...get, recall1: 1, recall5: 0.5 });
  assert.deepEqual(figures(NOTHING, [], "any", found([], "none")), { declined: 1 });
  assert.deepEqual(figures(NOTHING, [], "any", found([], "low")), { declined: 0 });
  assert.throws(() => figures("typo", ["a"], "any", { hits: [] }), /confidence undefined/);
});

test("any query that is lost is named, with what was lost", () => {
  for (const set of sets) {
    const best = measure(set, oracle(set));
    for (const { id, query, class: kind } of set.queries) {
      assert.deepEqual(fallen(set, kind, best[kind], best[kind]), []);
      const now = measure(set, oracle(set, id, found([], kind === NOTHING ? "low" : "none")))[kind];
      const lines = fallen(set, kind, best[kind], now);
      assert.equal(lines.length, Object.keys(figuresOf(now)).length, id);
      for (const [index, figure] of Object.keys(figuresOf(now)).entries()) {
        const [head, ...lost] = lines[index].split("\n");
        assert.equal(head, `${set.name}, ${kind}: ${figure} was ${best[kind][figure]}, is ${now[figure]}; lost:`);
        assert.equal(lost.length, 1);
        assert.ok(lost[0].startsWith(`  ${id} ${JSON.stringify(query)}: `) && lost[0].endsWith(" → 0"), lost[0]);
      }
    }
  }
});

test("another query found does not hide the one that is lost", () => {
  const [set] = sets;
  const [first, second, third] = set.queries.filter(({ class: kind }) => kind === "keywords");
  const worse = (...ids) => {
    const answer = oracle(set);
    const lost = set.queries.filter(({ id }) => ids.includes(id)).map(({ query }) => query);
    return measure(set, (query) => (lost.includes(query) ? found([]) : answer(query))).keywords;
  };
  const [text] = fallen(set, "keywords", worse(first.id), worse(second.id, third.id));
  assert.deepEqual(
    text
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(" ")[0]),
    [second.id, third.id],
  );
});

test("figures that are missing or of other queries are no figures", () => {
  const [set] = sets;
  const { keywords } = measure(set, oracle(set));
  const { recall5, ...without } = keywords;
  assert.ok(recall5 === 1);
  assert.equal(fallen(set, "keywords", undefined, keywords).length, 1);
  assert.equal(fallen(set, "keywords", without, keywords).length, 1);
  assert.equal(fallen(set, "keywords", { ...keywords, queries: keywords.queries + 1 }, keywords).length, 1);
});
