/**
 * Tests that a server's odd list does not remove another server's tools: the clients of both official SDKs accept the
 * gateway's lists, and the status names the tools that were left out.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { client, opened, server } from "./gateways.mjs";

const schema = (properties, more = {}) => ({ type: "object", properties, ...more });
const output = (name, outputSchema) => ({ name, inputSchema: schema({}), outputSchema });

/** Tools by what becomes of them: what status says of each, or nothing. */
const TOOLS = [
  [{ name: "boolean_parameter", inputSchema: schema({ any: true, none: false }) }],
  [{ name: "no_schema" }],
  [{ name: "odd_names", inputSchema: schema({ "filter[x]": {} }) }, /filter\[x\]: the model sees it as filter_x/],
  [{ name: "no_type", inputSchema: { properties: { a: { type: "string" } } } }, /no type; "object" was added/],
  [{ name: "nulls", description: null, title: null, annotations: null, icons: null, _meta: null }],
  [
    { name: "hints", inputSchema: schema({}), annotations: { readOnlyHint: "yes", title: "Hints" } },
    /annotations\.readOnlyHint/,
  ],
  [{ name: "icons", inputSchema: schema({}), icons: [{ src: "a:b" }, { mimeType: "image/png" }, 7] }, /icons\.2, icons\.1/],
  [{ name: "tasks", inputSchema: schema({}), execution: { taskSupport: "sometimes" } }, /execution\.taskSupport/],
  [output("good_output", schema({ a: { type: "string" } }))],
  [output("boolean_output", schema({ result: true })), /outputSchema/],
  [output("untyped_output", { anyOf: [{ type: "object" }] })],
  [output("text_output", "a text"), /outputSchema/],
  [output("lost_reference", schema({ a: { $ref: "#/$defs/gone" } })), /outputSchema/],
  [output("bad_pattern", schema({ a: { type: "string", pattern: "(?P<a>" } })), /outputSchema/],
  [output("own_id", schema({ a: { $id: "https://odd.example/a", type: "string" } })), /outputSchema/],
  [output("odd_required", schema({}, { required: [1] })), /outputSchema/],
];

const PROMPTS = [
  [{ name: "null_arguments", arguments: null, description: null }],
  [
    { name: "odd_arguments", arguments: [{ name: "a", description: null, required: "yes" }, { description: "b" }] },
    /arguments/,
  ],
  [{ name: "map_arguments", arguments: { a: "b" }, title: 1 }, /title|arguments/],
];
const RESOURCES = [
  [{ uri: "odd:nameless" }],
  [{ uri: "odd:size", name: "size", size: "12 KB", mimeType: null }, /size/],
  [
    { uri: "odd:dates", name: "dates", annotations: { priority: 7, audience: "all", lastModified: "yesterday" } },
    /priority/,
  ],
  [{ uri: "odd:meta", name: "meta", _meta: "x", icons: {} }, /icons/],
];
const TEMPLATES = [[{ uriTemplate: "odd:{a}" }], [{ uriTemplate: "odd:x/{b}", name: null, description: 5 }, /description/]];

/** A server that lists what it is given, as it is. */
const raw = (name, lists) =>
  server(name, {}, (made) => {
    made.server.registerCapabilities({ tools: {}, prompts: {}, resources: {} });
    const { tools, prompts, resources, resourceTemplates } = lists;
    made.server.setRequestHandler("tools/list", () => ({ tools }));
    made.server.setRequestHandler("tools/call", ({ params }) => ({
      content: [{ type: "text", text: JSON.stringify(params.arguments) }],
    }));
    made.server.setRequestHandler("prompts/list", () => ({ prompts }));
    made.server.setRequestHandler("resources/list", () => ({ resources }));
    made.server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  });

const entriesOf = (rows) => rows.map(([entry]) => entry);

