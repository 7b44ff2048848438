/**
 * Is a release prepared whole, and published only where it may be?
 *
 * 1. Versions that differ and a changelog without the version or its day are named. 2. The crate packs its sources and pages
 *    only. 3. The addresses of the project are written into every package from one place, and taken out again; a wrong one is
 *    refused. 4. With a repository, the README of the package page links to that version's files. 5. The list of third-party
 *    licences is what is compiled in; a licence that may not be packed is refused. 6. Nothing is published outside of the
 *    workflow, or for another ref than the version's tag. 7. Builds are compared file by file.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { licensesAreListed } from "../../scripts/licenses.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import {
  BEFORE,
  changelogLacks,
  crateFiles,
  straysOf,
  versions,
  versionsDiffer,
} from "../../scripts/lib/release/checks.mjs";
import { forPackagePage, inCrate, inPackage, metadata } from "../../scripts/lib/release/metadata.mjs";
import { addressesOf } from "../../scripts/lib/release/project.mjs";
import { taken } from "../../scripts/lib/release/third-party.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { mayPublish } from "../../scripts/release.mjs";
import { differing, hashesOf } from "../../scripts/reproducible.mjs";

const PROJECT = { repository: "https://github.com/someone/sift.ts", homepage: null, bugs: null };
const read = (path) => readFileSync(at(path), "utf8");
const command = (...args) =>
  node(at("scripts", "release.mjs"), args, { fails: false, env: { GITHUB_ACTIONS: "", GITHUB_REF: "" } });

test("the versions are one, and others are named", () => {
  const found = versions();
  assert.equal(found.length, 6);
  assert.equal(versionsDiffer(found), undefined);
  const other = found.with(2, { file: "pkg/package.json", version: "9.0.0" });
  assert.match(versionsDiffer(other), /^versions differ: Cargo\.toml .*, pkg\/package\.json 9\.0\.0, /);
  assert.match(versionsDiffer(found.with(1, { file: "Cargo.lock", version: undefined })), /Cargo\.lock none/);
});

test("the changelog has the version, with its day", () => {
  assert.equal(changelogLacks("# Changelog\n\n## 1.2.3 (2026-01-31)\n", "1.2.3"), undefined);
  assert.match(changelogLacks("## 1.2.30 (2026-01-31)\n", "1.2.3"), /no section "## 1\.2\.3 \(YYYY-MM-DD\)"/);
  assert.match(changelogLacks("## 1.2.3 (unreleased)\n", "1.2.3"), /says "## 1\.2\.3 \(unreleased\)"; write the day/);
  assert.match(changelogLacks("## 1.2.3\n", "1.2.3"), /write the day/);
  const [{ version }] = versions();
  assert.doesNotMatch(changelogLacks(read("CHANGELOG.md"), version) ?? "", /no section/);
});

test("the crate packs its sources and pages only", async () => {
  const files = await crateFiles();
  assert.deepEqual(straysOf(files), []);
  for (const wanted of [
    "src/lib.rs",
    "src/search/sift/text/tables/synonyms.txt",
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
  ]) {
    assert.ok(files.includes(wanted), wanted);
  }
  assert.deepEqual(straysOf(["src/lib.rs", "docs/README.md", "node_modules/x/README.md"]), [
    "docs/README.md",
    "node_modules/x/README.md",
  ]);
});

test("the addresses come from one place", () => {
  assert.deepEqual(
    metadata()
      .filter(({ text, wanted }) => text !== wanted)
      .map(({ path }) => path),
    [],
    "npm run release -- --metadata",
  );
  const addresses = addressesOf(PROJECT);
  const bare = inPackage(read("pkg/package.json"), "pkg", undefined);
  const filled = inPackage(bare, "pkg", addresses);
  const { homepage, bugs, repository, name } = JSON.parse(filled);
  assert.deepEqual(
    { homepage, bugs, repository, name },
    {
      homepage: "https://github.com/someone/sift.ts#readme",
      bugs: "https://github.com/someone/sift.ts/issues",
      repository: { type: "git", url: "git+https://github.com/someone/sift.ts.git", directory: "pkg" },
      name: "toolsift",
    },
  );
  assert.equal(inPackage(filled, "pkg", addresses), filled);
  assert.equal(inPackage(filled, "pkg", undefined), bare);
  const crate = inCrate(read("Cargo.toml"), addresses);
  assert.match(crate, /^license = .*\nrepository = "https:\/\/github\.com\/someone\/sift\.ts"\nhomepage = ".*#readme"\n/m);
  assert.equal(inCrate(crate, addresses), crate);
  assert.equal(inCrate(crate, undefined), inCrate(read("Cargo.toml"), undefined));
  assert.equal(addressesOf({ ...PROJECT, repository: null }), undefined);
  assert.throws(
    () => addressesOf({ ...PROJECT, repository: "git@github.com:a/b" }),
    /"git@github\.com:a\/b"; https:\/\/github\.com\/OWNER\/NAME is wanted/,
  );
});

test("the page of a package links to the files of its version", () => {
  const page = "[guide](docs/guide.md#a) and [web](https://example.com) and [here](#b)\n```js\na[0](b.c)\n```\n[x](y.md)\n";
  const shown = forPackagePage(page, "1.2.3", PROJECT);
  const base = "https://github.com/someone/sift.ts/blob/v1.2.3";
  assert.equal(
    shown,
    `[guide](${base}/docs/guide.md#a) and [web](https://example.com) and [here](#b)\n\`\`\`js\na[0](b.c)\n\`\`\`\n[x](${base}/y.md)\n`,
  );
  assert.equal(forPackagePage(page, "1.2.3", { ...PROJECT, repository: null }), page);
});

test("the third-party licences are those of what is compiled in", async () => {
  assert.ok(await licensesAreListed(), "npm run licenses -- --update");
  assert.deepEqual(taken("Unlicense OR MIT"), ["MIT"]);
  assert.deepEqual(taken("Zlib"), ["Zlib"]);
  assert.deepEqual(taken("(MIT OR Apache-2.0) AND Unicode-3.0"), ["MIT", "Unicode-3.0"]);
  assert.throws(
    () => taken("GPL-3.0-only"),
    /GPL-3\.0-only: none of the licences that may be packed, MIT, Zlib, Unicode-3\.0/,
  );
});

test("only the workflow publishes, and only the tag of the version", async () => {
  const workflow = { GITHUB_ACTIONS: "true", ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example" };
  assert.equal(mayPublish({ ...workflow, GITHUB_REF: "refs/tags/v1.2.3" }, "1.2.3"), undefined);
  assert.match(mayPublish({}, "1.2.3"), /only \.github\/workflows\/release\.yml publishes/);
  assert.match(mayPublish({ GITHUB_ACTIONS: "true" }, "1.2.3"), /only/);
  assert.match(
    mayPublish({ ...workflow, GITHUB_REF: "refs/heads/main" }, "1.2.3"),
    /this is refs\/heads\/main; version 1\.2\.3 is published from the tag v1\.2\.3/,
  );
  const refused = await command("--publish");
  assert.equal(refused.code, 1);
  assert.match(refused.output, /only \.github\/workflows\/release\.yml publishes: push the tag/);
  for (const args of [[], ["--dry-run", "--publish"]]) {
    const unclear = await command(...args);
    assert.equal(unclear.code, 1);
    assert.match(unclear.output, /one of --dry-run, --metadata and --publish is wanted/);
  }
  assert.equal((await command("--dry")).code, 2);
});

test("every check says something of a release that is not ready, or nothing", async () => {
  const byTitle = Object.fromEntries(BEFORE.map(({ title, run }) => [title, run]));
  const { problem } = await byTitle["the addresses of the project"]();
  if (problem !== undefined)
    assert.match(
      problem,
      /^the repository is not filled in: scripts\/lib\/release\/project\.mjs, then npm run release -- --metadata$/,
    );
  assert.deepEqual(await byTitle["third-party licences"](), { problem: undefined });
  assert.deepEqual(await byTitle["the files of the crate"](), { problem: undefined });
  for (const title of ["cargo deny", "cargo semver-checks"]) assert.ok(byTitle[title], title);
});

test("builds are compared file by file", () => {
  const of = (files) => new Map(Object.entries(files));
  assert.deepEqual(differing(of({ a: "1", b: "2" }), of({ b: "2", a: "1" })), []);
  assert.deepEqual(differing(of({ a: "1", b: "2" }), of({ b: "3", c: "1" })), ["a", "b", "c"]);
  const hash = hashesOf(at(".github", "ISSUE_TEMPLATE")).get("config.yml");
  assert.equal(
    hash,
    createHash("sha256")
      .update(readFileSync(at(".github", "ISSUE_TEMPLATE", "config.yml")))
      .digest("hex"),
  );
});
