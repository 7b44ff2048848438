/**
 * Profiles through the installed package, where JavaScript has a part in them.
 *
 * 1. A bridge call arrives as the real tool, alone or in a batch, and in the order of the batch. 2. The clock is the
 * host's. 3. An overridden axis is in force and the others stay. 4. A published system's own configuration is read. 5. `auto`
 * begins where the settings say.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "./installed.mjs";

const TOOLS = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));
const SEND = "mcp__slack__send_message";

let ToolSift;

before(async () => {
  const { home } = await install();
  ({ ToolSift } = await import(pathToFileURL(join(home, "dist", "index.js")).href));
});

function filled(options) {
  const sift = new ToolSift(options);
  sift.register(TOOLS);
  return sift;
}

test("a bridge call is the real tool's, alone or among others", () => {
  const session = filled({ profile: "bridge", activation: "on" }).session("s");
  const bridged = { name: "tool_call", args: { name: SEND, arguments: { channel: "c", text: "t" } } };
  const alone = session.call(bridged.name, bridged.args);
  assert.deepEqual(alone, {
    kind: "dispatch",
    name: SEND,
    server: "slack",
    modelName: SEND,
    arguments: { channel: "c", text: "t" },
  });
  const batch = session.callAll([
    { name: "tool_search", args: { query: "slack" } },
    bridged,
    { name: "tool_call", args: JSON.stringify(bridged.args) },
    { name: "tool_call", args: { name: "tool_call", arguments: {} } },
    { name: SEND, args: {} },
  ]);
  assert.deepEqual(
    batch.map((outcome) => outcome.kind),
    ["result", "dispatch", "dispatch", "result", "refused"],
  );
  assert.deepEqual(batch.slice(1, 3), [alone, alone]);
  assert.equal(batch[3].errorCode, "bridge_recursion");
  assert.match(batch[4].error.message, /tool_call\(/);
});

test("calls of a batch see what calls before them revealed", () => {
  const session = filled({ profile: "search-add" }).session("s");
  const [add, run] = session.callAll([{ name: "add_tool", args: { tool_names: [SEND] } }, { name: SEND }]);
  assert.deepEqual([add.revealed, run.kind], [[SEND], "dispatch"]);
});

test("searches are limited by the host's clock", () => {
  const session = filled({ profile: "select", deferral: "opt-out", searchesPerMinute: 2 }).session("chat");
  const search = (now) => session.call("ToolSearch", { query: "slack" }, { now }).errorCode;
  assert.deepEqual([0, 1_000, 59_000, 60_000, 60_500].map(search), [null, null, "rate_limited", null, "rate_limited"]);
  const { content } = session.call("ToolSearch", { query: "slack" }, { now: 60_600 });
  assert.match(content, /chat.*2/);
});

test("an axis is overridden and the others stay", () => {
  const sift = filled({ profile: "stub", search: { ranker: "bm25", hits: 3 }, disclosure: "short-stubs" });
  const [row] = ToolSift.profiles().filter(({ name }) => name === "stub");
  assert.deepEqual(sift.settings.search, { ...row.search, ranker: "bm25", hits: 3 });
  assert.equal(sift.settings.disclosure, "short-stubs");
  assert.equal(sift.settings.reveal, row.reveal);
  const session = sift.session("s");
  const before = session.assemble();
  const { revealed } = session.call("tool_search", { query: "message channel" });
  assert.ok(revealed.length > 0 && revealed.length <= 3);
  const after = session.assemble();
  assert.deepEqual(
    after.tools.map((tool) => tool.name),
    before.tools.map((tool) => tool.name),
    "in place",
  );
  assert.equal(after.size.parts.revealed.tools, revealed.length);
});

test("a stub never takes more room than what it stands for", () => {
  const full = new Map(TOOLS.map((tool) => [tool.name, JSON.stringify(tool.parameters).length]));
  const { tools } = filled({ profile: "stub" }).session("s").assemble();
  let stubs = 0;
  for (const { name, inputSchema } of tools.filter((tool) => full.has(tool.name))) {
    assert.ok(JSON.stringify(inputSchema).length <= full.get(name), name);
    stubs += inputSchema.properties === undefined ? 1 : 0;
  }
  assert.ok(stubs > 30, `${stubs} stubs`);
});

test("a turn's visible tools are all that is within reach", () => {
  const session = filled({ profile: "stub" }).session("s");
  const visible = [SEND, "mcp__weather__get_tides"];
  const { content } = session.call("tool_search", { query: "zzzz" }, { visible });
  assert.deepEqual(JSON.parse(content).available_tools, visible);
  assert.equal(session.call("mcp__github__create_issue", {}, { visible }).error.code, "tool_out_of_scope");
  assert.equal(session.call("tool_search", { query: "x" }, { visible: null }).errorCode, "no_visible_tools");
});

test("own configurations are read", () => {
  assert.equal(new ToolSift({ profile: { name: "bridge", config: false } }).settings.activation, "off");
  assert.deepEqual(new ToolSift({ profile: { name: "bridge", config: true } }).settings.activation, { contextShare: 0.1 });
  assert.deepEqual(new ToolSift({ profile: { name: "stub", config: { threshold: 20 } } }).settings.activation, {
    tools: 20,
  });
  const starts = { name: "search-add", specialCategories: ["mail"] };
  const sift = new ToolSift({ profile: starts });
  sift.register([{ name: "send_letter", description: "Sends.", category: "mail" }]);
  assert.deepEqual(
    sift
      .session("s")
      .tools()
      .map(({ state }) => state),
    ["pinned"],
  );
});

test("auto holds tools back from the number of tokens that the settings say", () => {
  const { autoTokens } = new ToolSift().settings;
  assert.ok(ToolSift.profiles().every((profile) => profile.autoTokens === autoTokens));
  const states = [];
  for (let count = 1; states.length < 2 || states.at(-1) === states.at(-2); count++) {
    const sift = new ToolSift({ activation: "auto" });
    const tools = Array.from({ length: count }, (_, at) => ({ name: `tool_${at}`, description: "x".repeat(400) }));
    sift.register(tools);
    const { active, deferrable } = sift.session("s").assemble();
    assert.equal(active, deferrable.tokens >= autoTokens, `${deferrable.tokens} tokens`);
    states.push(active);
    sift.dispose();
  }
  assert.deepEqual(states.slice(-2), [false, true]);
});
