/**
 * Does `npm run peers` know what to try?
 *
 * 1. It has tests for every peer of the package, and they exist. Every peer is optional.
 * 2. The lock file has the peers that pkg/package.json has.
 * 3. It reads the forms of ranges that pkg/package.json has.
 * 4. Its help says what it does; what is no peer is refused by name.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { SETS } from "../../scripts/lib/peers/sets.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { compared, floorOf, partsOf, takes } from "../../scripts/peers.mjs";

const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
const command = (...args) => node(at("scripts", "peers.mjs"), args, { fails: false });

test("every peer has tests, and they exist", () => {
  const rows = "the rows of scripts/lib/peers/sets.mjs are the peerDependencies of pkg/package.json";
  assert.deepEqual(Object.keys(SETS).sort(), Object.keys(peerDependencies).sort(), rows);
  for (const { tests } of Object.values(SETS)) {
    assert.ok(tests.length > 0);
    for (const file of tests) assert.ok(existsSync(at(file)), file);
  }
});

test("every peer is optional", () => {
  const optional = Object.fromEntries(
    Object.keys(peerDependencies)
      .sort()
      .map((name) => [name, { optional: true }]),
  );
  assert.deepEqual(peerDependenciesMeta, optional, "pkg/package.json: peerDependenciesMeta has each of peerDependencies");
});

test("the lock file has them", () => {
  const { packages } = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  const locked = {
    peerDependencies: packages.pkg.peerDependencies,
    peerDependenciesMeta: packages.pkg.peerDependenciesMeta,
  };
  assert.deepEqual(
    locked,
    { peerDependencies, peerDependenciesMeta },
    "package-lock.json: npm install writes what pkg/package.json has",
  );
});

test("ranges are read", () => {
  assert.deepEqual(partsOf("^6.0.0 || ^7.1.0").map(floorOf), ["6.0.0", "7.1.0"]);
  assert.equal(floorOf(">=0.12.0 <1.0.0"), "0.12.0");
  const cases = [
    ["^6.0.0 || ^7.1.0", ["6.0.0", "6.49.3", "7.1.0"], ["5.9.9", "7.0.9", "8.0.0"]],
    [">=0.12.0 <1.0.0", ["0.12.0", "0.20.5"], ["0.11.9", "1.0.0"]],
    ["^1.2.34", ["1.2.34", "1.10.0"], ["1.2.9", "2.0.0"]],
  ];
  for (const [range, inside, outside] of cases) {
    for (const version of inside) assert.ok(takes(range, version), `${range} takes ${version}`);
    for (const version of outside) assert.ok(!takes(range, version), `${range} does not take ${version}`);
  }
  assert.deepEqual(["1.10.0", "1.9.0", "1.9.10"].sort(compared), ["1.9.0", "1.9.10", "1.10.0"]);
  for (const range of Object.values(peerDependencies))
    for (const part of partsOf(range)) assert.ok(takes(range, floorOf(part)));
});

test("the help says what it does, and what is no peer is refused", async () => {
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run peers[^]*Installs each peer dependency/);
  const wrong = await command("left-pad");
  assert.equal(wrong.code, 1);
  assert.match(wrong.output, /the package has no peer left-pad; it has @ai-sdk\/mcp, /);
  assert.equal((await command("--al")).code, 2);
});
