/**
 * What the playground offers for pasting:
 *
 * 1. The program for each SDK compiles in a strict TypeScript project that has the packed package and the SDK, under every
 *    profile and with options of every kind.
 * 2. The options are those that the page plays with: none under the default profile, and the library takes all of them. Every
 *    server is there.
 * 3. The line for each client's configuration starts the gateway with flags that it has.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { siftFetch } from "toolsift/proxy";
import { parse as parseToml } from "smol-toml";
import { programOf } from "../../cli/dist/main.js";
import { CLIENTS as KNOWN } from "../../cli/dist/clients/table/index.js";
import { allDrives } from "../adapters/lib/all.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { compiled } from "../adapters/lib/compiled.mjs";
import { pageModule } from "./lib/page-model.mjs";

const { blanksIn, codeFor, installLine, SDKS, serversFile } = await pageModule("model/usage.ts");
const { chosenOptions } = await pageModule("model/chosen.ts");
const { addCommand, CLIENTS, gatewayCommand } = await pageModule("model/clients.ts");
const { defaultSettings, optionsOf } = await pageModule("model/settings.ts");

const profiles = { all: ToolSift.profiles(), byDefault: "sift" };
const SERVERS = [
  { server: "memory", from: "memory.json", start: "@modelcontextprotocol/server-memory@2026.8.31", functions: false },
  { server: "remote one", from: "https://mcp.example.com/mcp", start: "https://mcp.example.com/mcp", functions: false },
  { server: 'a `file` "of" ${mine}', from: "tools.json", start: null, functions: false },
  { server: "__proto__", from: "tools.json", start: null, functions: false },
];
const OWN = { server: "mine", from: 'own "tools".json', start: null, functions: true };
const FULL = {
  ...defaultSettings(profiles, "bridge"),
  activation: "share",
  ranker: "sift",
  without: ["stems", "servers"],
  synonyms: "invoice, bill; ticket, case",
  preDiscovered: ["create_issue", 'a "b" ${c}'],
  contextWindow: 1_000_000,
  budgetTools: 3,
  unrevealedCall: "run",
  hits: 12,
};
const CHOICES = [...profiles.all.map(({ name }) => defaultSettings(profiles, name)), FULL];

test("the programs of all SDKs compile", async () => {
  const sdks = Object.assign({}, ...(await allDrives()).map(({ versions }) => versions.at(-1)));
  const more = ["@ai-sdk/openai-4", "@langchain/openai", "@modelcontextprotocol/client"];
  const named = Object.fromEntries(more.map((name) => [name.replace(/(openai)-4$/, "$1"), name]));
  const { folder } = await appWith({ ...sdks, ...named, "@types/node": "@types/node" });
  const files = Object.fromEntries(
    Object.keys(SDKS).flatMap((sdk) =>
      CHOICES.map((settings, at) => {
        const servers = [SERVERS, [], [...SERVERS, OWN]][at % 3];
        return [`offered/${sdk}-${at}.mts`, codeFor(sdk, chosenOptions(settings, profiles), servers, settings.format)];
      }),
    ),
  );
  assert.ok(Object.keys(files).length > 60);
  const options = { types: ["node"], lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"] };
  assert.equal(compiled(folder, files, options), "");
});

test("every program imports only what its install line names", () => {
  for (const sdk of Object.keys(SDKS)) {
    const installed = installLine(sdk).split(" ").slice(2);
    const code = codeFor(sdk, {}, SERVERS, "mcp");
    for (const [, from] of code.matchAll(/from "([^"]+)";/g)) {
      if (from.startsWith("node:")) continue;
      const name = from.match(/^(@[^/]+\/)?[^/]+/)[0];
      assert.ok(installed.includes(name), `${sdk}: ${name}`);
    }
  }
});

test("options are what was chosen, and the library takes them", () => {
  assert.deepEqual(chosenOptions(defaultSettings(profiles), profiles), {});
  assert.deepEqual(chosenOptions(defaultSettings(profiles, "bridge"), profiles), { profile: "bridge", activation: "on" });
  const full = chosenOptions(FULL, profiles);
  assert.deepEqual(full.activation, { contextShare: 0.1 });
  assert.deepEqual(full.synonyms, [
    ["invoice", "bill"],
    ["ticket", "case"],
  ]);
  for (const settings of CHOICES) {
    const options = chosenOptions(settings, profiles);
    new ToolSift(options).dispose();
    assert.equal(typeof siftFetch({ sift: options }), "function");
  }
});

test("every server is in the code, with a blank where its package is not known, and functions are the program's own", () => {
  const many = Array.from({ length: 46 }, (_, at) => ({
    server: `server_${at}`,
    from: "f.json",
    start: at === 0 ? "a@1.0.0" : null,
    functions: false,
  }));
  const code = codeFor("ai-sdk", {}, [...many, OWN], "mcp");
  for (const { server } of many) assert.ok(code.includes(`${server}: {`), server);
  assert.ok(code.includes('server_0: { command: "npx", args: ["-y", "a"] }'));
  assert.ok(code.includes('server_1: { command: "npx", args: ["-y", "<the package of server_1>"] }'));
  assert.equal(blanksIn([...many, OWN]).length, 45);
  assert.ok(!code.includes("mine: {"));
  assert.ok(code.includes('sift.register(JSON.parse(readFileSync("own \\"tools\\".json", "utf8")));'), code);
  assert.equal(Object.keys(JSON.parse(serversFile([...many, OWN])).mcpServers).length, 46);
});

test("the page plays what the code says: the profile's own activation, unless the code has another", () => {
  for (const { name } of profiles.all) {
    const settings = defaultSettings(profiles, name);
    const [played, handed] = [optionsOf(settings), chosenOptions(settings, profiles)].map(
      (options) => new ToolSift(options),
    );
    assert.deepEqual(handed.settings.activation, played.settings.activation, name);
    assert.equal(handed.settings.deferral, played.settings.deferral, name);
    played.dispose();
    handed.dispose();
  }
});

test("the line for each client starts the gateway with flags that it has", async () => {
  const mcp = (await programOf()).commands.find((command) => command.name() === "mcp");
  const flags = mcp.options.map(({ long }) => long);
  const known = KNOWN.map(({ id }) => id);
  for (const settings of CHOICES) {
    const command = gatewayCommand(chosenOptions(settings, profiles));
    assert.deepEqual(command.slice(0, 4), ["npx", "-y", "toolsift", "mcp"]);
    assert.deepEqual(
      command.filter((word) => word.startsWith("--") && !flags.includes(word)),
      [],
    );
    for (const [id, { language, text }] of Object.entries(CLIENTS)) {
      assert.ok(known.includes(id), id);
      assert.equal(addCommand(id), `npx toolsift mcp add ${id}`);
      const value = language === "toml" ? parseToml(text(command)) : JSON.parse(text(command));
      assert.ok(JSON.stringify(value).includes('"toolsift"'), id);
    }
  }
  assert.deepEqual(Object.keys(JSON.parse(serversFile(SERVERS)).mcpServers).length, SERVERS.length);
});
