/**
 * Does `npm run prompt-size -- --conversation` say what it measured?
 *
 * 1. Tables of all catalogs together and of each, within 120 columns, and in words where tool search costs more.
 * 2. `--json` has every request, and its figures add up, at the rates that were asked for.
 * 3. Turns are shown for the profile and the format that were asked for.
 * 4. A promise that is broken makes the exit code 1, after the tables.
 * 5. Input that cannot be right is refused with the place or the value, and nothing is printed.
 * 6. Without `--conversation`, what was there before is measured as before.
 * 7. With `--gateway`, tables of what is sent directly and through the gateway, and where the gateway costs more.
 */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { scriptOf } from "../scripts/lib/script.mjs";

const CATALOGS = at("tests", "simulate", "catalogs");
const PLAYERS = ["full", "sift", "search-add", "select", "select-load", "stub", "bridge", "constant"];
const FORMATS = ["anthropic", "openai", "openai-responses", "google"];

const home = mkdtempSync(join(tmpdir(), "toolsift-prompt-size-"));
after(() => rmSync(home, { recursive: true }));

const command = scriptOf("prompt-size.mjs");
const folder = (name, files) => {
  mkdirSync(join(home, name));
  for (const [file, content] of Object.entries(files)) writeFileSync(join(home, name, file), content);
  return join(home, name);
};

test("the tables", async () => {
  const { code, stdout, output } = await command(CATALOGS, "--conversation");
  assert.equal(code, 0, output);
  assert.ok(
    stdout.split("\n").every((line) => [...line].length <= 120),
    stdout,
  );
  assert.match(stdout, /10 turns about all 2: 3 tools, queries chosen from the tools/);
  for (const format of FORMATS) assert.match(stdout, new RegExp(`^${format} +requests`, "m"));
  assert.equal(stdout.match(/^everything in full +19 /gm).length, FORMATS.length);
  assert.match(stdout, /^sift .* costs [\d.]+ % more$/m);
  assert.match(stdout, /By itself, anthropic/);
  assert.match(
    stdout,
    /Eviction, sift, anthropic: all but 2 .*\n.*\nnever +0 .*\nonce, before turn 6 .*\nbefore every turn /,
  );
  const lines = [
    "costs more than sending everything:",
    "  all 2, 3 tools: every profile",
    "  garden, 1 tool: every profile",
  ];
  assert.ok(stdout.includes(lines.join("\n")), stdout);
  assert.doesNotMatch(stdout, /^ +turn /m);
});

test("the figures", async () => {
  const rates = "input=2,cached=1,write=4,output=0";
  const { code, stdout, stderr } = await command(CATALOGS, "--conversation", "--json", "--rates", rates);
  assert.equal(code, 0, stderr);
  const { rates: said, conversations, evictions } = JSON.parse(stdout);
  assert.deepEqual(said, { input: 2, cached: 1, write: 4, output: 0 });
  const sizes = conversations.map(({ catalog, tools }) => [catalog, tools]);
  assert.deepEqual(sizes, [
    ["all 2", 3],
    ["garden", 1],
    ["kitchen", 2],
  ]);
  const [all, garden] = conversations;
  const names = ({ runs }) => runs.map(({ profile, format }) => `${format} ${profile}`);
  assert.deepEqual(
    names(all),
    FORMATS.flatMap((format) => PLAYERS.map((player) => `${format} ${player}`)),
  );
  assert.deepEqual(
    names(garden),
    PLAYERS.map((player) => `anthropic ${player}`),
  );
  assert.equal(all.turns.length, 10);
  const sift = all.runs.find(({ profile, format }) => profile === "sift" && format === "anthropic");
  assert.deepEqual(evictions[0].total, sift.total);
  for (const { runs } of conversations) {
    for (const { format, total, requests, turns, saved } of runs) {
      const full = runs.find((run) => run.profile === "full" && run.format === format).total;
      const sum = (rows, key) => rows.reduce((all, row) => all + row[key], 0);
      for (const key of ["tokens", "cached", "fresh", "output", "again"]) {
        assert.equal(total[key], sum(requests, key));
        assert.equal(total[key], sum(turns, key));
      }
      const price = (total.cached + (format === "anthropic" ? 4 : 2) * total.fresh) / 1e6;
      assert.ok(Math.abs(total.price - price) < 1e-9);
      assert.ok(Math.abs(saved - (1 - total.price / full.price)) < 1e-9);
    }
  }
});

