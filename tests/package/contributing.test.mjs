/**
 * Does CONTRIBUTING.md lead somewhere?
 *
 * 1. Every path that it names exists, and so does every npm script and every check.
 * 2. Names that are written out in several files are those of the core: whoever adds a profile, a ranker or a format is
 *    told which file is missing.
 * 3. An adapter, which is a folder of pkg/src/adapters, has all its places; so has every example. One test for each place,
 *    in the order of CONTRIBUTING.md: whoever adds an adapter makes them pass one after the other.
 * 4. No line of an adapter, of an example or of what the adapters' tests share is too long.
 * 5. What the issue templates ask for can be run, and each is a form that GitHub takes.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { parseDocument } from "yaml";
import { CHECKS } from "../../scripts/lib/checks.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { ADAPTER_PLACES, ADAPTERS, EXAMPLE_PLACES, EXAMPLES } from "./adapter-places.mjs";

const read = (path) => readFileSync(at(path), "utf8");
const TEXT = read("CONTRIBUTING.md");
const { scripts } = JSON.parse(read("package.json"));

test("every path exists", () => {
  const code = [...TEXT.replaceAll(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);
  const paths = code.filter((text) => /^[.\w/-]+\/[\w./-]*$/.test(text));
  assert.ok(paths.length > 40, `${paths.length} paths`);
  const dead = paths.filter((path) => !existsSync(at(path)));
  assert.deepEqual(dead, []);
});

test("every command exists", () => {
  const named = [...TEXT.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name);
  assert.ok(named.length > 4);
  const unknown = named.filter((name) => scripts[name] === undefined);
  assert.deepEqual(unknown, []);
  const checks = CHECKS.map(({ name }) => name);
  const only = [...TEXT.matchAll(/--only ([\w,-]+)/g)].flatMap(([, list]) => list.split(","));
  assert.ok(only.length > 1);
  const unchecked = only.filter((name) => !checks.includes(name));
  assert.deepEqual(unchecked, []);
});

/** All quoted words of the part of a file that a pattern finds. */
function quoted(path, pattern) {
  const part = pattern.exec(read(path))?.[0];
  assert.ok(part, `${path} has ${pattern}`);
  return [...part.matchAll(/"([\w-]+)"/g)].map(([, word]) => word).sort();
}

test("profiles are the same wherever their names are written out", () => {
  const names = [...read("src/profile/table.rs").matchAll(/^ {8}name: "([\w-]+)"/gm)].map(([, name]) => name).sort();
  assert.ok(names.length > 5);
  for (const [path, pattern] of [
    ["pkg/src/types/settings.ts", /type ProfileName = [^;]*;/],
    ["cli/src/commands/mcp.ts", /const PROFILES = [^;]*;/],
    ["scripts/runtimes/script/steps.mjs", /const PROFILES = [^;]*;/],
  ]) {
    assert.deepEqual(quoted(path, pattern), names, path);
  }
});

test("rankers are the same wherever their names are written out", () => {
  const names = quoted("src/search/settings.rs", /ALL: &\[\(&str, Ranker\)\] = [^;]*;/);
  assert.ok(names.length > 4);
  for (const [path, pattern] of [
    ["pkg/src/types/ranking.ts", /type Ranker =.*?";/s],
    ["cli/src/commands/options.ts", /const RANKERS: [^;]*;/],
  ]) {
    assert.deepEqual(quoted(path, pattern), names, path);
  }
  const [row] = /^\| search \| `search` \| .*$/m.exec(read("docs/profiles.md"));
  for (const name of names) assert.ok(row.includes(`\`${name}\``), `docs/profiles.md has ${name}`);
  const [, stages] = /pub enum Stage \{(.*?)^\}/ms.exec(read("src/search/hit.rs"));
  const variants = [...stages.matchAll(/^ {4}(\w+),/gm)].map(([, name]) => name.toLowerCase()).sort();
  assert.deepEqual(quoted("pkg/src/types/search.ts", /^ {2}stage: [^;]*;/m), variants);
});

/** The variants of `Format` that the part of a file has which a pattern finds, or the whole file. */
function variants(path, pattern = /[^]*/) {
  const [part] = pattern.exec(read(path)) ?? assert.fail(`${path} has ${pattern}`);
  return [...new Set([...part.matchAll(/Format::([A-Z]\w*[a-z]\w*)/g)].map(([, name]) => name))].sort();
}

test("formats are the same wherever their names are written out", () => {
  const wire = "src/assembly/wire.rs";
  const [, body] = /pub enum Format \{(.*?)^\}/ms.exec(read(wire));
  const formats = [...body.matchAll(/^ {4}(\w+),/gm)].map(([, name]) => name).sort();
  const all = /ALL: &\[\(&str, Format\)\] = [^;]*;/;
  assert.deepEqual(variants(wire, all), formats, `${wire}: Format::ALL has every variant`);
  const tried = variants("tests/conversation.rs", /const FORMATS: [^=]*=[^;]*;/);
  assert.deepEqual(tried, formats, "tests/conversation.rs: FORMATS");
  const written = variants("tests/catalog.rs", /fn every_format_is_written.*?^\}/ms);
  assert.deepEqual(written, formats, "tests/catalog.rs: every_format_is_written_as_the_vendor_wants_it");
  const names = quoted(wire, all);
  assert.equal(names.length, formats.length, `${wire}: Format::ALL has one name for each variant`);
  assert.ok(names.length > 5);
  const [, tools] = /export interface WireTools \{(.*?)^\}/ms.exec(read("pkg/src/types/wire.ts"));
  const typed = [...tools.matchAll(/^ {2}"?([\w-]+)"?:/gm)].map(([, name]) => name).sort();
  assert.deepEqual(typed, names, "pkg/src/types/wire.ts: WireTools");
  for (const path of [
    "cli/src/commands/size.ts",
    "tests/fuzz_of/script.rs",
    "tests/package/shapes.test.mjs",
    "tests/adapters/read-on.test.mjs",
    "tests/cli/commands.test.mjs",
    "tests/browser/conversation.test.mjs",
  ]) {
    assert.deepEqual(quoted(path, /\[[^[\]]*"openai-responses"[^[\]]*\]/), names, `${path}: the list of formats`);
  }
  const own = read("docs/adapters/your-own.md");
  const cli = /^`--format` is .*?\./ms.exec(read("docs/cli.md"))[0];
  for (const name of names) {
    assert.ok(own.includes(`\`"${name}"\``), `docs/adapters/your-own.md has the format "${name}"`);
    assert.ok(cli.includes(`\`${name}\``), `docs/cli.md has the format ${name} under --format`);
  }
});

