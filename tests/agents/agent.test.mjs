/**
 * The installed package, AI SDK's own loop and six real MCP servers.
 *
 * 1. All tools of all servers are registered, and the model is sent three. 2. search_tools, add_tool, a real call: the
 * model is sent the schema exactly from the step after it was added, and the server did what was asked. 3. What was not
 * added cannot be called. 4. Two conversations at once do not see each other's tools. 5. A list that changes is followed.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServers } from "../../scripts/servers.mjs";
import { install } from "../package/installed.mjs";
import { converse } from "./agent.mjs";

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];

let servers;
let ToolSift;

before(async () => {
  const { home } = await install();
  ({ ToolSift } = await import(pathToFileURL(join(home, "dist", "index.js")).href));
  servers = await startServers();
  assert.deepEqual(servers.failed, [], "every server starts");
});

after(() => servers?.close());

/** A sift with the tools of every server. */
function filled(options) {
  const sift = new ToolSift(options);
  for (const { name, tools } of servers.servers) {
    const report = sift.register(tools, { server: name });
    assert.deepEqual(report.rejected, [], name);
    assert.equal(report.registered.length, tools.length);
  }
  return sift;
}

/** Runs a tool on the server that it came from. */
async function run(server, name, args) {
  const { client } = servers.servers.find((one) => one.name === server);
  const { content } = await client.callTool({ name, arguments: args });
  return content.map((part) => part.text).join("\n");
}

const entity = (name) => ({ entities: [{ name, entityType: "city", observations: ["rains a lot"] }] });
const graph = () => run("memory", "read_graph", {});
const outcome = (result, step) => result.outcomes[step][0];

test("six servers, 159 tools, and the model is sent three", () => {
  const sift = filled();
  const expected = servers.servers.reduce((sum, { tools }) => sum + tools.length, 0);
  assert.equal(servers.servers.length, 6);
  // One server's list depends on what the client can do, by one tool.
  assert.ok(Math.abs(expected - 159) <= 1, `${expected} tools`);
  assert.equal(sift.tools().length, expected);
  for (const format of ["mcp", "openai", "openai-responses", "anthropic", "google"]) {
    const { size, tools } = sift.session().assemble({ format });
    assert.equal(size.full.tools, expected);
    assert.equal(size.request.tools, 3);
    assert.equal(size.request.bytes, size.parts.prompt.bytes + Buffer.byteLength(JSON.stringify(tools)));
    assert.ok(size.saved.share > 0.9, `${format} saves ${size.saved.share}`);
  }
});

test("search, add, and a real call that another real call can see", async () => {
  const sift = filled();
  const result = await converse({
    sift,
    session: sift.session("a"),
    run,
    script: [
      [["search_tools", { query: "create_entities" }]],
      [["add_tool", { tool_names: ["create_entities", "readGraph"] }]],
      [["create_entities", entity("Bergen")]],
      [["read_graph", {}]],
    ],
  });
  const added = [...DISCOVERY, "create_entities", "read_graph"];
  assert.deepEqual(result.sent.map((names) => [...names].sort()), [DISCOVERY, DISCOVERY, added, added, added].map((names) => [...names].sort()));
  assert.match(result.systems[0], /search_tools/);
  assert.deepEqual(JSON.parse(outcome(result, 0).output).tools.map((tool) => tool.name), ["create_entities"]);
  assert.equal(outcome(result, 1).output, "Added: create_entities, read_graph");
  assert.match(outcome(result, 2).output, /Bergen/);
  assert.match(outcome(result, 3).output, /Bergen/);
  assert.match(await graph(), /rains a lot/, "the server itself remembers");
  assert.equal(result.text, "done");
});

test("the model is sent the server's own schema, and nothing else of the definition", () => {
  const session = filled().session();
  session.reveal(["create_entities"]);
  const [sent] = session.assemble({ format: "anthropic" }).tools.slice(3);
  const { tools } = servers.servers.find((one) => one.name === "memory");
  const { name, description, inputSchema } = tools.find((tool) => tool.name === "create_entities");
  assert.deepEqual(sent, { name, description, input_schema: inputSchema });
});

test("what was not added cannot be called", async () => {
  const sift = filled();
  const before = await graph();
  const result = await converse({
    sift,
    session: sift.session("a"),
    run,
    script: [[["create_entities", entity("Nowhere")]], [["search_tools", { query: "entities" }]], [["create_entities", entity("Nowhere")]]],
  });
  for (const step of [0, 2]) assert.equal(outcome(result, step).type, "tool-error", "a search alone loads nothing");
  assert.equal(await graph(), before, "nothing ran");
  const refused = sift.session("a").call("create_entities", entity("Nowhere"));
  assert.equal(refused.kind, "refused");
  assert.equal(refused.error.code, "tool_not_revealed");
});

test("two conversations at once do not see each other's tools", async () => {
  const sift = filled();
  const add = (names) => [["add_tool", { tool_names: names }]];
  const converseWith = (id, script) => converse({ sift, session: sift.session(id), run, script });
  const [one, two] = await Promise.all([
    converseWith("one", [add(["echo"]), [["echo", { message: "first" }]], [["read_graph", {}]]]),
    converseWith("two", [add(["read_graph"]), [["read_graph", {}]], [["echo", { message: "second" }]]]),
  ]);
  assert.match(outcome(one, 1).output, /first/);
  assert.equal(outcome(one, 2).type, "tool-error");
  assert.equal(outcome(two, 1).type, "tool-result");
  assert.equal(outcome(two, 2).type, "tool-error");
  assert.ok(one.sent.at(-1).includes("echo") && !one.sent.at(-1).includes("read_graph"));
  assert.ok(two.sent.at(-1).includes("read_graph") && !two.sent.at(-1).includes("echo"));
});

test("a list that changes is followed", () => {
  const sift = filled();
  const session = sift.session();
  const { tools } = servers.servers.find((one) => one.name === "memory");
  session.reveal(["create_entities", "read_graph"]);
  const shorter = tools.filter((tool) => tool.name !== "create_entities");
  const changed = shorter.map((tool) => (tool.name === "read_graph" ? { ...tool, description: "Changed." } : tool));
  const report = sift.sync("memory", changed);
  assert.deepEqual([report.added, report.changed, report.removed], [[], ["read_graph"], ["create_entities"]]);
  assert.equal(report.unchanged, tools.length - 2);
  assert.deepEqual(session.assemble().tools.slice(3).map((tool) => [tool.name, tool.description]), [["read_graph", "Changed."]]);
  assert.equal(session.call("create_entities", {}).error.code, "tool_unknown");
});
