/**
 * What the playground offers for pasting:
 *
 * 1. The program for each SDK compiles in a strict TypeScript project that has the packed package and the SDK, under every
 *    profile and with options of every kind.
 * 2. The options are those that somebody chose: none under the default profile, and the library takes all of them.
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

const { codeFor, installLine, SDKS, serversFile } = await pageModule("model/usage.ts");
const { chosenOptions } = await pageModule("model/chosen.ts");
const { addCommand, CLIENTS, gatewayCommand } = await pageModule("model/clients.ts");
const { defaultSettings } = await pageModule("model/settings.ts");

const profiles = { all: ToolSift.profiles(), byDefault: "sift" };
const SERVERS = [
  { server: "memory", from: "@modelcontextprotocol/server-memory@2026.8.31" },
  { server: "remote one", from: "https://mcp.example.com/mcp" },
  { server: "a `file` \"of\" ${mine}", from: "tools.json" },
  { server: "__proto__", from: "tools.json" },
];
const FULL = {
  ...defaultSettings(profiles, "bridge"),
  activation: "share",
  ranker: "sift",
  without: ["stems", "servers"],
  synonyms: "invoice, bill; ticket, case",
  preDiscovered: ["create_issue", "a \"b\" ${c}"],
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
        const servers = at % 2 === 0 ? SERVERS : [];
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
  assert.deepEqual(chosenOptions(defaultSettings(profiles, "bridge"), profiles), { profile: "bridge" });
  const full = chosenOptions(FULL, profiles);
  assert.deepEqual(full.activation, { contextShare: 0.1 });
  assert.deepEqual(full.synonyms, [["invoice", "bill"], ["ticket", "case"]]);
  for (const settings of CHOICES) {
    const options = chosenOptions(settings, profiles);
    new ToolSift(options).dispose();
    assert.equal(typeof siftFetch({ sift: options }), "function");
  }
});

test("the line for each client starts the gateway with flags that it has", async () => {
  const mcp = (await programOf()).commands.find((command) => command.name() === "mcp");
  const flags = mcp.options.map(({ long }) => long);
  const known = KNOWN.map(({ id }) => id);
  for (const settings of CHOICES) {
    const command = gatewayCommand(chosenOptions(settings, profiles));
    assert.deepEqual(command.slice(0, 4), ["npx", "-y", "toolsift", "mcp"]);
    assert.deepEqual(command.filter((word) => word.startsWith("--") && !flags.includes(word)), []);
    for (const [id, { language, text }] of Object.entries(CLIENTS)) {
      assert.ok(known.includes(id), id);
      assert.equal(addCommand(id), `npx toolsift mcp add ${id}`);
      const value = language === "toml" ? parseToml(text(command)) : JSON.parse(text(command));
      assert.ok(JSON.stringify(value).includes('"toolsift"'), id);
    }
  }
  assert.deepEqual(Object.keys(JSON.parse(serversFile(SERVERS)).mcpServers).length, SERVERS.length);
});
