/** Attacks on memory, time and context: a server or client makes the gateway store, wait or send too much. */

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { test } from "vitest";
import { call, client, opened, said, search, server, text } from "../cli/gateways.mjs";

const VERSION = "2025-11-25";
const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** A session over HTTP, by hand. */
async function session({ gateway }) {
  const send = (method, init) => gateway.fetch(new Request("http://gateway.test/mcp", { method, ...init }));
  const post = (message, headers) =>
    send("POST", { headers: { ...HEADERS, ...headers }, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const first = await post({ id: 0, method: "initialize", params }, {});
  await first.text();
  const headers = { "mcp-session-id": first.headers.get("mcp-session-id"), "mcp-protocol-version": VERSION };
  await post({ method: "notifications/initialized" }, headers);
  return { post: (message) => post(message, headers), listen: () => send("GET", { headers: { ...HEADERS, ...headers } }) };
}

test("the answers of a search are bounded, however large the tools are", async (t) => {
  const word = (at) => "invoice ".repeat(5_000) + at;
  const large = (at) =>
    fromJsonSchema({
      type: "object",
      properties: Object.fromEntries(
        [1, 2, 3, 4, 5].map((key) => [`p${at}_${key}`, { type: "string", description: word(at) }]),
      ),
    });
  const tools = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`pay_invoice_${at}`, { description: `Pays an invoice ${at}`, input: large(at) }]),
  );
  const who = await client(t, await opened(t, { bank: server("bank", tools) }));
  const found = said(await search(who, Array.from({ length: 8 }, (_, at) => `pay an invoice ${at}`).join("\n")));
  assert.ok(found.length < 65_000, `${found.length} characters`);
  assert.match(found, /^- pay_invoice_\d+\(/m);
  const described = said(await search(who, Object.keys(tools).join(", ")));
  assert.ok(described.length < 410_000, `${described.length} characters`);
  assert.match(described, /^- pay_invoice_\d+\(/m, "those that have no room are named");
});

test("progress does not stretch a call without end", async (t) => {
  const stretch = {
    run: async (_, { mcpReq }) => {
      const { progressToken } = mcpReq._meta;
      for (let progress = 1; !mcpReq.signal.aborted; progress++) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress } });
        await pause(20);
      }
      return text("never");
    },
  };
  const open = await opened(t, { evil: server("evil", { stretch }) }, { callTimeoutMs: 1_000, callTotalMs: 1_200 });
  const who = await client(t, open);
  const answer = await call(who, "stretch");
  assert.equal(answer.isError, true);
  assert.match(said(answer), /total|timed out|timeout/i);
});

test("logs do not wait without bound for a client that does not read", async (t) => {
  let made;
  const open = await opened(t, { evil: server("evil", { one: {} }, (server) => (made = server.server)) });
  const { post, listen } = await session(open);
  await (await post({ id: 1, method: "tools/list" })).text();
  const stream = await listen();
  const data = "x".repeat(100_000);
  for (let sent = 0; sent < 1_000; sent++)
    await made.notification({ method: "notifications/message", params: { level: "error", data } });
  const reader = stream.body.getReader();
  let [bytes, heard] = [0, ""];
  // One that has read what waits hears on.
  for (let next = reader.read(); !heard.includes("hello"); ) {
    const got = await Promise.race([next, pause(200)]);
    if (got === undefined) {
      await made.notification({ method: "notifications/message", params: { level: "error", data: "hello" } });
      continue;
    }
    bytes += got.value.length;
    heard = new TextDecoder().decode(got.value);
    next = reader.read();
  }
  assert.ok(bytes > 100_000 && bytes < 3_000_000, `${bytes} bytes`);
  await reader.cancel();
});
