/**
 * Is the ledger that of a model with the gateway?
 *
 * 1. Definitions of MCP servers become the same bytes as the package itself would send.
 * 2. Directly, and where the gateway passes tools through, the requests are the same, byte by byte.
 * 3. Through the surface the model searches, looks at parameters where it has none, and calls as the answer says.
 * 4. By default the gateway costs more for none of the captured servers, alone or together, and every tool is called.
 * 5. What the model does not get to call is told; a list that changes on the way is found out.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { capture } from "../../scripts/capture.mjs";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { gatewayHost } from "../../scripts/lib/conversation/gateway.mjs";
import { gatewayWay } from "../../scripts/lib/conversation/gateway-way.mjs";
import { DIRECT, ledger, VARIANTS } from "../../scripts/lib/conversation/ledger.mjs";
import { RATES } from "../../scripts/lib/conversation/rates.mjs";
import { NO_WAY } from "../../scripts/lib/conversation/way.mjs";
import { WIRES } from "../../scripts/lib/conversation/wire.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
const { gateway } = await import(at("pkg", "dist", "gateway.js"));
await capture();
const CAPTURED = readCatalogs(at("www", "public", "captured"));
const KITCHEN = readCatalogs(at("tests", "simulate", "catalogs"));
const OFFICE = readCatalogs(at("tests", "vectors", "catalogs")).filter(({ server }) => server === "mcp60");
const FORMATS = Object.keys(WIRES);
const ledgerOf = (catalogs, formats = FORMATS, open = gateway) =>
  ledger(ToolSift, open, catalogs, { formats, rates: RATES, written: true });
const find = ({ runs }, name, wire = "anthropic") => runs.find(({ variant, format }) => variant === name && format === wire);

test("definitions as a client sends them", () => {
  const sift = new ToolSift({ activation: "off" });
  const { tools: listed } = CAPTURED.find(({ server }) => server === "github");
  const tools = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  sift.register(tools, { server: "github" });
  for (const format of FORMATS) {
    const { tools: sent } = sift.session("s").assemble({ format });
    assert.equal(JSON.stringify(WIRES[format].tools(tools)), JSON.stringify(sent), format);
  }
  sift.dispose();
});

test("what passes through costs what it costs directly", async () => {
  const measured = await ledgerOf(KITCHEN);
  for (const format of FORMATS) {
    const [direct, through] = [find(measured, DIRECT, format), find(measured, "auto", format)];
    assert.deepEqual([through.searching, through.saved, through.lost], [false, 0, 0]);
    assert.deepEqual(through.requests, direct.requests);
  }
  assert.equal(find(measured, "always on").searching, true);
});

test("the way of a model through the gateway", async () => {
  const calls = [];
  const host = await gatewayHost(gateway, OFFICE, { activation: "on" });
  const way = gatewayWay(host.tools);
  const [{ name }] = OFFICE[0].tools;
  const ask = async (call) => (calls.push(call), host.call(call));
  const [search] = way.search([{ name, words: "no such thing at all" }], true);
  const { content } = await ask(search);
  assert.ok(way.shows(content, name) && way.defines("search", content, name), content);
  assert.equal((await ask(way.call(name, {}, content))).ran, true);
  assert.match(calls.at(-1).name, /^call_(?:read_only_|destructive_)?tool$/);
  assert.equal((await ask({ name, args: {} })).ran, false);
  const line = `- ${name}(path?) [call_tool]: Says what it does.`;
  assert.deepEqual([way.shows(line, name), way.defines("search", line, name)], [true, false]);
  assert.equal(way.shows(line, `${name}x`), false);
  const [load] = way.load([{ name }]);
  const described = (await ask(load)).content;
  assert.ok(way.defines("load", described, name));
  // A tool that is listed is called by itself, and without a search tool there is no way at all.
  assert.deepEqual(way.call(name, {}), { name, args: {} });
  assert.equal(gatewayWay(OFFICE[0].tools), NO_WAY);
  await host.close();
});

test("the captured servers", async () => {
  const together = await ledgerOf(CAPTURED);
  assert.equal(together.written, true);
  for (const { variant, format, lost, total, does } of together.runs) {
    assert.equal(lost, 0, `${variant} ${format}`);
    assert.equal(does.answer, 10);
    // Nothing that was sent before is ever changed.
    assert.deepEqual(total.changed, [], `${variant} ${format}`);
  }
  for (const format of FORMATS) {
    const names = [DIRECT, ...VARIANTS.map(({ name }) => name)];
    const [direct, auto, on, one] = names.map((name) => find(together, name, format));
    assert.ok(auto.saved > 0.5, `${format} ${auto.saved}`);
    assert.deepEqual(auto.total, on.total);
    assert.ok(one.total.parts.tools < on.total.parts.tools && on.total.parts.tools < direct.total.parts.tools / 10);
    assert.ok(auto.total.requests - direct.total.requests <= 7, "a search for each new need, and one that finds nothing");
  }
  for (const one of CAPTURED) {
    const { saved, lost } = find(await ledgerOf([one], ["anthropic"]), "auto");
    assert.ok(saved >= 0 && lost === 0, `${one.server} ${saved} ${lost}`);
  }
});

/** A gateway whose clients get other answers than it gives. */
function changed(change) {
  return async (options) => {
    const open = await gateway(options);
    const server = async (context) => {
      const made = await open.server(context);
      change(made);
      return made;
    };
    return { ...open, server };
  };
}

test("what a model does not get to call is told", async () => {
  const deaf = changed((made) => {
    made.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "No tool fits." }] }));
  });
  const measured = await ledgerOf(KITCHEN, ["openai"], deaf);
  // Ten calls are needed in the ten turns.
  assert.deepEqual(
    measured.runs.map(({ variant, lost }) => [variant, lost]),
    [
      [DIRECT, 0],
      ["auto", 10],
      ["always on", 10],
      ["one call tool", 10],
    ],
  );
});

test("a list that changes is found out", async () => {
  let count = 0;
  const restless = changed((made) => {
    const one = () => ({ name: `tool_${(count += 1)}`, inputSchema: { type: "object" } });
    made.setRequestHandler("tools/list", () => ({ tools: [one()] }));
  });
  await assert.rejects(ledgerOf(KITCHEN, ["openai"], restless), /the gateway \(auto\) must list the same tools/);
  assert.equal(await ledgerOf([{ server: "odd", tools: [1, {}] }]), null);
});
