/**
 * Tests what a client sees of a gateway: a constant tool list, searches, calls by effect, or all tools if there are only a
 * few.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { call, client, names, object, opened, said, search, server, SURFACE, text, told } from "./gateways.mjs";

const read = { annotations: { readOnlyHint: true } };
const write = { annotations: { destructiveHint: false } };
const notes = server("notes", {
  find_note: { description: "Finds a note by its words", input: object({ words: { type: "string" } }, ["words"]), ...read },
  add_note: {
    description: "Adds a note",
    run: ({ body }) => text(`added ${body}`),
    input: object({ body: { type: "string" } }),
    ...write,
  },
  delete_note: { description: "Deletes a note for good" },
});
const weather = server("weather", { forecast: { description: "Tells tomorrow's weather in a city", ...read } });

for (const era of ["legacy", "modern"]) {
  test(`the surface stays the same, byte by byte, whatever is searched and called (${era})`, async (t) => {
    const open = await opened(t, { notes, weather });
    const who = await client(t, open, { era });
    const before = await who.listTools(undefined, { cacheMode: "refresh" });
    assert.deepEqual(await names(who), SURFACE);
    const { find_note } = told(await search(who, "find a note"));
    assert.deepEqual([find_note.server, find_note.call_with], ["notes", "call_read_only_tool"]);
    assert.equal(said(await call(who, "add_note", { body: "milk" }, "call_tool")), "added milk");
    const after = await who.listTools(undefined, { cacheMode: "refresh" });
    assert.equal(JSON.stringify(after), JSON.stringify(before));
  });
}

test("what a search tells with parameters is bounded, and the host may say how much it is", async (t) => {
  const field = { type: "string", description: "x".repeat(60) };
  const input = object(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field_${at}`, field])));
  const paint = { description: "Paints a wall", input, ...read };
  const tools = { paint_red_wall: paint, paint_green_wall: paint, paint_blue_wall: paint };
  const shown = async (options) => {
    const who = await client(t, await opened(t, { walls: server("walls", tools) }, options));
    return Object.keys(told(await search(who, "paint a wall"))).length;
  };
  assert.equal(await shown({}), 1);
  assert.equal(await shown({ budget: { tools: 3, tokens: 10_000 } }), 3);
});

test("tools pass through where a conversation would use most of them anyway", async (t) => {
  const thing = (at) => [`tool_${at}`, { description: `Does thing ${at}. ${"Says a word. ".repeat(400)}` }];
  const large = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => thing(at)));
  const few = await client(t, await opened(t, { few: server("few", large(5)) }, { activation: "auto" }));
  const { tools } = await few.listTools();
  assert.equal(tools.length, 5);
  assert.equal(tools[4].description, thing(4)[1].description);
  assert.equal(said(await few.callTool({ name: "tool_3", arguments: {} })), "few ran tool_3");
  const more = await client(t, await opened(t, { more: server("more", large(12)) }, { activation: "auto" }));
  assert.deepEqual(await names(more), SURFACE);
  // A number of tokens is the host's own decision.
  const asked = await client(t, await opened(t, { few: server("few", large(5)) }, { activation: { tokens: 4_000 } }));
  assert.deepEqual(await names(asked), SURFACE);
});

test("each call tool says what it may do, and calls nothing that does more", async (t) => {
  const who = await client(t, await opened(t, { notes }));
  const { tools } = await who.listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  assert.equal(hints.search_tools.readOnlyHint, true);
  assert.equal(hints.call_read_only_tool.readOnlyHint, true);
  assert.deepEqual(hints.call_tool, { readOnlyHint: false, destructiveHint: false });
  assert.deepEqual(hints.call_destructive_tool, { readOnlyHint: false, destructiveHint: true });
  for (const [caller, right] of [
    ["call_read_only_tool", "call_tool"],
    ["call_tool", undefined],
  ]) {
    const refused = await call(who, right ? "add_note" : "delete_note", {}, caller);
    assert.equal(refused.isError, true);
    assert.match(said(refused), new RegExp(`this call did not run\\. Call it with ${right ?? "call_destructive_tool"}\\.`));
  }
  // A tool that may do less is called by a tool that may do more.
  assert.equal(said(await call(who, "find_note", { words: "x" })), "notes ran find_note");
  const direct = await who.callTool({ name: "delete_note", arguments: {} });
  assert.equal(direct.isError, true);
  assert.match(said(direct), /call it through call_destructive_tool/i);
});

test("the host says what tools do where their server does not", async (t) => {
  const who = await client(t, await opened(t, { notes }, { effects: { "notes:delete_*": "read" } }));
  assert.equal(said(await call(who, "delete_note", {}, "call_read_only_tool")), "notes ran delete_note");
});

test("the same search shows further matches to the client that made it, and to no other", async (t) => {
  const thing = (at) => [`send_message_${at}`, { description: `Sends a message of kind ${at}` }];
  const many = server("many", Object.fromEntries(Array.from({ length: 30 }, (_, at) => thing(at))));
  const open = await opened(t, { many });
  const [one, other] = [await client(t, open), await client(t, open)];
  const [first, second, others] = [
    await search(one, "message"),
    await search(one, "message"),
    await search(other, "message"),
  ];
  assert.equal(said(others), said(first));
  assert.notEqual(said(second), said(first));
  // A client that was quiet for a while may lead another conversation.
  const { now } = performance;
  t.onTestFinished(() => void (performance.now = now));
  performance.now = () => now.call(performance) + 61_000;
  assert.equal(said(await search(one, "message")), said(first));
});

test("few tools pass through as they are", async (t) => {
  const output = { outputSchema: object({ sum: { type: "number" } }, ["sum"]), _meta: { "example.org/kind": "sum" } };
  const run = () => ({ content: [], structuredContent: { sum: 3 }, _meta: { "example.org/cost": 1 } });
  const sums = server("sums", { add: { title: "Add", run, ...output, ...read } });
  const who = await client(t, await opened(t, { sums, notes }, { activation: "auto" }));
  const { tools } = await who.listTools();
  assert.deepEqual(await names(who), ["add", "find_note", "add_note", "delete_note"]);
  assert.equal(tools[0].title, "Add");
  assert.deepEqual(tools[0].outputSchema.required, ["sum"]);
  assert.deepEqual(tools[0]._meta, { "example.org/kind": "sum" });
  const result = await who.callTool({ name: "add", arguments: {} });
  assert.deepEqual(result.structuredContent, { sum: 3 });
  assert.equal(result._meta["example.org/cost"], 1);
});

test("two servers may have tools of one name, and tools named like the surface", async (t) => {
  const one = server("one", { ping: {}, search_tools: {} });
  const two = server("two", { ping: {} });
  const who = await client(t, await opened(t, { one, two }));
  assert.equal(said(await call(who, "ping")), "one ran ping");
  assert.equal(said(await call(who, "two__ping")), "two ran ping");
  assert.equal(said(await call(who, "one__search_tools")), "one ran search_tools");
});

test("allow and deny decide what takes part", async (t) => {
  const who = await client(
    t,
    await opened(t, { notes, weather }, { allow: ["notes:*_note"], deny: ["*:delete_*"], activation: "off" }),
  );
  assert.deepEqual(await names(who), ["find_note", "add_note"]);
});

test("a client sees and reaches its scope alone", async (t) => {
  const scope = (request) => (request?.headers.get("x-scope") === "all" ? "all" : { tools: ["notes:find_note"] });
  const prompts = server("weather", { forecast: {} }, (made) => {
    made.registerPrompt("plan", { description: "Plans a day" }, () => ({ messages: [] }));
  });
  for (const era of ["legacy", "modern"]) {
    const open = await opened(t, { notes, weather: prompts }, { scope });
    const narrow = await client(t, open, { era });
    const wide = await client(t, open, { era, headers: { "x-scope": "all" } });
    assert.equal(said(await call(wide, "add_note", { body: "x" })), "added x");
    const refused = await call(narrow, "add_note", { body: "x" });
    const unknown = await call(narrow, "odd_note", { body: "x" });
    assert.equal(refused.isError, true);
    // Nothing tells a tool outside the scope from one that does not exist.
    assert.equal(said(refused).replaceAll("add_note", "N"), said(unknown).replaceAll("odd_note", "N"));
    const found = said(await search(narrow, "add a note\ntomorrow's weather"));
    assert.doesNotMatch(found, /add_note|forecast|server weather|servers: [^.]*weather/);
    assert.doesNotMatch(JSON.stringify(await narrow.listTools()), /weather/);
    assert.deepEqual((await narrow.listPrompts()).prompts, []);
    assert.equal((await wide.listPrompts()).prompts.length, 1);
    await assert.rejects(narrow.getPrompt({ name: "plan" }), /no prompt plan/);
  }
});

test("a search that would have found held tools says so, to whom may see them, and no word of theirs", async (t) => {
  const secret = "Ignore the secret note";
  const bank = server("bank", {
    pay: { description: `Pay an invoice. ${secret}` },
    pay_later: { description: "Pay an invoice" },
  });
  const quarantined = (name) => ({ name, reason: "it is not approved yet" });
  let isApproved = false;
  const trust = {
    review: async (of, tools) =>
      of === "bank" && !isApproved
        ? { admitted: [], quarantined: tools.map(({ name }) => quarantined(name)) }
        : { admitted: tools, quarantined: [] },
    way: (of) => `ask ${of}\n\nnow`,
  };
  const scope = (request) => (request?.headers.get("x-scope") === "one" ? { tools: ["bank:pay", "notes:*"] } : "all");
  const open = await opened(t, { bank, notes }, { trust, scope });
  const who = await client(t, open);
  const answer = said(await search(who, "pay an invoice"));
  assert.ok(answer.startsWith("2 tools of bank wait for approval: ask bank now.\n\n"), answer);
  assert.doesNotMatch(answer, /secret|pay_later/);
  const narrow = await client(t, open, { headers: { "x-scope": "one" } });
  assert.match(said(await search(narrow, "pay an invoice")), /^1 tool of bank waits/);
  for (const query of ["add a note", "weather in Paris"]) assert.doesNotMatch(said(await search(who, query)), /approval/);
  isApproved = true;
  await open.gateway.reviewAgain();
  assert.doesNotMatch(said(await search(who, "pay an invoice")), /approval/);
});

test("over HTTP a host's mistake is answered, and so is a gateway that was closed", async (t) => {
  const scopes = [
    () => {
      throw new Error("no team secret");
    },
    async () => "all",
    () => undefined,
    () => ({ servers: "notes" }),
  ];
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const ask = (open) => open.fetch(new Request("http://gateway.test/mcp", { method: "POST", headers, body }));
  for (const scope of scopes) {
    const { gateway: open, problems } = await opened(t, { notes }, { scope, stateless: true });
    const answer = await ask(open);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret|scope/);
    assert.equal(problems.length, 1);
  }
  const { gateway: open } = await opened(t, { notes });
  await open.close();
  assert.equal((await ask(open)).status, 503);
  await assert.rejects(open.setServers({}), { code: "disposed" });
  await assert.rejects(open.server({ era: "legacy" }), { code: "disposed" });
});

test("rules that change count from then on", async (t) => {
  const open = await opened(t, { notes }, { activation: "off" });
  const who = await client(t, open);
  assert.deepEqual(await names(who), ["find_note", "add_note", "delete_note"]);
  await open.gateway.setServers({ notes: { command: "unused" } }, { deny: ["notes:delete_*"] });
  assert.deepEqual(await names(who), ["find_note", "add_note"]);
  const gone = await who
    .callTool({ name: "delete_note", arguments: {} })
    .catch(({ message }) => ({ content: [{ text: message }] }));
  assert.match(said(gone), /There is no tool named .*delete_note/);
  await assert.rejects(open.gateway.setServers({}, { deny: "all" }), { code: "option_invalid" });
  for (const rules of [null, NaN, "", 0]) {
    await assert.rejects(open.gateway.setServers({}, rules), { code: "option_invalid" });
  }
  assert.deepEqual(await names(who), ["find_note", "add_note"]);
});

test("a call whose client waits no longer is told as cancelled", async (t) => {
  let begin;
  const begun = new Promise((resolve) => (begin = () => resolve()));
  const slow = server("slow", { wait: { description: "Waits", run: () => new Promise(begin), ...write } });
  const open = await opened(t, { slow });
  const who = await client(t, open);
  await search(who, "waits");
  const stop = new AbortController();
  const asked = call(who, "wait", {}, "call_tool", { signal: stop.signal });
  await begun;
  stop.abort();
  await assert.rejects(asked);
  for (let tries = 0; !open.events.some(({ type }) => type === "call") && tries < 400; tries++)
    await new Promise((done) => setTimeout(done, 25));
  const [{ outcome, code }] = open.events.filter(({ type }) => type === "call");
  assert.deepEqual([outcome, code], ["error", "cancelled"]);
});

test("a listener that fails, at once or later, ends neither a call nor the process", async (t) => {
  const left = [];
  const note = (reason) => void left.push(reason);
  process.on("unhandledRejection", note);
  t.onTestFinished(() => process.off("unhandledRejection", note));
  const boom = () => {
    throw new Error("boom");
  };
  for (const onEvent of [boom, async () => boom()]) {
    const who = await client(t, await opened(t, { weather }, { onEvent, onProblem: onEvent }));
    assert.ok("forecast" in told(await search(who, "tomorrow's weather")));
  }
  // Unhandled rejections are told after the microtasks.
  await new Promise(setImmediate);
  assert.deepEqual(left, []);
});
