/**
 * The README and what moved from it into docs/, run.
 *
 * 1. The first example prints what the README shows below it. 2. The README is short, without its table of adapters. 3. The
 * first block and the step of the guide work. 4. The table of profiles is the one that the package returns. 5. The sizes and
 * savings that are stated are those of the build.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { capture } from "../../scripts/capture.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { measure } from "../../scripts/lib/prompt-cost.mjs";
import { install } from "./installed.mjs";
import { ToolSift } from "./refused.mjs";

const README = readFileSync(at("README.md"), "utf8");
const GUIDE = readFileSync(at("docs", "guide.md"), "utf8");
const PROFILES = readFileSync(at("docs", "profiles.md"), "utf8");
const ARCHITECTURE = readFileSync(at("docs", "architecture.md"), "utf8");

/** Lines of the README, without the rows of its table of adapters: another adapter makes it no worse to read. */
const MOST_LINES = 162;
const MOST_CHARS = 125;

/** The code blocks of a language on a page, in their order. */
const blocks = (page, language) => {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
};

test("the first example prints what is shown", async () => {
  const { app } = await install();
  copyFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), join(app, "tools.json"));
  writeFileSync(join(app, "readme.mjs"), blocks(README, "js")[0]);
  const { stdout } = await node("readme.mjs", [], { cwd: app });
  assert.equal(stdout.trim(), blocks(README, "text")[0].trim());
});

test("the README is short, and names the two commands", () => {
  const lines = README.trimEnd().split("\n");
  const [, adapters] = /^## Adapters\n[^]*?\n\|[-|]+\n((?:\|.*\n)+)/m.exec(README);
  const { length } = adapters.trimEnd().split("\n");
  const counted = lines.length - length;
  const beside = `beside the ${length} rows of adapters`;
  assert.ok(counted <= MOST_LINES, `README.md has ${counted} lines ${beside}; at most ${MOST_LINES}`);
  for (const [at, { length }] of lines.entries()) {
    assert.ok(length <= MOST_CHARS, `README.md:${at + 1} has ${length} characters; at most ${MOST_CHARS}`);
  }
  for (const command of ["npm start", "npm test"]) assert.ok(README.includes(`\`${command}\` `));
});

test("the first block of the guide is a program, and prints what it says", async () => {
  const { app } = await install();
  const [first] = blocks(GUIDE, "ts");
  writeFileSync(join(app, "guide.mjs"), first);
  const { stdout } = await node("guide.mjs", [], { cwd: app });
  assert.equal(stdout.trim(), /console\.log\(.*\); \/\/ (.*)$/m.exec(first)[1]);
});

test("the step of an agent's loop does what is said", async () => {
  const { app } = await install();
  const stepOfALoop = blocks(GUIDE, "js").find((code) => code.startsWith("async function step("));
  const clients = { s: { callTool: async ({ name, arguments: args }) => `${name} ran with ${JSON.stringify(args)}` } };
  writeFileSync(join(app, "step.mjs"), `let clients; export const use = (all) => (clients = all); export ${stepOfALoop}`);
  const { step, use } = await import(pathToFileURL(join(app, "step.mjs")).href);
  use(clients);
  const sift = new ToolSift({ activation: "on" });
  sift.register([{ name: "echo" }], { server: "s" });
  const chat = sift.session("s");
  assert.match(await step(chat, { name: "ehco" }), /Did you mean echo/);
  assert.match(await step(chat, { name: "search_tools", arguments: { query: "qqqq" } }), /No tool matches/);
  assert.match(await step(chat, { name: "echo", arguments: "{}" }), /was not loaded.*It is loaded now/);
  assert.equal(await step(chat, { name: "echo", arguments: '{"a":1}' }), 'echo ran with {"a":1}');
});

test("the table of profiles is the one that the package returns", async () => {
  const rows = ToolSift.profiles().map(
    ({ name, after, shows, search, reveal }) => `| \`${name}\` | ${after} | ${shows} | ${search.ranker} | ${reveal} |`,
  );
  const [, table] = /^\| profile \| after .*\n.*\n((?:\|.*\n)*)/m.exec(PROFILES);
  assert.deepEqual(table.trimEnd().split("\n"), rows);
});

test("the savings are those of the build", async () => {
  await capture();
  const catalogs = readCatalogs(at("www", "public", "captured"));
  for (const { name } of ToolSift.profiles()) {
    const row = PROFILES.split("\n").find((line) => line.startsWith(`| \`${name}\` |`) && /[0-9] %/.test(line));
    const stated = row
      ?.split("|")
      .slice(2, -1)
      .map((cell) => cell.trim());
    const { full, first, later, kept } = measure(ToolSift, name, catalogs);
    const number = (value) => value.toLocaleString("en-US");
    const share = (value) => `${(100 * value).toFixed(1)} %`.replace("-", "−");
    const cells = [
      number(full),
      number(first),
      share(1 - first / full),
      number(later),
      share(1 - later / full),
      share(kept),
    ];
    assert.deepEqual(stated, cells, name);
    if (name !== "sift") continue;
    const [, promise] = /tools cost \*\*(.*?)\*\*/s.exec(README);
    assert.deepEqual(promise.match(/\d[\d,]*/g), [number(full), number(first)]);
  }
});

test("the weight is that of the build", async () => {
  const wasm = readFileSync(join((await install()).home, "dist", "toolsift.wasm"));
  const actual = gzipSync(wasm, { level: 9 }).length / 1000;
  for (const page of [README, ARCHITECTURE]) {
    const stated = Number(/The wasm takes (\d+) KB compressed with gzip/.exec(page)?.[1]);
    assert.ok(Math.abs(stated - actual) <= 2, `${stated} KB stated, ${actual} KB built`);
  }
});
