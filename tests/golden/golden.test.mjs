/**
 * Tests that search on the golden sets (labelled queries) is at least as good as the recorded figures. Figures are means over
 * the queries of a class, and higher is better. With `UPDATE=1`, the test writes the figures as they are now.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "vitest";
import { ToolSift } from "toolsift";
import { at } from "../../scripts/lib/paths.mjs";
import { readSet, SETS } from "./sets.mjs";

const FIGURES = at("tests", "golden", "figures.json");

/** Hits that are asked for: no figure looks further. */
const HITS = 5;

/** How far a figure may fall: what adding in another order changes. */
const SLACK = 1e-9;

function recall(relevant, match, names) {
  const found = relevant.filter((name) => names.includes(name)).length;
  return match === "any" ? Number(found > 0) : found / relevant.length;
}

/**
 * What one answer gets, from 0 to 1. For a query that nothing fits: whether it was declined. For any other: what of the
 * relevant is the first hit, what is among the first five, and whether it was answered instead of declined.
 */
function scoresOf({ relevant, match, class: kind }, { hits, confidence }) {
  assert.ok(["high", "low", "none"].includes(confidence), confidence);
  const declined = confidence === "none";
  if (kind === "nothing") return { declined: Number(declined) };
  const names = hits.map(({ name }) => name);
  // Several names in one query: any of them may stand first, but only one can.
  const first = kind === "exact" ? "any" : match;
  return {
    recall1: recall(relevant, first, names.slice(0, 1)),
    recall5: recall(relevant, match, names.slice(0, HITS)),
    answered: Number(!declined),
  };
}

/** The figures of a class, and for each figure in `below` the queries that did not get all of it, with what they got. */
function figuresOf(list) {
  const of = (make) => Object.fromEntries(Object.keys(list[0].scores).map((figure) => [figure, make(figure)]));
  const mean = (figure) => list.reduce((sum, { scores }) => sum + scores[figure], 0) / list.length;
  const short = (figure) => list.flatMap(({ id, scores }) => (scores[figure] < 1 ? [[id, scores[figure]]] : []));
  return { queries: list.length, ...of(mean), below: of((figure) => Object.fromEntries(short(figure))) };
}

/** Asks every query of a set, in a catalog of its tools alone; returns the figures of each class. */
function measured({ tools, queries }) {
  const sift = new ToolSift({ profile: "sift" });
  assert.deepEqual(sift.register(tools).rejected, []);
  const asked = queries.map((one) => {
    const answer = sift.search(one.query, { limit: HITS });
    assert.equal(answer.searched, tools.length);
    return { ...one, scores: scoresOf(one, answer) };
  });
  sift.dispose();
  const kinds = new Set(asked.map((one) => one.class));
  return Object.fromEntries([...kinds].map((kind) => [kind, figuresOf(asked.filter((one) => one.class === kind))]));
}

const sets = Object.keys(SETS).map(readSet);
const now = Object.fromEntries(sets.map((set) => [set.name, measured(set)]));
if (process.env.UPDATE) writeFileSync(FIGURES, `${JSON.stringify(now, null, 2)}\n`);
const committed = JSON.parse(readFileSync(FIGURES, "utf8"));

for (const { name, queries } of sets) {
  for (const [kind, { below, queries: count, ...figures }] of Object.entries(now[name])) {
    test(`${name}, ${kind}: no figure fell`, () => {
      const before = committed[name]?.[kind];
      assert.equal(before?.queries, count, "the committed figures are of as many queries");
      for (const [figure, value] of Object.entries(figures)) {
        const was = (id) => before.below[figure][id] ?? 1;
        const lost = queries.filter(({ id }) => below[figure][id] < was(id)).map(({ id, query }) => `${id}: ${query}`);
        // Written so that a figure that is missing or no number counts as fallen.
        assert.ok(
          value >= before[figure] - SLACK,
          `${figure} was ${before[figure]}, is ${value}; lost:\n${lost.join("\n")}`,
        );
      }
    });
  }
}
