/** Runs the programs of the README, and compares their output with the output shown there. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { transform } from "esbuild";
import { scratch } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { realServer } from "../../scripts/lib/real-server.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { MCP } from "../adapters/lib/doorway.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { install } from "./installed.mjs";

const README = readFileSync(at("README.md"), "utf8");

/** The code blocks of a language on a page, in their order. */
const blocks = (page, language) => {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
};

/** A folder with an `npx` that starts the servers of this repository, since there is no network. */
function npx() {
  const folder = mkdtempSync(join(scratch(), "npx-"));
  const cases = ["filesystem", "memory", "github"].map((name) => {
    return `@modelcontextprotocol/server-${name}) exec ${process.execPath} ${realServer(name)} "$@" ;;`;
  });
  const script = `#!/bin/sh\nshift\nname=$1\nshift\ncase $name in\n${cases.join("\n")}\nesac\nexit 9\n`;
  writeFileSync(join(folder, "npx"), script, { mode: 0o755 });
  return folder;
}

test("the Quickstart searches, loads and calls as it shows", { skip: process.platform === "win32" }, async (t) => {
  const { folder } = await appWith({ ai: "ai-7", "@ai-sdk/openai": "@ai-sdk/openai-4", ...MCP });
  const [program] = blocks(README, "ts");
  const [shown] = blocks(README, "text");
  const home = mkdtempSync(join(scratch(), "quickstart-"));
  writeFileSync(join(home, "README.md"), "one\ntwo\nthree\n");
  const said = { query: /^searched: (.*)$/m.exec(shown)[1], text: shown.trim().split("\n").at(-1) };
  const replies = [
    { calls: [{ name: "search_tools", args: { query: said.query } }] },
    { calls: [{ name: /^called: (.*)$/m.exec(shown)[1], args: { path: join(home, "README.md") } }] },
    { text: said.text },
  ];
  const vendor = await startVendor(chat, (_, step) => replies[step - 1]);
  t.onTestFinished(() => vendor.close());
  const { code } = await transform(program, { loader: "ts" });
  const file = join(folder, "quickstart.mjs");
  writeFileSync(file, code);
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${vendor.url}/v1` };
  const { stdout } = await node(file, [], { cwd: home, env: { ...env, PATH: `${npx()}${delimiter}${process.env.PATH}` } });
  assert.equal(stdout.trim(), shown.trim());
  assert.equal(vendor.requests[0].tools.length, 3, "no tool of a server");
  assert.match(vendor.requests[2].answers.at(-1), /one.*two.*three/s, "the tool has read the file");
});

test("the first example prints what is shown", async () => {
  const { app } = await install();
  copyFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), join(app, "tools.json"));
  writeFileSync(join(app, "readme.mjs"), blocks(README, "js")[0]);
  const { stdout } = await node("readme.mjs", [], { cwd: app });
  assert.equal(stdout.trim(), blocks(README, "text")[1].trim());
});
