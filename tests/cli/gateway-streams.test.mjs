/** Tests streams of the older protocol over HTTP that break off. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { call, client, opened, said, server, session, text } from "./gateways.mjs";

/** A tool that answers when it is told to, and two that send more than is kept: a long answer, many short messages. */
function tools() {
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  const slow = { run: () => finished.then(() => text("slow is done")) };
  const long = { run: () => text("x".repeat(33_000_000)) };
  const chatty = {
    run: async (_, { mcpReq }) => {
      const { progressToken } = mcpReq._meta;
      for (let progress = 1; progress <= 20_001; progress++) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress } });
      }
      return text("x");
    },
  };
  return { finish, factories: { one: server("one", { slow, long, chatty }) } };
}

/** Reads the first event of a stream, and breaks off. */
async function brokenOff(response) {
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  const event = new TextDecoder().decode(value);
  assert.match(event, /^retry: 1000$/m);
  assert.match(event, /^data: $/m);
  return /^id: (\S+)$/m.exec(event)[1];
}

test("the answer of a call comes on the stream that takes the call's stream up", async (t) => {
  const { finish, factories } = tools();
  const own = await session(await opened(t, factories, { activation: "off" }));
  const last = await brokenOff(await own.call("slow"));
  const early = await own.takeUp(last);
  finish();
  assert.match(await early.text(), /slow is done/);
  const late = await own.takeUp(last);
  assert.match(await late.text(), /slow is done/, "the answer is kept for a stream that breaks off again");
});

test("a session does not get the events of another", async (t) => {
  const { finish, factories } = tools();
  const open = await opened(t, factories, { activation: "off" });
  const [own, other] = [await session(open), await session(open)];
  const last = await brokenOff(await own.call("slow"));
  finish();
  assert.equal((await other.takeUp(last)).status, 400);
  assert.match(await (await own.takeUp(last)).text(), /slow is done/);
});

for (const [tool, least] of Object.entries({ long: 33_000_000, chatty: 20_001 * 50 })) {
  test(`the oldest events go where too much is kept: ${tool}`, async (t) => {
    const { finish, factories } = tools();
    const own = await session(await opened(t, factories, { activation: "off", maxAnswerChars: 40_000_000 }));
    const last = await brokenOff(await own.call("slow"));
    finish();
    const sent = await (await own.call(tool)).text();
    assert.ok(sent.length > least, `the client gets what is not kept: ${sent.slice(0, 200)}`);
    const refused = await own.takeUp(last);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /Invalid event ID/);
  });
}

test("the SDK's client gets the answer of a call whose stream broke off", async (t) => {
  const { finish, factories } = tools();
  const open = await opened(t, factories);
  let broken = 0;
  /** Breaks the stream of the first call off after its first event. */
  const breaking = {
    gateway: {
      fetch: async (request) => {
        const isCall = request.method === "POST" && (await request.clone().text()).includes("tools/call");
        const response = await open.gateway.fetch(request);
        if (!isCall || broken > 0) return response;
        broken++;
        const reader = response.body.getReader();
        const { value } = await reader.read();
        await reader.cancel();
        setTimeout(finish, 100);
        return new Response(new Blob([value]).stream(), { status: response.status, headers: response.headers });
      },
    },
  };
  const who = await client(t, breaking);
  const answer = await Promise.race([call(who, "slow"), pause(20_000, undefined, { ref: false })]);
  assert.equal(said(answer), "slow is done");
  assert.equal(broken, 1);
});

/** What keeps a session, and what ends it: each is done in one of two sessions for which there is room. */
const BUSY = {
  "a stream that is open": async (own) => {
    const stream = await own.listen();
    return () => stream.body.cancel();
  },
  "a call in flight": async (own, finish) => {
    const answer = await own.call("slow");
    return async () => (finish(), assert.match(await answer.text(), /slow is done/));
  },
  "a call in flight whose stream broke off": async (own, finish) => {
    const last = await brokenOff(await own.call("slow"));
    return async () => (finish(), assert.match(await (await own.takeUp(last)).text(), /slow is done/));
  },
};
for (const [what, begin] of Object.entries(BUSY)) {
  test(`a session is kept for ${what}, and others are not opened`, async (t) => {
    const { finish, factories } = tools();
    const open = await opened(t, factories, { activation: "off", maxSessions: 2 });
    const [busy, idle] = [await session(open), await session(open)];
    const end = await begin(busy, finish);
    await (await idle.list()).text();
    const later = await session(open);
    assert.equal((await idle.list()).status, 404, "the idle one went");
    const other = await later.listen();
    const refused = await session(open);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.match((await refused.json()).error.message, /All 2 sessions are in use/);
    const flood = await Promise.all(Array.from({ length: 20 }, () => session(open)));
    assert.ok(flood.every(({ status }) => status === 503));
    assert.equal(open.gateway.sessions(), 2);
    await end();
    await other.body.cancel();
    for (const one of [await session(open), await session(open)]) assert.match(await (await one.list()).text(), /tools/);
    assert.equal(open.gateway.sessions(), 2);
    assert.equal((await busy.list()).status, 404);
  });
}