test("entries that official clients refuse are mended or left out, and told; nobody else's are lost", async (t) => {
  const task = { name: "task", inputSchema: schema({}), execution: { taskSupport: "required" } };
  const odd = {
    tools: [...entriesOf(TOOLS), { title: "no name" }, { name: "number", description: 7, inputSchema: schema({}) }, task],
    prompts: [...entriesOf(PROMPTS), { title: "no name" }],
    resources: entriesOf(RESOURCES),
    resourceTemplates: entriesOf(TEMPLATES),
  };
  const good = {
    tools: [{ name: "good_tool", inputSchema: schema({}) }],
    prompts: [{ name: "good" }],
    resources: [{ name: "good", uri: "good:1" }],
    resourceTemplates: [{ name: "good", uriTemplate: "good:{id}" }],
  };
  const open = await opened(t, { odd: raw("odd", odd), good: raw("good", good) }, { activation: "off" });
  const first = new First({ name: "first", version: "1" });
  const fetch = (url, init) => open.gateway.fetch(new Request(url, init));
  await first.connect(new FirstTransport(new URL("http://gateway.test/mcp"), { fetch }));
  t.onTestFinished(() => first.close());
  const clients = { first, older: await client(t, open), newer: await client(t, open, { era: "modern" }) };
  for (const [label, one] of Object.entries(clients)) {
    const names = async (list, key, by) => (await one[list]())[key].map((entry) => entry[by]);
    const expected = (rows, key, more) => [...rows.map(([entry]) => entry[key]), more];
    assert.deepEqual(await names("listTools", "tools", "name"), expected(TOOLS, "name", "good_tool"), label);
    assert.deepEqual(await names("listPrompts", "prompts", "name"), expected(PROMPTS, "name", "good"), label);
    assert.deepEqual(await names("listResources", "resources", "uri"), expected(RESOURCES, "uri", "good:1"), label);
    const templates = await names("listResourceTemplates", "resourceTemplates", "uriTemplate");
    assert.deepEqual(templates, expected(TEMPLATES, "uriTemplate", "good:{id}"), label);
  }
  const { tools } = await first.listTools();
  const named = (name) => tools.find((tool) => tool.name === name);
  assert.deepEqual(named("boolean_parameter").inputSchema.properties, { any: {}, none: { not: {} } });
  assert.deepEqual(Object.keys(named("odd_names").inputSchema.properties), ["filter_x"]);
  const { content } = await first.callTool({ name: "odd_names", arguments: { filter_x: 1 } });
  assert.deepEqual(content, [{ type: "text", text: '{"filter[x]":1}' }]);
  assert.equal(named("hints").annotations.title, "Hints");
  assert.deepEqual([named("good_output").outputSchema.type, named("bad_pattern").outputSchema], ["object", undefined]);
  const [status, other] = open.gateway.status();
  const told = (name) => status.repaired.flatMap((one) => (one.name === name ? one.repair : [])).join("; ");
  for (const [rows, what, key] of [
    [TOOLS, "", "name"],
    [PROMPTS, "prompt ", "name"],
    [RESOURCES, "resource ", "uri"],
    [TEMPLATES, "template ", "uriTemplate"],
  ]) {
    for (const [entry, repair = /^$/] of rows) assert.match(told(`${what}${entry[key]}`), repair, entry[key]);
  }
  assert.deepEqual(
    status.rejected.map(({ name }) => name),
    ["task", "number"],
  );
  assert.deepEqual([other.rejected, other.repaired], [[], undefined]);
  const problems = open.problems.join("\n");
  assert.match(
    problems,
    /odd is listed in part: 1 of its tools have no name\nodd is listed in part: 1 of its prompts have no name/,
  );
  assert.match(
    problems,
    /odd is listed with changes: .*hints \(MCP's clients refuse it with annotations\.readOnlyHint; left out\)/,
  );
  assert.match(problems, /bad_pattern \(MCP's clients refuse it with outputSchema; left out\)/);
});
