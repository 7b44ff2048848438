/**
 * What is measured with.
 *
 * 1. Made-up catalogs are the same on every run, of exactly the number asked for, with names that differ within a server.
 * 2. Tools are as large as public ones: 161 tokens in the median, 272 on average, 636 at the ninth decile.
 * 3. Words come as often as in real tools: a few almost everywhere, many in one tool only.
 * 4. A folder's tools are repeated with other rare words, and stay tools that can be registered.
 * 5. Queries are made from the catalog, at least 50 different ones of each kind.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { CHARACTERS_PER_TOKEN, madeUpCatalogs } from "../../scripts/lib/bench/speed/generate.mjs";
import { KINDS, queriesFrom } from "../../scripts/lib/bench/speed/queries.mjs";
import { quantile } from "../../scripts/lib/bench/speed/timing.mjs";
import { variedCatalogs } from "../../scripts/lib/bench/speed/vary.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const COUNT = 5_000;
const catalogs = [...madeUpCatalogs(COUNT)];
const tools = catalogs.flatMap((catalog) => catalog.tools);
const hashOf = (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const near = (value, wanted, share) =>
  assert.ok(Math.abs(value / wanted - 1) <= share, `${value} is not within ${100 * share} % of ${wanted}`);

test("the same tools on every run, as many as asked for", () => {
  assert.equal(hashOf([...madeUpCatalogs(1_000)]), hashOf([...madeUpCatalogs(1_000)]));
  for (const count of [10, 100, 1_001]) {
    const made = [...madeUpCatalogs(count)];
    assert.equal(made.flatMap((catalog) => catalog.tools).length, count);
    assert.equal(new Set(made.map(({ server }) => server)).size, made.length);
    for (const { server, tools: own } of made) {
      assert.equal(new Set(own.map(({ name }) => name)).size, own.length, server);
      for (const { name } of own) assert.match(name, /^[a-zA-Z0-9_-]{1,48}$/);
    }
  }
});

test("tools are as large as public ones, and nest as they do", () => {
  const sizes = tools.map(
    ({ name, description, inputSchema }) =>
      (name.length + description.length + JSON.stringify(inputSchema).length) / CHARACTERS_PER_TOKEN,
  );
  near(quantile(sizes, 0.5), 161, 0.1);
  near(sizes.reduce((sum, size) => sum + size, 0) / sizes.length, 272, 0.1);
  near(quantile(sizes, 0.9), 636, 0.1);
  assert.ok(Math.max(...sizes) < 3_700);
  const schemas = JSON.stringify(tools.map(({ inputSchema }) => inputSchema));
  for (const part of ['"enum":[', '"items":{"type":"object"', '"required":[', '"properties":{']) {
    assert.ok(schemas.includes(part), part);
  }
});

test("words come as often as in real tools", () => {
  const texts = tools.map(
    (tool) =>
      new Set(
        JSON.stringify(tool)
          .toLowerCase()
          .match(/[a-z]+/g),
      ),
  );
  const counts = new Map();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts.values()].sort((a, b) => b - a);
  // Of 1,130 public tools, the 100th word stands in 17 %, the 400th in 3 %, the 1,600th in 0.5 %.
  near(sorted[100] / COUNT, 0.17, 0.3);
  near(sorted[400] / COUNT, 0.03, 0.4);
  near(sorted[1_600] / COUNT, 0.005, 0.5);
  const once = sorted.filter((count) => count === 1).length / sorted.length;
  assert.ok(once > 0.2 && once < 0.6, `${once} of the words stand in one tool only`);
});

test("a folder's tools are repeated with other rare words", () => {
  const folder = at("tests", "simulate", "catalogs");
  const varied = [...variedCatalogs(folder, 500)];
  assert.equal(hashOf([...variedCatalogs(folder, 500)]), hashOf(varied));
  assert.equal(varied.flatMap((catalog) => catalog.tools).length, 500);
  assert.equal(new Set(varied.map(({ server }) => server)).size, varied.length);
  const [first] = varied;
  const copies = varied.filter(({ server }) => server === first.server || server.startsWith(`${first.server}-`));
  assert.ok(copies.length > 2);
  const texts = new Set(copies.map((copy) => JSON.stringify(copy.tools)));
  assert.equal(texts.size, copies.length, "every copy says something else");
  for (const { tools: copy } of copies.slice(0, -1)) {
    assert.deepEqual(
      copy.map(({ name }) => name),
      first.tools.map(({ name }) => name),
    );
  }
});

test("queries are made from the catalog, the same ones on every run", () => {
  const sample = catalogs.flatMap(({ server, tools: own }) => own.slice(0, 2).map((tool) => ({ server, tool })));
  const queries = queriesFrom(sample);
  assert.deepEqual(queriesFrom(sample), queries);
  assert.deepEqual(Object.keys(queries), Object.keys(KINDS));
  for (const [kind, made] of Object.entries(queries)) {
    assert.ok(new Set(made.map((query) => JSON.stringify(query))).size >= 50, kind);
  }
  for (const [kind, words] of [
    ["3-words", 3],
    ["12-words", 12],
    ["story", 60],
  ]) {
    for (const query of queries[kind]) assert.equal(query.split(" ").length, words, query);
  }
  for (const pattern of queries.pattern) new RegExp(pattern.slice(1, -1));
  const known = new Set(sample.map(({ server, tool }) => `${server} ${tool.name}`));
  for (const names of queries.select) names.forEach((name) => assert.ok(known.has(name.join(" "))));
});
