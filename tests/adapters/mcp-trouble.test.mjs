/**
 * Tests servers that disappear and come back, with clients of both SDKs.
 * 1. If a server dies, its tools are removed, a call reports it, and the other servers continue.
 * 2. With a new client, from `add` or `reconnect`, the tools are back, and those that were loaded are loaded again.
 * 3. A server that dies repeatedly, or never starts, is given up.
 * 4. An HTTP server that has lost its sessions is connected again, and the call is repeated.
 * 5. Calls end at their time limit or when the program cancels them. Each server has its own limits, and progress gives a
 *    call more time.
 */

import assert from "node:assert/strict";
import { test, vi } from "vitest";
import { sessionAfter } from "../../pkg/src/upstream/call.ts";
import { Link } from "../../pkg/src/upstream/link.ts";
import { fastClock } from "./lib/fast-clock.mjs";
import { ECHO, LEADING, bench, pair, said, tool, until } from "./lib/mcp.mjs";
import { pluck } from "./lib/tools.mjs";

for (const sdk of LEADING) {
  const label = `toolsift/mcp (${sdk.label}): `;

  const opened = (options) => pair(sdk, options);

  test(`${label}a server that dies takes its tools along, and nobody else's; a new client brings them back`, async () => {
    const told = [];
    const { servers, session, sent, a, wired } = await opened({ onChange: (status) => told.push(status) });
    assert.deepEqual(sent(), ["one", "three"]);
    await a.wire.close();
    await until("closed", () => servers.status()[0].state === "closed");
    assert.deepEqual(sent(), ["three"]);
    assert.equal(session.call("one", {}).error.code, "tool_unknown");
    await assert.rejects(servers.execute(ECHO), {
      code: "not_currently_available",
      message: /a is not available: its connection has ended/,
    });
    assert.equal((await servers.execute({ server: "b", name: "three", arguments: {} })).content[0].text, "three ran");
    assert.deepEqual(
      told.map(({ name, state }) => `${name} ${state}`),
      ["a connected", "b connected", "a closed"],
    );
    assert.deepEqual(told[2].removed, ["one", "two"]);
    assert.equal(servers.status()[1].state, "connected");

    const other = await wired({ tools: [tool("one")] });
    assert.deepEqual((await servers.add("c", other.client)).added, ["c__one"], "its names go to no other server");
    const again = await wired({ tools: [tool("one"), tool("four")] });
    const status = await servers.add("a", again.client);
    assert.deepEqual([status.state, status.tools], ["connected", 2]);
    assert.deepEqual(sent(), ["one", "three"], "in the place that it had");
    assert.equal((await servers.execute(ECHO)).content[0].text, "one ran");
    assert.equal(servers.client("a"), again.client);
    for (const name of ["a", "c"]) servers.remove(name);
    assert.deepEqual((await servers.add("c", other.client)).added, ["one"], "until the host removes the server");
  });

  test(`${label}a session that was restored before its servers are there has its reveals when they are`, async () => {
    const { session, servers, sift, ToolSift, connectMcp, wired } = await opened();
    const snapshot = session.snapshot();
    await servers.close();
    assert.deepEqual([sift.tools(), session.revealed], [[], []]);
    const later = new ToolSift();
    const { session: restored, missing } = later.restore(snapshot);
    assert.equal(missing.length, 2);
    const [a, b] = [await wired({ tools: [tool("one")] }), await wired({ tools: [tool("three")] })];
    await connectMcp(later, { b: b.client, a: a.client });
    assert.deepEqual(restored.revealed, ["one", "three"], "in the order of their reveal");
  });

  test(`${label}with reconnect, tools stay and calls wait until the server is there again`, async () => {
    const states = [];
    let attempts = 0;
    const { servers, sent, a, wired } = await opened({
      onChange: ({ state }) => states.push(state),
      reconnect: async (name) => {
        attempts += 1;
        if (attempts === 1) throw new Error("not yet");
        assert.equal(name, "a");
        return (await wired({ tools: [tool("one"), tool("five")] })).client;
      },
    });
    await a.wire.close();
    assert.deepEqual(sent(), ["one", "three"]);
    assert.equal((await servers.execute(ECHO)).content[0].text, "one ran");
    assert.deepEqual(states, ["connected", "connected", "reconnecting", "connected"]);
    const [{ state, added, removed, error }] = servers.status();
    assert.deepEqual(
      { state, added, removed, error },
      { state: "connected", added: ["five"], removed: ["two"], error: null },
    );
  });

  test(`${label}a server that dies again and again loses its tools, and is tried less and less, until it is back`, async (t) => {
    fastClock(t, 10);
    let attempts = 0;
    const { servers, sent, a, wired } = await opened({
      reconnect: async () => {
        attempts += 1;
        const { client, wire } = await wired({ tools: [tool("one")] });
        if (attempts < 8) setTimeout(() => wire.close(), 5);
        return client;
      },
    });
    await a.wire.close();
    await until("away", () => servers.status()[0].state === "closed");
    assert.deepEqual(sent(), ["three"]);
    await assert.rejects(servers.execute(ECHO), { code: "not_currently_available" });
    await until("back", () => servers.status()[0].state === "connected" && attempts >= 8);
    assert.deepEqual(sent(), ["one", "three"]);
  });

  test(`${label}an error of the server's own that looks like a forgotten client is an answer, and the call is not repeated`, async () => {
    let attempts = 0;
    const { servers, a } = await opened({ reconnect: () => (attempts += 1) });
    const { send } = a.wire;
    const error = { code: 404, message: "no such page", data: { status: 404 } };
    a.wire.send = async (message) =>
      message.method === "tools/call" ? a.wire.say({ id: message.id, error }) : send(message);
    await assert.rejects(servers.execute(ECHO), /no such page/);
    assert.deepEqual([attempts, servers.status()[0].state, servers.client("a")], [0, "connected", a.client]);
  });

  test(`${label}a run's signal that outlives its calls cancels only what is under way`, async () => {
    const tools = await bench(sdk);
    const { client, wire } = await tools.wired({ tools: [tool("one")] });
    const servers = await tools.connectMcp(new tools.ToolSift(), { a: client });
    const run = new AbortController();
    for (let times = 0; times < 3; times++) await servers.execute({ ...ECHO, signal: run.signal });
    wire.sent.length = 0;
    wire.send = async (message) => void wire.sent.push(message);
    const ending = servers.execute({ ...ECHO, signal: run.signal });
    await until("asked", () => wire.sent.length > 0);
    const [{ id }] = wire.sent;
    run.abort(new Error("enough"));
    await assert.rejects(ending, /enough/);
    const cancelled = () =>
      wire.sent.flatMap(({ method, params }) => (method === "notifications/cancelled" ? [params.requestId] : []));
    await until("the server is told", () => cancelled().length > 0);
    assert.deepEqual(cancelled(), [id]);
    const before = wire.sent.length;
    await assert.rejects(servers.execute({ ...ECHO, signal: run.signal }), /enough/);
    assert.equal(wire.sent.length, before, "what was ended before is not asked");
  });

  test(`${label}each server has limits of its own`, async () => {
    const tools = await bench(sdk);
    const never = { tools: [tool("one")], call: () => new Promise(() => {}) };
    // The message names the whole limit, also where the first page took some of it.
    const list = (cursor) => {
      if (cursor !== undefined) return new Promise(() => {});
      return new Promise((done) => setTimeout(done, 300, { tools: [tool("two")], nextCursor: "next" }));
    };
    const [a, b] = [await tools.wired(never), await tools.wired({ list })];
    const c = await tools.wired({ tools: [tool("three"), tool("four")] });
    const entries = {
      a: { client: a.client, callTimeoutMs: 50 },
      b: { client: b.client, timeoutMs: 1_000 },
      c: { client: c.client, maxTools: 1 },
    };
    const servers = await tools.connectMcp(new tools.ToolSift(), entries, { timeoutMs: 20_000 });
    await assert.rejects(servers.execute(ECHO), {
      code: "not_currently_available",
      message: "one of a took longer than 50 ms",
    });
    assert.deepEqual(pluck(servers.status(), "state", "error"), [
      ["connected", null],
      ["failed", "listing its tools took longer than 1000 ms"],
      ["connected", null],
    ]);
    assert.equal(servers.status()[2].incomplete, "it lists more than 1 tools");
    const bad = (options) => servers.add("d", { client: c.client, ...options });
    await assert.rejects(bad({ callTimeoutMs: 0 }), { code: "limit_out_of_range", message: /callTimeoutMs is 0/ });
    await assert.rejects(bad({ callTimeoutMs: 100, callTotalMs: 99 }), {
      code: "limit_out_of_range",
      message: /callTotalMs is 99; 100 to/,
    });
    await assert.rejects(bad({ reconnect: () => c.client }), { code: "option_unknown" });
    const ofAiSdk = { listTools() {}, callTool() {}, tools() {}, toolsFromDefinitions() {} };
    await assert.rejects(bad({ client: ofAiSdk }), {
      code: "option_invalid",
      message: /is of @ai-sdk\/mcp; .* its tools\(\)/,
    });
  });

  test(`${label}progress gives a call more time, up to the total`, async () => {
    const tools = await bench(sdk);
    /** Reports progress so many times, every 50 ms, and answers then. */
    const server = (times) => ({
      tools: [tool("one")],
      call: async (_name, args, wire) => {
        const { progressToken } = wire.sent.at(-1).params._meta;
        for (let progress = 1; progress <= times; progress++) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          wire.say({ method: "notifications/progress", params: { progressToken, progress } });
        }
        if (args.stall) await new Promise(() => {});
        return said("done");
      },
    });
    const [a, b] = [await tools.wired(server(22)), await tools.wired(server(100))];
    const limits = { callTimeoutMs: 1_000 };
    const entries = { a: { client: a.client, ...limits }, b: { client: b.client, ...limits, callTotalMs: 1_500 } };
    const servers = await tools.connectMcp(new tools.ToolSift(), entries);
    assert.equal((await servers.execute(ECHO)).content[0].text, "done", "1,100 ms and more, with a limit of 1,000");
    const stalling = servers.execute({ ...ECHO, arguments: { stall: true } });
    await assert.rejects(stalling, { code: "not_currently_available", message: "one of a made no progress for 1000 ms" });
    const endless = servers.execute({ ...ECHO, server: "b" });
    await assert.rejects(endless, { code: "not_currently_available", message: "one of b took longer than 1500 ms" });
    const cancelled = () => b.wire.sent.some(({ method }) => method === "notifications/cancelled");
    await until("the server is told", cancelled);
  });

  test(`${label}a pattern in a server's output schema runs nowhere`, async () => {
    const tools = await bench(sdk);
    const outputSchema = { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } };
    const structuredContent = { text: `${"a".repeat(28)}!` };
    const server = { tools: [{ ...tool("one"), outputSchema }], call: () => ({ ...said("done"), structuredContent }) };
    const { client } = await tools.wired(server);
    // Also where the host has let the SDK prepare its check.
    await client.listTools();
    const servers = await tools.connectMcp(new tools.ToolSift(), { a: client });
    const answer = await servers.execute(ECHO);
    assert.deepEqual(answer.structuredContent, structuredContent);
  });

  test(`${label}one that is dead, or cannot list its tools, is tried until it can`, async (t) => {
    fastClock(t, 20);
    const tools = await bench(sdk);
    const dead = await tools.wired({ tools: [tool("one")] });
    await dead.wire.close();
    let [attempts, lists] = [0, 0];
    const reconnect = async () => {
      if ((attempts += 1) < 7) throw new Error("not yet");
      return (await tools.wired({ tools: [tool("one")] })).client;
    };
    const list = () => {
      if ((lists += 1) < 3) throw new Error("no list");
      return { tools: [tool("two")] };
    };
    const odd = await tools.wired({ list });
    const told = [];
    const onChange = ({ name, state }) => told.push(`${name} ${state}`);
    const sift = new tools.ToolSift();
    const servers = await tools.connectMcp(sift, { a: dead.client, b: odd.client }, { reconnect, onChange });
    assert.deepEqual(sift.tools(), []);
    await until("both", () => servers.status().every(({ state }) => state === "connected"));
    assert.deepEqual(pluck(sift.tools(), "name").sort(), ["one", "two"]);
    assert.deepEqual([attempts, told.filter((one) => one === "a failed").length], [7, 1], "it is told once");
    await servers.close();
  });
}

