/**
 * Does `npm run clients` know its clients, and does docs/proxy.md?
 *
 * 1. The table of docs/proxy.md has the clients and the versions that are pinned; `npm run clients -- --update` writes it.
 * 2. Each program exists and has at most thirty lines, and each file there is a program of the table or plays them.
 * 3. Its help says what it does; a client that is none is refused by name.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { rowsOf, withRows } from "../../scripts/lib/clients/docs.mjs";
import { CLIENTS } from "../../scripts/lib/clients/table.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

const MOST_LINES = 30;
const FOLDERS = { Python: ["python", "play.py"], JavaScript: ["javascript", "play.mjs"] };

test("docs/proxy.md has the pinned versions", () => {
  const page = readFileSync(at("docs", "proxy.md"), "utf8");
  assert.equal(page, withRows(page, rowsOf(CLIENTS)), "npm run clients -- --update writes the table");
  assert.match(page, /\| `litellm` \| Python \| \d/);
});

test("every program is there, and small", () => {
  for (const [language, [folder, player]] of Object.entries(FOLDERS)) {
    const wanted = CLIENTS.filter((row) => row.language === language).flatMap(({ program = [] }) => program);
    assert.deepEqual(readdirSync(at("scripts", "lib", "clients", folder)).sort(), [...wanted, player].sort());
    for (const name of wanted) {
      const lines = readFileSync(at("scripts", "lib", "clients", folder, name), "utf8")
        .trimEnd()
        .split("\n");
      assert.ok(lines.length <= MOST_LINES, `${name} has ${lines.length} lines`);
    }
  }
});

test("the help says what it does, and what is no client is refused", async () => {
  const command = (...args) => node(at("scripts", "clients.mjs"), args, { fails: false });
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run clients[^]*Plays real clients/);
  const unknown = await command("lite-llm");
  assert.equal(unknown.code, 1);
  assert.match(unknown.output, /lite-llm is none of openai, anthropic, litellm/);
});
