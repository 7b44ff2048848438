/**
 * The default profile in AI SDK's own loop, over six real MCP servers.
 *
 * 1. The model says what it needs in plain words, and is sent what fits from the next step on; the real server does what
 * was asked. 2. A call that comes too early does not run and is told the schema; the second attempt runs. 3. A call that
 * fails again for the same reason is told to stop; one that fails otherwise is not. 4. The same search goes on where it
 * stopped. 5. What nothing fits loads nothing, and says so. 6. Several things are found at once, within the budget.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { converse } from "./agent.mjs";
import { openOffice, outcome } from "./office.mjs";

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];

let office;

before(async () => void (office = await openOffice()));

after(() => office?.close());

const run = (...call) => office.run(...call);
const entity = (name) => ({ entities: [{ name, entityType: "city", observations: ["rains a lot"] }] });
const search = (query) => ["search_tools", { query }];

/** One conversation of the default profile. */
function conversation(script, options) {
  const sift = office.filled(options);
  return converse({ sift, session: sift.session("chat"), run, script });
}

/** Names that an answer lists, in their order. */
const listed = (text) => [...text.matchAll(/^- ([^(]+)\(/gm)].map(([, name]) => name);

test("what is searched for in plain words is loaded, and runs", async () => {
  const result = await conversation([
    [search("create entities in the knowledge graph")],
    [["create_entities", entity("Tromsø")]],
    [search("read the whole knowledge graph")],
    [["read_graph", {}]],
  ]);
  assert.deepEqual(result.sent[0].sort(), [...DISCOVERY].sort(), "nothing is loaded at first");
  assert.match(result.systems[0], /search_tools/);
  assert.match(result.systems[0], /^- memory \(9\)$/m, "the servers are named, and how many tools each has");
  assert.match(outcome(result, 0).output, /^Loaded\..*\n- create_entities\(entities\)/m);
  assert.ok(result.sent[1].includes("create_entities"), "from the next step on");
  assert.match(outcome(result, 1).output, /Tromsø/);
  assert.match(outcome(result, 3).output, /Tromsø/, "the server itself remembers");
  assert.equal(result.text, "done");
});

test("a call that comes too early is refused with its schema, and the second attempt runs", async () => {
  const before = await run("memory", "read_graph", {});
  const result = await conversation([
    [["create_entities", { names: ["Nowhere"] }]],
    [["create_entities", entity("Kiruna")]],
  ]);
  const early = outcome(result, 0);
  assert.equal(early.type, "tool-error");
  assert.ok(!before.includes("Kiruna"));
  const schema = office.toolsOf("memory").find(({ name }) => name === "create_entities").inputSchema;
  assert.ok(early.error.message.includes(JSON.stringify(schema)), "the message holds the server's own schema");
  assert.ok(result.sent[1].includes("create_entities"));
  assert.match(outcome(result, 1).output, /Kiruna/);
});

test("the same failing call is told to stop, another is not", async () => {
  const script = [[search("")], [search("")], [["search_tools", {}]], [["search_tools", {}]]];
  const result = await conversation(script);
  const told = result.outcomes.slice(0, script.length).map(([one]) => /do not repeat it/.test(one.output));
  assert.deepEqual(told, [false, true, false, true]);
  const sift = office.filled();
  const calls = ["nope", "nope", "nopf"].map((name) => sift.session("s").call(name, {}).error.message);
  assert.deepEqual(
    calls.map((message) => /do not repeat it/.test(message)),
    [false, true, false],
  );
});

test("the same search goes on where it stopped", async () => {
  const result = await conversation([[search("list")], [search("list")], [search("files")], [search("list")]]);
  const pages = [0, 1, 3].map((step) => listed(outcome(result, step).output));
  assert.deepEqual(
    pages.map((page) => page.length),
    [10, 10, 10],
  );
  assert.equal(new Set(pages.flat()).size, 30, "no page repeats another");
});

test("where nothing fits nothing is loaded, and the model is told", async () => {
  const result = await conversation([[search("marinate zucchini overnight")]]);
  assert.match(outcome(result, 0).output, /^No tool /);
  assert.match(outcome(result, 0).output, /No tool knows: .*zucchini/);
  assert.deepEqual(result.sent[1].sort(), [...DISCOVERY].sort());
});

test("several things are found at once, within the budget", async () => {
  const both = "create entities in the knowledge graph and send a message to a slack channel";
  const found = await conversation([[search(both)]]);
  for (const name of ["create_entities", "slack_post_message"]) {
    assert.ok(listed(outcome(found, 0).output).includes(name), outcome(found, 0).output);
  }
  const one = await conversation([[search("create entities in the knowledge graph")]], { budget: { tools: 1 } });
  assert.deepEqual(
    one.sent[1].filter((name) => !DISCOVERY.includes(name)),
    ["create_entities"],
  );
  const none = await conversation([[search("create entities in the knowledge graph")]], { budget: { tools: 0 } });
  assert.deepEqual(none.sent[1].sort(), [...DISCOVERY].sort());
});
