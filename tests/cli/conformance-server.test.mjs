/**
 * The server scenarios of the official conformance suite: against two servers alone, and against both behind the gateway, as
 * `npm run mcp-conformance` runs them. In short, the second server runs alone, and behind the gateway once in each protocol.
 *
 * 1. Every scenario is in the tables below; a new one of the suite fails the test until somebody decides about it.
 * 2. A server with what the scenarios ask for passes all of them, alone and passed through, in both protocols.
 * 3. Behind the surface all of them pass through the call tool, but one that looks for its tool in the list; describe_tools
 *    gives that tool's schema.
 * 4. server-everything passes the same behind the gateway as alone, and one more.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { lost, REASONS, runTargets } from "../../scripts/lib/mcp-conformance/run.mjs";
import { scenarios } from "../../scripts/lib/mcp-conformance/suite.mjs";
import { TARGETS } from "../../scripts/lib/mcp-conformance/targets.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { folder } from "./command-line.mjs";
import { sdk1 } from "./mcp-clients-real.mjs";

/** What server-everything passes alone: scenarios that need no certain name, or that take an error for an answer. */
const EVERYTHING = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
];
/** It has other names than the scenarios ask for. */
const OTHER_NAMES = [
  "completion-complete",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-with-progress",
  "tools-call-sampling",
  "tools-call-elicitation",
  "json-schema-2020-12",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "server-sse-polling",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];
/** It answers to any Host; the gateway does not. */
const GAINED = "dns-rebinding-protection";
const ALL = [...EVERYTHING, ...OTHER_NAMES, GAINED];

/** Behind the surface the tool is held back: it stands in the answers of search_tools and describe_tools. */
const HELD_BACK = "json-schema-2020-12";
/**
 * The scenario asks in protocol 2025-03-26, whose clients do not know events without data. The SDK sends them, and lets
 * tools end a stream, from 2025-11-25 on; tests/cli/gateway-streams.test.mjs has that.
 */
const OLDER_STREAMS = "server-sse-polling";

/** Each server's ways in the long form. */
const WAYS = [
  ["direct", "process, passed through", "HTTP, passed through", "process, surface"],
  ["direct", "process, older", "process, newer", "HTTP, older", "HTTP, newer", "older, surface", "newer, surface"],
];
/** Each kind of way once: alone, a process passed through, and a surface. */
const SHORT = ["direct", "process, older", "newer, surface"];
const short = () => {
  const { server, ways } = TARGETS[1];
  return { server, ways: Object.fromEntries(SHORT.map((way) => [way, ways[way]])) };
};

let servers;
before(async () => (servers = await runTargets(isFull ? TARGETS : [short()])));

const passing = (results) => Object.keys(results).filter((name) => results[name].passes);

test("the tables have every server scenario of the suite", async () => {
  assert.deepEqual((await scenarios()).toSorted(), ALL.toSorted());
});

test("every way has run every scenario", () => {
  const waysOf = (list) => list.map(({ ways }) => Object.keys(ways));
  assert.deepEqual([waysOf(TARGETS), waysOf(servers)], [WAYS, isFull ? WAYS : [SHORT]]);
  for (const { ways } of servers) {
    for (const results of Object.values(ways)) assert.deepEqual(Object.keys(results).sort(), ALL.toSorted());
  }
});

const once = isFull ? test : () => {};

once("server-everything passes behind the gateway what it passes alone, and one more", () => {
  const [{ ways }] = servers;
  const { direct, ...through } = ways;
  assert.deepEqual(passing(direct).sort(), EVERYTHING.toSorted());
  for (const [way, results] of Object.entries(through)) {
    assert.deepEqual(passing(results).sort(), [...EVERYTHING, GAINED].sort(), way);
  }
});

test("the suite's tools pass every scenario, alone and behind the gateway", () => {
  const { ways } = servers.at(-1);
  for (const [way, results] of Object.entries(ways)) {
    const failed = ALL.filter((name) => !results[name].passes);
    const says = failed.map((name) => `${name}: ${results[name].says}`).join("\n");
    assert.deepEqual(failed, way.endsWith("surface") ? [HELD_BACK] : [], `${way}\n${says}`);
    const warned = ALL.filter((name) => results[name].warnings > 0 && results[name].passes);
    assert.deepEqual(warned, [OLDER_STREAMS], way);
    const [first, second] = results[OLDER_STREAMS].says;
    assert.match(first, /^Server did not send priming event/);
    assert.match(second, /^Server did not send retry field/);
  }
});

test("behind the surface describe_tools gives the schema that the scenario looks for", async (t) => {
  const behind = { command: process.execPath, args: [at("tests", "cli", "conformance-server.mjs"), "stdio", "older"] };
  const home = folder({ "servers.json": { mcpServers: { behind } } });
  const args = [at("cli", "bin", "toolsift-cli.mjs"), "mcp", "--config", join(home, "servers.json"), "--activation", "on"];
  const client = await sdk1({ command: process.execPath, args, env: { TOOLSIFT_HOME: home } });
  t.after(() => client.close());
  const described = await client.call("describe_tools", { names: ["json_schema_2020_12_tool"] });
  const [, parameters] = /^Parameters: (.*)$/m.exec(described);
  const address = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } }, required: [] };
  // The name of the dialect, $schema, says nothing to a model.
  assert.deepEqual(JSON.parse(parameters), {
    type: "object",
    $defs: { address },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  });
});

test("what passes directly and not through has a reason, and each reason is needed", () => {
  const entries = lost(servers);
  const missing = entries.filter(({ why }) => why === undefined);
  assert.deepEqual(missing, []);
  for (const [scenario, { ways }] of Object.entries(REASONS)) {
    const ran = ways.filter((way) => isFull || SHORT.includes(way));
    assert.deepEqual(entries.flatMap((one) => (one.scenario === scenario ? one.way : [])).join(), ran.join());
  }
});
