/**
 * The profile that adds what it found, in AI SDK's own loop, over six real MCP servers.
 *
 * 1. All tools of all servers are registered, and the model is sent three. 2. search_tools, add_tool, a real call: the
 * model is sent the schema exactly from the step after it was added, and the server did what was asked. 3. What was not
 * added cannot be called. 4. Two conversations at once do not see each other's tools. 5. A list that changes is followed.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { converse } from "./agent.mjs";
import { openOffice, outcome } from "./office.mjs";

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];

let office;

before(async () => void (office = await openOffice()));

after(() => office?.close());

const filled = () => office.filled({ profile: "search-add" });
const run = (...call) => office.run(...call);

const entity = (name) => ({ entities: [{ name, entityType: "city", observations: ["rains a lot"] }] });
const graph = () => run("memory", "read_graph", {});

test("six servers, 159 tools, and the model is sent three", () => {
  const sift = filled();
  const expected = office.servers.reduce((sum, { tools }) => sum + tools.length, 0);
  assert.equal(office.servers.length, 6);
  // One server's list depends on what the client can do, by one tool.
  assert.ok(Math.abs(expected - 159) <= 1, `${expected} tools`);
  assert.equal(sift.tools().length, expected);
  for (const format of ["mcp", "openai", "openai-responses", "anthropic", "google"]) {
    const { size, tools } = sift.session("s").assemble({ format });
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
  assert.deepEqual(
    result.sent.map((names) => [...names].sort()),
    [DISCOVERY, DISCOVERY, added, added, added].map((names) => [...names].sort()),
  );
  assert.match(result.systems[0], /search_tools/);
  assert.deepEqual(
    JSON.parse(outcome(result, 0).output).tools.map((tool) => tool.name),
    ["create_entities"],
  );
  assert.equal(outcome(result, 1).output, "Added: create_entities, read_graph");
  assert.match(outcome(result, 2).output, /Bergen/);
  assert.match(outcome(result, 3).output, /Bergen/);
  assert.match(await graph(), /rains a lot/, "the server itself remembers");
  assert.equal(result.text, "done");
});

test("the model is sent the server's own schema, and nothing else of the definition", () => {
  const session = filled().session("s");
  session.reveal(["create_entities"]);
  const [sent] = session.assemble({ format: "anthropic" }).tools.slice(3);
  const tools = office.toolsOf("memory");
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
    script: [
      [["create_entities", entity("Nowhere")]],
      [["search_tools", { query: "entities" }]],
      [["create_entities", entity("Nowhere")]],
    ],
  });
  for (const step of [0, 2]) {
    assert.equal(outcome(result, step).type, "tool-error", "a search alone loads nothing");
    assert.match(outcome(result, step).error.message, /create_entities is not loaded.*add_tool/);
  }
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
  const session = sift.session("s");
  const tools = office.toolsOf("memory");
  session.reveal(["create_entities", "read_graph"]);
  const shorter = tools.filter((tool) => tool.name !== "create_entities");
  const changed = shorter.map((tool) => (tool.name === "read_graph" ? { ...tool, description: "Changed." } : tool));
  const report = sift.sync("memory", changed);
  assert.deepEqual([report.added, report.changed, report.removed], [[], ["read_graph"], ["create_entities"]]);
  assert.equal(report.unchanged, tools.length - 2);
  assert.deepEqual(
    session
      .assemble()
      .tools.slice(3)
      .map((tool) => [tool.name, tool.description]),
    [["read_graph", "Changed."]],
  );
  assert.equal(session.call("create_entities", {}).error.code, "tool_unknown");
});
