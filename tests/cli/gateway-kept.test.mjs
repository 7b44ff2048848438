/**
 * Tests servers that list more tools for more capable clients, and the definitions that the gateway stores between
 * processes.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { client, memory, opened, said, search, server } from "./gateways.mjs";

const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
const PLAIN = tool("add_numbers", "Adds two numbers");
const ASKING = tool("ask_user", "Asks the user for a name");

/** A server with one tool more for clients that can be asked for input. */
function adapting(plain = PLAIN) {
  return server("adapting", { add_numbers: {} }, (made) => {
    made.server.setRequestHandler("tools/list", () => {
      const canAsk = made.server.getClientCapabilities()?.elicitation !== undefined;
      return { tools: canAsk ? [plain, ASKING] : [plain] };
    });
  });
}

/** One process of the gateway over stdio with one client: what it finds, and how often the server was started. */
async function found(t, cache, capabilities, query, factory = adapting()) {
  const open = await opened(t, { adapting: factory }, { cache });
  const who = await client(t, open, { http: false, capabilities });
  const answer = said(await search(who, query));
  await who.close();
  return { answer, starts: open.starts.adapting ?? 0 };
}

const namesIn = ({ kept }) => kept.get("adapting").tools.map(({ name }) => name);

test("a client that can do more finds what the server has for it", async (t) => {
  const store = memory();
  await found(t, store, {}, "ask the user for a name");
  assert.deepEqual(namesIn(store), ["add_numbers"]);
  const { answer, starts } = await found(t, store, { elicitation: {} }, "ask the user for a name");
  assert.match(answer, /"name":"ask_user"/);
  assert.equal(starts, 1);
  assert.deepEqual(namesIn(store), ["add_numbers", "ask_user"]);
});

test("what was listed for a client that can do more is kept after one that can do less", async (t) => {
  const store = memory();
  await found(t, store, { elicitation: {} }, "add two numbers");
  const open = await opened(t, { adapting: adapting() }, { cache: store });
  const who = await client(t, open, { http: false });
  assert.match(said(await search(who, "add two numbers")), /"name":"add_numbers"/);
  assert.equal(open.starts.adapting, undefined, "a search starts no server");
  await who.callTool({ name: "call_destructive_tool", arguments: { name: "add_numbers", arguments: {} } });
  assert.equal(open.starts.adapting, 1);
  assert.deepEqual(namesIn(store), ["add_numbers", "ask_user"]);
  const { starts } = await found(t, store, { elicitation: {} }, "ask the user for a name");
  assert.equal(starts, 0);
});

test("a list that has changed is kept as it is now", async (t) => {
  const store = memory();
  await found(t, store, { elicitation: {} }, "add two numbers");
  const changed = adapting(tool("add_numbers", "Adds any numbers"));
  const open = await opened(t, { adapting: changed }, { cache: store });
  const who = await client(t, open, { http: false });
  await who.callTool({ name: "call_destructive_tool", arguments: { name: "add_numbers", arguments: {} } });
  assert.deepEqual(store.kept.get("adapting").tools, [tool("add_numbers", "Adds any numbers")]);
});

test("a server that is configured differently is kept as it is now", async (t) => {
  const store = memory();
  await found(t, store, { elicitation: {} }, "add two numbers");
  let isSame = true;
  const cache = { ...store, read: async (name) => (isSame ? store.read(name) : undefined) };
  const open = await opened(t, { adapting: adapting() }, { cache });
  const who = await client(t, open, { http: false });
  await search(who, "add two numbers");
  isSame = false;
  await open.gateway.setServers({ adapting: { command: "another" } });
  assert.deepEqual(namesIn(store), ["add_numbers"]);
});

test("what is not as it was written is told, and the server is asked anew", async (t) => {
  const store = memory();
  await found(t, store, {}, "add two numbers");
  const good = store.kept.get("adapting");
  for (const [key, value] of [
    ["tools", [{}]],
    ["tools", { 0: PLAIN }],
    ["prompts", [{ name: 7 }]],
    ["resources", [{ name: "a page" }]],
    ["resourceTemplates", [null]],
    ["capabilities", []],
    ["server", { name: "adapting" }],
    ["instructions", 7],
    ["era", "early"],
    ["offered", [7]],
  ]) {
    store.kept.set("adapting", { ...good, [key]: value });
    const open = await opened(t, { adapting: adapting() }, { cache: store });
    const who = await client(t, open, { http: false });
    assert.match(said(await search(who, "add two numbers")), /"name":"add_numbers"/);
    assert.deepEqual(open.problems, [`what was kept of adapting cannot be read: ${key} is not as it was written`]);
    assert.deepEqual([open.starts.adapting, store.kept.get("adapting")], [1, good]);
  }
});