test("free of charge, nothing is saved and nothing costs more", async () => {
  const { code, stdout } = await command(CATALOGS, "--conversation", "--rates", "input=0,cached=0,write=0,output=0");
  assert.equal(code, 0);
  assert.match(stdout, /^sift .* the same$/m);
  assert.match(stdout, /Nowhere does tool search cost more than sending everything/);
});

test("turn by turn", async () => {
  const tables = async (...args) => {
    const { code, stdout, output } = await command(CATALOGS, "--conversation", ...args);
    assert.equal(code, 0, output);
    assert.ok(
      stdout.split("\n").every((line) => [...line].length <= 120),
      stdout,
    );
    const found = stdout.matchAll(/^(.+), all 2\n {2}turn .*((?:\n.*){10})/gm);
    return [...found].map(([, title, rows]) => [title, rows.trim().split("\n")]);
  };
  const [[title, rows], ...others] = await tables("--profile", "sift", "--format", "google");
  assert.deepEqual([title, others], ["sift, google", []]);
  const kinds = rows.map((row) => /^ *(\d+) {2}(\D+?) {2,}/.exec(row).slice(1).join(" "));
  const [fresh, again] = ["a new tool", "a tool again"];
  const expected = [fresh, fresh, again, "two tools", again, "no such tool", fresh, again, fresh, again];
  assert.deepEqual(
    kinds,
    expected.map((kind, turn) => `${turn + 1} ${kind}`),
  );
  assert.equal((await tables("--profile", "full")).length, FORMATS.length);
  assert.equal((await tables("--format", "openai")).length, PLAYERS.length);
  assert.equal((await tables("--turns")).length, FORMATS.length * PLAYERS.length);
});

test("the ledger of the gateway", async () => {
  const { code, stdout, output } = await command(CATALOGS, "--conversation", "--gateway");
  assert.equal(code, 0, output);
  assert.ok(
    stdout.split("\n").every((line) => [...line].length <= 120),
    stdout,
  );
  assert.match(stdout, /10 turns about all 2: 3 tools, directly and through the gateway/);
  for (const format of FORMATS) assert.match(stdout, new RegExp(`^${format} +per request`, "m"));
  assert.match(stdout, /^kitchen +2 .* passes +\+[\d.]+ % +\+[\d.]+ %$/m);
  assert.match(stdout, /Nowhere does the gateway \(auto\) cost more than all tools directly/);
  assert.match(stdout, /The gateway \(always on\) costs more .*:\n {2}all 2, 3 tools, [\w-]+: [\d.]+ % more; its own/);

  const { stdout: json } = await command(CATALOGS, "--conversation", "--gateway", "--json", "--format", "google");
  const { ledgers } = JSON.parse(json);
  assert.deepEqual(
    ledgers.map(({ catalog, tools }) => [catalog, tools]),
    [
      ["all 2", 3],
      ["garden", 1],
      ["kitchen", 2],
    ],
  );
  for (const { runs } of ledgers) {
    for (const { variant, format, total, requests, does, saved } of runs) {
      const direct = runs.find((run) => run.variant === "direct" && run.format === format).total;
      assert.equal(requests.length, total.requests);
      assert.equal(does.search + does.load + does.call + does.answer, total.requests);
      assert.equal(
        total.tokens,
        requests.reduce((sum, { tokens }) => sum + tokens, 0),
      );
      assert.ok(Math.abs(saved - (1 - total.price / direct.price)) < 1e-9, variant);
    }
  }
  assert.deepEqual(new Set(ledgers[1].runs.map(({ format }) => format)), new Set(["google"]));
});

test("a broken promise", async () => {
  const module = (...parts) => JSON.stringify(pathToFileURL(at(...parts)).href);
  const path = join(home, "broken.mjs");
  writeFileSync(
    path,
    `import { ToolSift } from ${module("pkg", "dist", "index.js")};
    import { readCatalogs } from ${module("scripts", "lib", "catalogs.mjs")};
    import { conversationOf, runConversation } from ${module("scripts", "lib", "conversation", "command.mjs")};
    import { main } from ${module("scripts", "lib", "progress.mjs")};
    class Broken extends ToolSift {
      session() {
        const session = super.session("s");
        const assemble = session.assemble.bind(session);
        session.assemble = (options) => ({ ...assemble(options), systemPrompt: String(Math.random()) });
        return session;
      }
    }
    const folder = ${JSON.stringify(CATALOGS)};
    await main(() => runConversation(Broken, readCatalogs(folder), conversationOf({ conversation: true, folder })));`,
  );
  const { code, stdout, stderr } = await node(path, [], { fails: false });
  assert.equal(code, 1);
  assert.match(stdout, /everything in full/);
  assert.match(stderr, /sift must append only, but request 2 \(turn 1\) of all 2 in anthropic changes .*: system/);
});

