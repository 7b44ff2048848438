/**
 * Streams of the older protocol over HTTP that break off.
 *
 * 1. A call whose stream broke off goes on, and its answer comes on the stream that takes it up again.
 * 2. A session cannot take up the stream of another session.
 * 3. What is kept is bounded: a stream that has lost events is refused, with HTTP 400.
 * 4. The client of the SDK takes its call's stream up by itself.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { call, client, opened, said, server, text } from "./gateways.mjs";

const VERSION = "2025-11-25";
const URL_ = "http://gateway.test/mcp";
const ACCEPT = { accept: "application/json, text/event-stream", "content-type": "application/json" };

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

/** Sends requests of a session by hand. */
async function session({ gateway }) {
  const clientInfo = { name: "test", version: "1.0.0" };
  const initialize = { method: "initialize", params: { protocolVersion: VERSION, capabilities: {}, clientInfo } };
  let id = 0;
  const post = (message, headers) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: id++, ...message });
    return gateway.fetch(new Request(URL_, { method: "POST", headers: { ...ACCEPT, ...headers }, body }));
  };
  const first = await post(initialize, {});
  await first.text();
  const headers = { "mcp-session-id": first.headers.get("mcp-session-id"), "mcp-protocol-version": VERSION };
  return {
    call: (name) => {
      const params = { name, arguments: {}, _meta: { progressToken: name } };
      return post({ method: "tools/call", params }, headers);
    },
    takeUp: (last) => gateway.fetch(new Request(URL_, { headers: { ...ACCEPT, ...headers, "last-event-id": last } })),
  };
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