test("there are adapters, and every entry of one has its folder", () => {
  assert.ok(ADAPTERS.length > 8 && EXAMPLES.length > 9);
  const { exports } = JSON.parse(read("pkg/package.json"));
  const entries = Object.entries(exports).filter(([, target]) => target.import?.default.startsWith("./dist/adapters/"));
  const without = entries.filter(([name]) => !ADAPTERS.includes(name.slice(2))).map(([name]) => name);
  assert.deepEqual(without, [], "pkg/package.json: exports without a folder in pkg/src/adapters");
});

for (const [what, all, places] of [
  ["adapter", ADAPTERS, ADAPTER_PLACES],
  ["example", EXAMPLES, EXAMPLE_PLACES],
]) {
  for (const { file, lacks, without = {} } of places) {
    test(`every ${what} is in ${file}`, () => {
      const missing = all.filter((name) => !Object.hasOwn(without, name)).flatMap(lacks);
      assert.ok(missing.length === 0, missing.map((lack) => `${file}: ${lack}`).join("\n"));
      const needless = Object.keys(without).filter((name) => !all.includes(name) || lacks(name).length === 0);
      assert.deepEqual(needless, [], `${file}: exceptions in tests/package/adapter-places.mjs that nothing needs`);
    });
  }
}

/** Characters that a line may have. */
const MOST_CHARS = 125;

test("no line of an adapter, of an example or of tests/adapters/lib is too long", () => {
  const folders = ["pkg/src/adapters", "examples/adapters", "tests/adapters/lib"];
  const files = folders.flatMap((folder) => readdirSync(at(folder), { recursive: true }).map((name) => `${folder}/${name}`));
  const modules = files.filter((path) => /\.(ts|mjs)$/.test(path));
  assert.ok(modules.length > 100, `${modules.length} files`);
  const long = modules.flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap(({ length }, at) => (length > MOST_CHARS ? [`${path}:${at + 1}: ${length} characters`] : [])),
  );
  assert.ok(long.length === 0, `${long.join("\n")}\nat most ${MOST_CHARS} in a line`);
});

test("the issue templates are forms, and ask for what can be run", () => {
  const folder = at(".github", "ISSUE_TEMPLATE");
  const forms = readdirSync(folder).filter((name) => name !== "config.yml");
  assert.deepEqual(forms.sort(), ["bug.yml", "feature.yml", "tool-not-found.yml"]);
  for (const name of [...forms, "config.yml"]) {
    const document = parseDocument(readFileSync(at(".github", "ISSUE_TEMPLATE", name), "utf8"));
    assert.deepEqual(document.errors, [], name);
    if (name === "config.yml") continue;
    const { name: title, description, body } = document.toJS();
    assert.ok(title && description && body.length > 0, name);
    const ids = body.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `${name}: each field has an id of its own`);
    for (const { type, attributes } of body) {
      assert.ok(["input", "textarea", "checkboxes"].includes(type), `${name}: ${type}`);
      assert.ok(attributes.label, name);
    }
  }
  const commands = readdirSync(at("cli", "src", "commands"));
  assert.ok(commands.includes("explain.ts"), "npx toolsift explain");
});
