/**
 * Do the programs of the README and of docs/guide.md do what these pages say? They are taken from the page and run.
 *
 * 1. The first example prints what the README shows below it. 2. The first program of the guide prints what its comment says.
 * 3. The step of a loop of one's own answers every kind of call.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install } from "./installed.mjs";
import { ToolSift } from "./refused.mjs";

const README = readFileSync(at("README.md"), "utf8");
const GUIDE = readFileSync(at("docs", "guide.md"), "utf8");

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