test("bad input", async () => {
  const torn = folder("torn", { "a.json": '{"tools": [' });
  const hollow = folder("hollow", { "a.json": "{}", "b.txt": "[]" });
  const odd = folder("odd", { "a.json": '{"tools": [1, {"name": ""}]}' });
  const cases = [
    [[join(home, "nowhere"), "--conversation"], 1, /nowhere cannot be read/],
    [[torn, "--conversation"], 1, /a\.json is no JSON/],
    [[hollow, "--conversation"], 1, /holds no JSON file with a list of tools/],
    [[odd, "--conversation"], 1, /a: there is no tool that can be registered/],
    [[CATALOGS, "--conversation", "--rates", "input=-1"], 1, /input must be a number from 0 to 1000000/],
    [[CATALOGS, "--conversation", "--rates", "cached=NaN"], 1, /cached must be a number/],
    [[CATALOGS, "--conversation", "--rates", "ttl=5"], 1, /there is no rate "ttl"; there are input, cached, write, output/],
    [[CATALOGS, "--conversation", "--format", "mcp"], 1, /--format mcp: it must be one of anthropic, openai/],
    [[CATALOGS, "--conversation", "--profile", "shift"], 1, /--profile shift: it must be one of full, sift/],
    [[CATALOGS, "--rates", "input=1"], 1, /--rates says something of a conversation: it needs --conversation/],
    [[CATALOGS, "--turns"], 1, /--turns says something/],
    [[CATALOGS, "--gateway"], 1, /--gateway says something of a conversation/],
    [[CATALOGS, "--conversation", "--gateway", "--profile", "sift"], 1, /--profile says .* not together with --gateway/],
    [[odd, "--conversation", "--gateway"], 1, /a: there is no tool that can be registered/],
    [[CATALOGS, "--conversations"], 2, /--conversations/],
    [[CATALOGS, CATALOGS, "--conversation"], 2, /one folder at a time/],
  ];
  for (const [args, status, message] of cases) {
    const { code, stdout, stderr } = await command(...args);
    assert.equal(code, status, args.join(" "));
    assert.match(stderr, message);
    assert.doesNotMatch(stdout, /turns about|tokens/, args.join(" "));
  }
  const help = await command("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run prompt-size[\s\S]*--rates K=V/);
  assert.ok(
    help.stdout.split("\n").every((line) => [...line].length <= 120),
    help.stdout,
  );
});

test("a catalog without tools beside others is passed over by itself", async () => {
  const tools = '[{"name": "ring_bell", "description": "Rings the bell.", "inputSchema": {"type": "object"}}]';
  const path = folder("mixed", { "a.json": "[1]", "b.json": tools });
  const { code, stdout, stderr } = await command(path, "--conversation", "--json");
  assert.equal(code, 0, stderr);
  const { conversations } = JSON.parse(stdout);
  assert.deepEqual(
    conversations.map(({ catalog, tools }) => [catalog, tools]),
    [
      ["all 2", 1],
      ["b", 1],
    ],
  );
});

test("a name of a file cannot write to the terminal", async () => {
  const tools = '[{"name": "ring_bell", "description": "Rings the bell."}]';
  const path = folder("escape", { "a\u001b[31mb.json": tools, "c.json": tools });
  for (const args of [[path], [path, "--profile", "sift"]]) {
    const { code, stdout, stderr } = await command(...args, "--conversation");
    assert.equal(code, 0, stderr);
    assert.ok(!stdout.includes("\u001b") && stdout.includes("a [31mb"), stdout);
  }
});

test("without a conversation", async () => {
  const { code, stdout, stderr } = await command(CATALOGS, "--json");
  assert.equal(code, 0, stderr);
  const { rows } = JSON.parse(stdout);
  assert.deepEqual([...new Set(rows.map(({ catalog }) => catalog))], ["garden", "kitchen", "all 2"]);
});