test("a connection that is replaced stays until its calls are over, and is used where no other can be made", async (t) => {
  vi.useFakeTimers();
  t.onTestFinished(() => vi.useRealTimers());
  const [made, closed] = [[], []];
  let isAway = false;
  class OneServer extends Link {
    canDial = true;
    mostFailures = 1;
    hasLists = false;
    async dial() {
      if (isAway) throw new Error("away");
      const number = made.push(1);
      return { number, transport: { sessionId: "s" }, close: async () => void closed.push(number) };
    }
    async read() {}
    take() {}
    lost() {}
  }
  const link = new OneServer("s", { kinds: () => [], connectMs: 1_000, listMs: 1_000, isIsolated: false });
  const fail = (status) => Promise.reject(Object.assign(new Error("no session"), { status }));
  let finish;
  const again = link.use(({ number }) => (number === 1 ? fail(404) : new Promise((done) => (finish = done))));
  await vi.advanceTimersByTimeAsync(100);
  await assert.rejects(
    link.use(() => fail(503)),
    /no session/,
  );
  assert.equal(await link.use(async ({ number }) => number), 3);
  await vi.advanceTimersByTimeAsync(60_000);
  assert.deepEqual(closed, [1]);
  finish("done");
  assert.equal(await again, "done");
  await vi.advanceTimersByTimeAsync(1);
  assert.deepEqual(closed, [1, 2]);
  isAway = true;
  await assert.rejects(
    link.use(() => fail(503)),
    /no session/,
  );
  assert.equal(await link.use(async ({ number }) => number), 3);
});

