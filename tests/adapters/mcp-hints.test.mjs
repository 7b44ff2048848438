/**
 * Tests the hints that MCP servers give about their tools.
 * 1. Annotations are in dispatch outcomes, in `sift.tools()` and in `session.tools()`. They follow changes of the list, and
 *    a rejected tool cannot change those of the tool that has its name.
 * 2. `anthropic/searchHint` and `toolsift/search` in `_meta` add search words, beside those of the program.
 * 3. `anthropic/alwaysLoad` counts only with `trustServerHints`, without a `deferral` of the program, and within a budget
 *    that all servers share.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { definitionHash } from "../../scripts/lib/packs/hash.mjs";
import { ECHO, LEADING, bench, tool } from "./lib/mcp.mjs";
import { pluck } from "./lib/tools.mjs";

const annotated = (name, annotations) => ({ ...tool(name), annotations });
const READ = { readOnlyHint: true, openWorldHint: false };
const DELETE = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

for (const sdk of LEADING) {
  const label = `toolsift/mcp (${sdk.label}): `;

  /** A catalog of one server, with a session. */
  async function connected(server, entry = {}, options = {}) {
    const its = await bench(sdk);
    const sift = new its.ToolSift({ activation: "on" });
    const { client, wire } = await its.wired(server);
    const servers = await its.connectMcp(sift, { a: { client, ...entry } }, options);
    return { ...its, sift, servers, wire, session: sift.session("chat") };
  }

  test(`${label}annotations reach whoever decides whether a call runs`, async () => {
    const server = {
      tools: [annotated("one", { ...READ, title: "One", more: 7 }), annotated("two", DELETE), tool("three")],
    };
    const { sift, servers, wire, session } = await connected(server);
    const annotations = () => Object.fromEntries(sift.tools().map((one) => [one.name, one.annotations]));
    assert.deepEqual(annotations(), { one: READ, two: DELETE, three: undefined });
    assert.deepEqual(
      session.tools().map((one) => one.annotations),
      [READ, DELETE, undefined],
    );
    session.reveal(["one", "two", "three"]);
    assert.deepEqual(session.call("one", {}).annotations, READ);
    assert.equal("annotations" in session.call("three", {}), false);
    session.call("one", {}).annotations.readOnlyHint = false;
    assert.deepEqual(session.call("one", {}).annotations, READ, "what a host changes is its own copy");

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
    assert.ok(
      sift.tools().every(({ deferral }) => deferral === "automatic"),
      "nobody has said that the server is trusted",
    );
    assert.deepEqual(servers.status()[0].rejected, []);
    assert.deepEqual(pluck(sift.search("umbrella").hits, "name"), ["two"]);
    assert.equal(session.assemble().tools.length, 3);

    const trusted = await connected({ tools }, { trustServerHints: true });
    assert.deepEqual(pluck(trusted.sift.tools(), "deferral"), ["never", "automatic", "automatic", "automatic"]);
    assert.deepEqual(
      trusted.session
        .assemble()
        .tools.slice(3)
        .map(({ name }) => name),
      ["one"],
    );

    const own = await connected({ tools }, { trustServerHints: true, deferral: "automatic" });
    assert.ok(
      own.sift.tools().every(({ deferral }) => deferral === "automatic"),
      "the host's word counts",
    );
    await assert.rejects(connected({ tools }, { trustServerHints: "yes" }), { code: "option_invalid" });
  });

  test(`${label}the words of a server and those of the program are joined, and what are none is passed over`, async () => {
    const said = { "toolsift/search": { queries: ["is it wet outside"], keywords: ["hail"] }, secret: "s" };
    const broken = { "toolsift/search": { keywords: "clock" } };
    const tools = [
      { ...tool("one"), _meta: said },
      { ...tool("two"), _meta: broken },
    ];
    const entry = { name: "one", hash: definitionHash("one", tools[0].description), keywords: ["drizzle"] };
    const { sift } = await connected({ tools }, {}, { enrichment: [entry] });
    const found = (query) => pluck(sift.search(query).hits, "name");
    assert.deepEqual(["drizzle", "hail", "wet outside", "secret", "clock"].map(found), [["one"], ["one"], ["one"], [], []]);
    assert.equal(sift.tools().length, 2);
  });

  test(`${label}all servers of a catalog share its budget, the first one first, and one that leaves gives its share back`, async () => {
    const wishing = (prefix) => {
      return Array.from({ length: 2 }, (_, at) => ({ ...tool(`${prefix}${at}`), _meta: { "anthropic/alwaysLoad": true } }));
    };
    const its = await bench(sdk);
    const sift = new its.ToolSift({ activation: "on", budget: { tools: 3 } });
    const always = () => sift.tools().flatMap(({ name, deferral }) => (deferral === "never" ? [name] : []));
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((prefix) => its.wired({ tools: wishing(prefix) })));
    const servers = await its.connectMcp(sift, { a: a.client, b: b.client }, { trustServerHints: true });
    assert.deepEqual(always(), ["a0", "a1", "b0"]);
    const more = await its.connectMcp(sift, { c: c.client }, { trustServerHints: true });
    await servers.refresh();
    assert.deepEqual(always(), ["a0", "a1", "b0"], "whoever has a share keeps it");
    servers.remove("a");
    await more.refresh();
    assert.deepEqual(always(), ["b0", "c0", "c1"]);
  });
}
