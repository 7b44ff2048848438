/**
 * Tests the output and the storage of the trust commands: differences, the cache of definitions, the log and the counters.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { openFigures, readFigures } from "../../cli/src/gateway/figures.ts";
import { openLog } from "../../cli/src/gateway/log.ts";
import { openDefinitions } from "../../cli/src/trust/definitions.ts";
import { differenceOf } from "../../cli/src/trust/difference.ts";
import { at } from "../../scripts/lib/paths.mjs";
import { folder, program, toolsift } from "./command-line.mjs";

const newHome = () => join(folder(), "home");
const tool = (name, description, more) => ({ name, description, inputSchema: { type: "object" }, ...more });

const command = (name, home, ...args) => toolsift(["mcp", name, ...args], { env: { TOOLSIFT_HOME: home } });
const status = (...args) => command("status", ...args);

test("every part that is pinned shows in a difference", () => {
  const base = {
    ...tool("a", "d"),
    inputSchema: { type: "object", properties: { city: { type: "string" }, old: {} }, required: ["old"] },
    annotations: { readOnlyHint: true },
  };
  const shown = ({ kind, where, effects }) => `${kind} ${where}${effects ? " !" : ""}`;
  const of = (more) => differenceOf(base, { ...base, ...more }).map(shown);
  assert.deepEqual(of({}), []);
  const reordered = { required: ["old"], properties: { old: {}, city: { type: "string" } }, type: "object" };
  assert.deepEqual(of({ inputSchema: reordered }), []);
  const texts = { description: "e", title: "t", outputSchema: {} };
  assert.deepEqual(of(texts), ["changed description", "added title", "added outputSchema"]);
  assert.deepEqual(of({ annotations: { readOnlyHint: false, destructiveHint: true } }), [
    "changed annotations.readOnlyHint !",
    "added annotations.destructiveHint !",
  ]);
  assert.deepEqual(of({ _meta: { "anthropic/searchHint": "rain" } }), ["added _meta.anthropic/searchHint"]);
  assert.deepEqual(of({ _meta: { "ui/page": "ui://x" }, icons: [] }), ["added icons", "added _meta.ui/page"]);
  const before = { ...base, _meta: { "toolsift/search": { keywords: ["rain"] } } };
  const after = { ...base, _meta: { "toolsift/search": { keywords: ["rain", "money"] } } };
  assert.deepEqual(differenceOf(before, after).map(shown), ["changed _meta.toolsift/search.keywords"]);
  const properties = JSON.parse('{"city":{"type":"number"},"__proto__":{"type":"string"}}');
  assert.deepEqual(of({ inputSchema: { type: "object", properties, required: ["city"] } }), [
    "changed inputSchema.properties.city.type",
    "removed inputSchema.properties.old",
    "added inputSchema.properties.__proto__",
    "changed inputSchema.required",
  ]);
});

const definitions = (description = "d") => ({
  server: { name: "s", version: "1" },
  capabilities: {},
  tools: [tool("__proto__", description)],
  prompts: [],
  resources: [],
  resourceTemplates: [],
});

test("definitions are kept by how a server is started; what is damaged is ignored and written anew", async () => {
  const folder = join(newHome(), "definitions");
  const open = (token) => openDefinitions({ folder, configured: () => ({ command: "x", env: { TOKEN: token } }) });
  assert.equal(await open("one").read("s"), undefined);
  await open("one").write("s", definitions());
  assert.deepEqual(await open("one").read("s"), definitions());
  assert.equal(await open("two").read("s"), undefined);
  const [name] = readdirSync(folder);
  for (const text of ["", "{", "null", '{"form":2,"name":"s","definitions":{}}']) {
    writeFileSync(join(folder, name), text);
    assert.equal(await open("one").read("s"), undefined);
  }
  await open("one").write("s", definitions());
  assert.deepEqual(await open("one").read("s"), definitions());
  await open("one").write("s", definitions("x".repeat(33 * 2 ** 20)));
  assert.deepEqual(readdirSync(folder), []);
});

test("definitions of at most 200 servers are kept", async () => {
  const folder = join(newHome(), "definitions");
  const cache = openDefinitions({ folder });
  for (let at = 0; at < 203; at += 1) await cache.write(`s${at}`, definitions());
  assert.equal(readdirSync(folder).length, 200);
  assert.deepEqual(await cache.read("s202"), definitions());
});

test("the log hides control characters, rotates, and never throws", () => {
  const file = join(newHome(), "log.jsonl");
  const problems = [];
  const log = openLog(file, { onProblem: (message) => problems.push(message) });
  log({ event: "call", tool: "a\u202E\n", ms: 3, detail: undefined });
  const line = readFileSync(file, "utf8");
  assert.doesNotMatch(line, /\u202E/);
  const { time, ...rest } = JSON.parse(line);
  assert.ok(Date.parse(time) > 0);
  assert.deepEqual(rest, { event: "call", tool: "a\u202E\n", ms: 3 });
  for (let at = 0; at < 30; at += 1) openLog(file, { maxBytes: 2000 })({ event: "x".repeat(3_000) });
  assert.deepEqual(readdirSync(join(file, "..")).sort(), ["log.jsonl", "log.jsonl.1", "log.jsonl.2"]);
  for (const name of ["", ".1", ".2"]) assert.ok(statSync(file + name).size <= 2000);
  rmSync(file);
  mkdirSync(file);
  log({ event: "x" });
  log({ event: "x" });
  assert.equal(problems.length, 1);
});

test("counters of several processes add up, survive damage, and are shown and reset", async () => {
  const home = newHome();
  const code = `const { openFigures } = await import(${JSON.stringify(at("cli", "dist", "gateway", "figures.js"))});
    const figures = openFigures();
    figures.add({ lists: 1, tokensSaved: 1000, searches: { found: 1, empty: 1, followed: 1 } });
    const tools = ["__proto__", "a\\u001B"].map((tool) => ({ server: "s", tool, calls: 1, failed: +(tool === "__proto__"), ms: 10 }));
    const servers = [{ name: "s", error: "fetch\\u001B failed", at: "2026-11-29T01:02:03.000Z" }];
    figures.add({ errors: [{ kind: "server_down", count: 1 }], tools, servers });
    await figures.close();`;
  const once = () => program(code, [], { env: { TOOLSIFT_HOME: home } }).done;
  await Promise.all(Array.from({ length: 6 }, once));
  const file = join(home, "figures.json");
  const { since, ...totals } = await readFigures(file);
  assert.ok(Date.now() - Date.parse(since) < 60_000);
  assert.deepEqual(totals, {
    lists: 6,
    tokensSaved: 6000,
    searches: { found: 6, doubtful: 0, empty: 6, followed: 6 },
    tools: [
      { server: "s", tool: "__proto__", calls: 6, failed: 6, ms: 60 },
      { server: "s", tool: "a\u001B", calls: 6, failed: 0, ms: 60 },
    ],
    errors: [{ kind: "server_down", count: 6 }],
    servers: [{ name: "s", error: "fetch\u001B failed", at: "2026-11-29T01:02:03.000Z" }],
  });
  const shown = await status(home);
  assert.match(shown.stdout, /tool lists answered +6 {2}6,000 tokens saved/);
  assert.match(shown.stdout, /searches +12 {2}6 found, 0 doubtful, 6 empty; 6 led to a call/);
  assert.match(shown.stdout, /s:a\\u\{001B\} +6 {2}10 ms each/);
  assert.match(shown.stdout, /Not available\n {2}s +2026-11-29 01:02 UTC {2}fetch\\u\{001B\} failed/);
  assert.equal(JSON.parse((await status(home, "--json")).stdout).tokensSaved, 6000);
  assert.equal(JSON.parse((await status(home, "--reset", "--json")).stdout).tokensSaved, 0);
  writeFileSync(file, JSON.stringify({ ...totals, since, tokensSaved: -875 }));
  assert.match((await status(home)).stdout, /tool lists answered +6 {2}0 tokens saved/);
  assert.equal(JSON.parse((await status(home, "--json")).stdout).tokensSaved, 0);
  await openThen(file, (figures) => figures.add({ servers: [{ name: "s", error: "", at: "" }] }));
  assert.deepEqual(JSON.parse((await status(home, "--json")).stdout).servers, []);
  writeFileSync(file, "{");
  await once();
  assert.equal((await readFigures(file)).tokensSaved, 1000);
});

test("at most 1,000 tools are counted", async () => {
  const file = join(newHome(), "figures.json");
  const tools = Array.from({ length: 1500 }, (_, at) => ({ server: "s", tool: `t${at}`, calls: 1, failed: 0, ms: 1 }));
  await openThen(file, (figures) => figures.add({ tools }));
  assert.equal((await readFigures(file)).tools.length, 1000);
});

async function openThen(file, work) {
  const figures = openFigures(file);
  work(figures);
  await figures.close();
}