test("a server that answers neither a call nor a ping is connected again, one that answers a ping is not", async (t) => {
  vi.useFakeTimers();
  t.onTestFinished(() => vi.useRealTimers());
  let [made, ping] = [0, () => new Promise(() => {})];
  const closed = [];
  class OneServer extends Link {
    canDial = true;
    mostFailures = 1;
    hasLists = false;
    async dial() {
      made += 1;
      const number = made;
      return { number, transport: {}, close: async () => void closed.push(number), ping: () => ping() };
    }
    async read() {}
    take() {}
    lost() {}
  }
  const link = new OneServer("s", { kinds: () => [], connectMs: 1_000, listMs: 1_000, isIsolated: false });
  const number = () => link.use(async (client) => client.number);
  const late = async (code, wrapped = (error) => error) => {
    await assert.rejects(
      link.use(() => Promise.reject(wrapped(Object.assign(new Error("late"), { code })))),
      /late/,
    );
    const before = await number();
    await vi.advanceTimersByTimeAsync(1_100);
    return [before, await number()];
  };
  assert.deepEqual(await late("not_currently_available"), [1, 2]);
  assert.deepEqual(await late("REQUEST_TIMEOUT", (cause) => new Error("late", { cause })), [2, 3]);
  assert.deepEqual(await late(-32_603), [3, 3], "an answer");
  ping = () => Promise.reject(new Error("no such method"));
  assert.deepEqual(await late("not_currently_available"), [3, 3]);
  assert.deepEqual(closed, []);
  link.finish();
  assert.deepEqual(closed, [1, 2], "at the end, a process that hangs does not stay");
});

/** Errors as AI SDK's client throws them: an HTTP status is a field, and the cause of an answer is what the server wrote. */
const gone = { code: -32_000, message: "the page is gone (HTTP 404)" };
for (const [what, error, expected] of [
  ["refused over HTTP", { message: "POSTing to endpoint (HTTP 404): ", statusCode: 404 }, "lost"],
  ["refused with a name", { message: "No valid session", statusCode: 400 }, "lost"],
  ["not reached", { message: "bad gateway", statusCode: 502 }, "doubtful"],
  ["answered", { ...gone, cause: gone }, undefined],
]) {
  test(`a call by AI SDK's client that was ${what} tells the state of the session`, () => {
    const client = { transport: { sessionId: "s" } };
    assert.equal(sessionAfter(client, { name: "MCPClientError", ...error }), expected);
  });
}
