/** Tests `toolsift/packs` as installed: extra search words for the tools of well-known servers. */

import assert from "node:assert/strict";
import { mkdtempSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { build } from "esbuild";
import { scratch } from "../../scripts/lib/installed.mjs";
import { startServers } from "../../scripts/servers.mjs";
import { valuesOf } from "../cli/command-line.mjs";
import { install, linkTree, runProgram } from "./installed.mjs";

const { languages, packs, packsFor, translations } = await import("toolsift/packs");
const { ToolSift } = await import("toolsift");
const real = await startServers();
afterAll(() => real.close());
assert.deepEqual(real.failed, []);
const toolsOf = (server) => real.servers.find(({ name }) => name === server).tools;
const [issue] = toolsOf("github").filter(({ name }) => name === "create_issue");

/** How many of some tools get words, and which are stale, by the core. */
function enriched(tools, entries, options = {}) {
  const sift = new ToolSift();
  const { enrichment, rejected } = sift.register(tools, { names: "alias", ...options, enrichment: entries });
  assert.deepEqual(rejected, []);
  sift.dispose();
  return enrichment;
}

test("the tools of real servers get the words of their packs", async () => {
  for (const { name, tools } of real.servers) {
    const found = await packsFor(tools);
    assert.deepEqual(found.problems, []);
    assert.deepEqual(
      found.packs.map((pack) => [pack.name, pack.matched]),
      [[name, tools.length]],
      name,
    );
    assert.equal(found.entries.length, tools.length);
    assert.deepEqual(enriched(tools, found.entries, { server: name }), { enriched: tools.length, stale: [] });
  }
  const all = real.servers.flatMap(({ tools }) => tools);
  const found = await packsFor(all);
  assert.deepEqual(valuesOf(found.packs, "name"), real.servers.map(({ name }) => name).sort());
  assert.equal(found.entries.length, all.length);
});

const { name, description, inputSchema } = issue;
const SHAPES = {
  MCP: issue,
  Anthropic: { name, description, input_schema: inputSchema },
  "OpenAI Responses": { type: "function", name, description, parameters: inputSchema },
  "OpenAI Chat Completions": { type: "function", function: { name, description, parameters: inputSchema } },
  Google: { functionDeclarations: [{ name, description, parametersJsonSchema: inputSchema }] },
  "with a prefix": { ...issue, name: `github__${name}` },
  "with two prefixes": { ...issue, name: `mcp__github__${name}` },
  "with other white space": { ...issue, description: `\n ${description.replaceAll(" ", "\u2003\t\u0085")} ` },
};

for (const [shape, tool] of Object.entries(SHAPES)) {
  test(`a definition of ${shape}`, async () => {
    for (const given of [tool, [tool], { tools: [tool] }]) {
      const { entries, packs } = await packsFor(given);
      assert.deepEqual(packs, [{ name: "github", matched: 1, tools: 26 }]);
      assert.equal(entries.length, 1);
      for (const server of ["github", "another", undefined]) {
        const report = enriched([tool], entries, server === undefined ? {} : { server });
        assert.deepEqual(report, { enriched: 1, stale: [] }, server);
      }
    }
  });
}

test("what is described otherwise gets nothing, and is not stale beside a tool that gets words", async () => {
  const others = [
    { ...issue, description: `${description}.` },
    { ...issue, description: description.toUpperCase() },
    { ...issue, name: "create_issues" },
    { ...issue, description: undefined },
    { name },
  ];
  for (const tool of others) {
    assert.deepEqual(await packsFor([tool]), { entries: [], packs: [], problems: [] });
    const { entries } = await packsFor([issue]);
    assert.deepEqual(enriched([tool], entries, { server: "mine" }), { enriched: 0, stale: [] });
  }
});

test("tools of a newer version keep their words, where three and half are called as the pack's", async () => {
  const tools = toolsOf("github").map((tool) => ({ ...tool, description: `${tool.description} Since version 2.` }));
  const { packs, entries } = await packsFor(tools);
  assert.deepEqual(packs, [{ name: "github", matched: 26, tools: 26 }]);
  assert.deepEqual(enriched(tools, entries, { server: "github" }), { enriched: 26, stale: [] });
  const prefixed = { ...tools[2], name: `mcp__github__${tools[2].name}` };
  const bakery = Array.from({ length: 20 }, (_, at) => ({ name: `bake_${at}`, description: "Bakes bread." }));
  const matchedOf = async (list) => (await packsFor(list)).packs.map(({ name, matched }) => [name, matched]);
  assert.deepEqual(await matchedOf([tools[0], tools[1], prefixed, ...bakery.slice(17)]), [["github", 3]]);
  // Half of the pack is there.
  assert.deepEqual(await matchedOf([...tools.slice(0, 13), ...bakery]), [["github", 13]]);
  // Nobody's: too few tools are called as the server's, or less than half.
  assert.deepEqual(await matchedOf(tools.slice(0, 2)), []);
  assert.deepEqual(await matchedOf([tools[0], tools[1], prefixed, ...bakery.slice(16)]), []);
  // Known by its definition, one gets words all the same, and no other by its name.
  assert.deepEqual(await matchedOf([toolsOf("github")[0], tools[1]]), [["github", 1]]);
});

test("only packs of which a tool is there are loaded, in both module kinds", async () => {
  const program = (load) => `
    const loaded = () => Object.getOwnPropertySymbols(globalThis)
      .map(({ description }) => /^toolsift\\.pack\\.(.*)\\.[0-9a-f]{8}$/.exec(description)?.[1])
      .filter((name) => name !== undefined);
    ${load}.then(async ({ packs, packsFor }) => {
      const told = [packs().length, loaded()];
      const none = await packsFor([{ name: "nobody_knows", description: "a tool of mine" }]);
      told.push(none, loaded());
      const some = await packsFor(${JSON.stringify([issue])});
      told.push(some.packs, loaded());
      console.log(JSON.stringify(told));
    });`;
  const empty = { entries: [], packs: [], problems: [] };
  const expected = [packs().length, [], empty, [], [{ name: "github", matched: 1, tools: 26 }], ["github"]];
  assert.deepEqual(await runProgram("packs.mjs", program('import("toolsift/packs")')), expected);
  assert.deepEqual(await runProgram("packs.cjs", program('Promise.resolve(require("toolsift/packs"))')), expected);
});

test("what people say for the words of tools is found in seven languages, where the tables are given or a door opens", async () => {
  assert.deepEqual(languages(), ["de", "en", "es", "fr", "ja", "pt", "zh"]);
  await assert.rejects(translations(["xx"]), { code: "option_invalid", message: /no table of xx; there are de, en/ });
  const tools = [
    { name: "create_invoice", description: "Makes one." },
    { name: "restart_server", description: "Stops it and begins anew." },
    { name: "list_contacts", description: "All of them." },
  ];
  const first = (sift, query) => {
    const session = sift.session("chat");
    const { content } = session.call("search_tools", { query });
    session.close();
    return content.match(/^- (\w+)\(/m)?.[1];
  };
  const cases = [
    ["recycle it", 1],
    ["look into the rolodex", 2],
    ["leg mir bitte eine Rechnung an", 0],
    ["reinicia la máquina", 1],
    ["il faut redémarrer", 1],
    ["請求書を作成してほしい", 0],
    ["cria uma fatura", 0],
    ["重启一下", 1],
  ];
  const { toolsift } = await import("toolsift/openai");
  const own = Object.fromEntries(
    tools.map(({ name, ...tool }) => [name, { ...tool, inputSchema: { type: "object" }, execute: () => "" }]),
  );
  const opened = (options) => toolsift({ tools: own, activation: "on", ...options });
  const doors = [await opened({}), await opened({ packs: false }), await opened({ translations: "box contacts" })];
  const given = new ToolSift({ activation: "on", translations: await translations() });
  given.register(tools);
  for (const [query, at] of cases) {
    const found = [given, ...doors].map((sift) => first(sift, query));
    const { name } = tools[at];
    assert.deepEqual(found.slice(0, 2), [name, name], query);
    assert.notEqual(found[2], name, `${query}, without packs`);
  }
  assert.equal(first(doors[2], "the box"), "list_contacts", "the host's own table takes the place of ours");
  for (const door of doors) await door.close();
});

test("what is no tool is left out", async () => {
  const junk = [
    ...[null, undefined, 5, "text", true, Symbol("x"), 10n, () => {}, [], [issue], {}],
    ...[{ name: 5 }, { name, description: 5 }, { name, description: {} }, { function: null }],
    ...[{ functionDeclarations: [null] }, { name: "" }],
    ...[{ name: "__" }, { name: "__".repeat(30_000) }, { name, description: `${description}${" x".repeat(40_000)}` }],
    ...[{ name, description: "\ud800" }, Object.create(null)],
  ];
  assert.deepEqual(await packsFor(junk), { entries: [], packs: [], problems: [] });
  const mixed = await packsFor([...junk, issue]);
  assert.deepEqual(mixed.packs, [{ name: "github", matched: 1, tools: 26 }]);
  assert.deepEqual(await packsFor([]), { entries: [], packs: [], problems: [] });
});

test("a pack that is missing is told, and comes when it is there again", async () => {
  const { home } = await install();
  const copy = mkdtempSync(join(scratch(), "packs-"));
  linkTree(home, copy);
  const file = join(copy, "dist", "cjs", "packs", "github.js");
  renameSync(file, `${file}.away`);
  const { packsFor } = await import(join(copy, "dist", "packs.js"));
  const tools = [issue, ...toolsOf("memory")];
  const { entries, packs, problems } = await packsFor(tools);
  assert.deepEqual([entries.length, packs.map(({ name }) => name)], [9, ["memory"]]);
  assert.equal(problems.length, 1);
  assert.match(problems[0], /^the pack github cannot be loaded: /);
  // Of an ES module that could not be found, Node keeps the failure; a required one is looked for again.
  const required = createRequire(join(copy, "package.json"))(join(copy, "dist", "cjs", "packs.js"));
  assert.equal((await required.packsFor(tools)).problems.length, 1);
  renameSync(`${file}.away`, file);
  const again = await required.packsFor(tools);
  assert.deepEqual([again.entries.length, again.problems], [10, []]);
});

test("a bundler makes a file of each pack, and may leave all of them out", async () => {
  const { app } = await install();
  const bundled = (options) =>
    build({
      stdin: { contents: 'export * from "toolsift/mcp";', resolveDir: app },
      bundle: true,
      splitting: true,
      format: "esm",
      outdir: join(app, "out"),
      write: false,
      external: ["*.wasm", "@*"],
      logLevel: "silent",
      ...options,
    });
  const { outputFiles } = await bundled();
  const holding = outputFiles.filter(({ text }) => /globalThis\[.*?Symbol\.for\("toolsift\.pack\.github\./.test(text));
  assert.equal(holding.length, 1);
  assert.match(holding[0].path, /github-\w+\.js$/);
  const without = await bundled({ external: ["*.wasm", "@*", "#packs"] });
  assert.ok(without.outputFiles.every(({ text }) => !/toolsift\.(pack|translations)\./.test(text)));
});
