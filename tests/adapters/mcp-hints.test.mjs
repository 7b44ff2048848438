/**
 * What MCP servers say of their tools, beside what the model reads.
 *
 * 1. Annotations are on the dispatch that a host gets, on `sift.tools()` and on `session.tools()`; they follow the list as it
 * changes, and a rejected tool cannot change those of the tool that has its name. 2. `_meta` with `anthropic/alwaysLoad` and
 * `anthropic/searchHint` decides on deferral and search, unless the host has said what it wants.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, SDKS, bench, tool } from "./lib/mcp.mjs";

const annotated = (name, annotations) => ({ ...tool(name), annotations });
const READ = { readOnlyHint: true, openWorldHint: false };
const DELETE = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

for (const sdk of SDKS) {
  const label = `toolsift/mcp (${sdk.label}): `;

  /** A catalog of one server, with a session. */
  async function connected(server, entry = {}) {
    const its = await bench(sdk);
    const sift = new its.ToolSift({ activation: "on" });
    const { client, wire } = await its.wired(server);
    const servers = await its.connectMcp(sift, { a: { client, ...entry } });
    return { ...its, sift, servers, wire, session: sift.session("chat") };
  }

  test(`${label}annotations reach whoever decides whether a call runs`, async () => {
    const server = {
      tools: [annotated("one", { ...READ, title: "One", more: 7 }), annotated("two", DELETE), tool("three")],
    };
    const { sift, servers, wire, session, runTools } = await connected(server);
    const annotations = () => Object.fromEntries(sift.tools().map((one) => [one.name, one.annotations]));
    assert.deepEqual(annotations(), { one: READ, two: DELETE, three: undefined });
    assert.deepEqual(session.tools().map((one) => one.annotations), [READ, DELETE, undefined]);
    session.reveal(["one", "two", "three"]);
    assert.deepEqual(session.call("one", {}).annotations, READ);
    assert.equal("annotations" in session.call("three", {}), false);
    session.call("one", {}).annotations.readOnlyHint = false;
    assert.deepEqual(session.call("one", {}).annotations, READ, "what a host changes is its own copy");

    // A host that lets a loop run only what changes nothing.
    const execute = (dispatch) => {
      if (dispatch.annotations?.readOnlyHint !== true) throw new Error("not approved");
      return servers.execute(dispatch);
    };
    const replies = [[{ id: "1", name: "one" }, { id: "2", name: "two" }, { id: "3", name: "three" }], []];
    const answers = [];
    const answered = (all) => void answers.push(...all.map(({ content }) => content));
    await runTools(session, { send: () => ({ calls: replies.shift() }), answered, execute });
    assert.deepEqual(answers, ["one ran", "two failed: not approved", "three failed: not approved"]);

    server.tools = [annotated("one", DELETE), annotated("two", undefined)];
    wire.change();
    await servers.execute(ECHO);
    assert.deepEqual(annotations(), { one: DELETE, two: undefined });
    servers.remove("a");
    sift.register([tool("one")], { server: "a" });
    assert.deepEqual(annotations(), { one: undefined }, "a tool of the same name has none of its own");
  });

  test(`${label}tools that should always be there, and hints for search`, async () => {
    const meta = (name, _meta) => ({ ...tool(name), _meta });
    const tools = [
      meta("one", { "anthropic/alwaysLoad": true }),
      meta("two", { "anthropic/searchHint": "umbrella\n  weather" }),
      meta("three", { "anthropic/alwaysLoad": "yes", "anthropic/searchHint": 7 }),
      meta("four", { "anthropic/searchHint": "x".repeat(1_000) }),
    ];
    const { sift, session, servers } = await connected({ tools });
    assert.deepEqual(sift.tools().map(({ deferral }) => deferral), ["never", "automatic", "automatic", "automatic"]);
    assert.deepEqual(servers.status()[0].rejected, []);
    assert.deepEqual(sift.search("umbrella").hits.map(({ name }) => name), ["two"]);
    assert.deepEqual(session.assemble().tools.slice(3).map(({ name }) => name), ["one"]);

    const own = await connected({ tools }, { deferral: "automatic" });
    assert.ok(own.sift.tools().every(({ deferral }) => deferral === "automatic"), "the host's word counts");
  });
}

test("annotations of tools that a host registers by itself", async () => {
  const { ToolSift } = await bench(SDKS[0]);
  const sift = new ToolSift();
  const of = (name) => sift.tools().find((one) => one.name === name).annotations;
  sift.register([annotated("one", READ), annotated("two", { readOnlyHint: "yes" })], { server: "a" });
  sift.register({ ...annotated("three", DELETE), server: "b" });
  sift.register([annotated("one", DELETE)], { server: "b" });
  assert.deepEqual([of("one"), of("two"), of("three"), of("b__one")], [READ, undefined, DELETE, DELETE]);
  const { rejected } = sift.register([annotated("one", { destructiveHint: false })], { server: "a" });
  assert.equal(rejected[0].code, "duplicate_tool");
  assert.deepEqual(of("one"), READ);
  assert.throws(() => sift.register({ ...annotated("one", DELETE), server: "a" }), { code: "duplicate_tool" });
  assert.deepEqual(of("one"), READ);
  sift.unregister({ names: ["one"] });
  sift.register([tool("one")], { server: "a" });
  assert.equal(of("one"), undefined);
  sift.sync("b", [annotated("three", READ)]);
  assert.deepEqual(of("three"), READ);
  const trap = { ...tool("trap"), get annotations() { throw new Error("boom"); } };
  assert.deepEqual(sift.register([trap], { server: "c" }).rejected.map(({ code }) => code), ["not_json"]);
});
