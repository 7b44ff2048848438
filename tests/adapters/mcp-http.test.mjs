/**
 * Tests `connectMcp` over HTTP, with the SDKs' own servers.
 * 1. In the protocol of 2026, a server reports changes only on a stream that the client opens. It is opened, opened again
 *    after a break, and left alone if the program has opened it.
 * 2. In the protocol of 2025 with sessions, a restarted server that no longer knows the session is connected again.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";
import { mock as mocks } from "node:test";
import { afterEach, test } from "vitest";
import { httpServer } from "../lib/http.mjs";
import { appWith } from "./lib/app.mjs";
import { SDKS, until } from "./lib/mcp.mjs";

afterEach(() => mocks.reset());

const URL_OF_2026 = "http://tools.test/mcp";

/** A server of v2, and clients of it in the protocol of 2026; the network between them is a function. */
async function modern(options) {
  const server = "@modelcontextprotocol/server";
  const app = await appWith({ ...SDKS[1].packages, [server]: server });
  const { createMcpHandler, McpServer } = await app.load(server);
  const { Client, StreamableHTTPClientTransport } = await app.load("@modelcontextprotocol/client");
  const { z } = await app.load("zod");
  const names = ["echo"];
  const handler = createMcpHandler(() => {
    const about = { instructions: "Say it twice.", capabilities: { tools: { listChanged: true } } };
    const one = new McpServer({ name: "tools", version: "1.0.0" }, about);
    for (const name of names) {
      const run = async ({ text }) => ({ content: [{ type: "text", text: `${name}: ${text}` }] });
      one.registerTool(name, { description: `The tool ${name}.`, inputSchema: z.object({ text: z.string() }) }, run);
    }
    return one;
  });
  const streams = [];
  const fetch = async (url, init) => {
    const body = JSON.parse(init.body ?? "{}");
    const response = await handler.fetch(new Request(url, init));
    if (body.method !== "subscriptions/listen") return response;
    const broken = new AbortController();
    streams.push(broken);
    const through = new TransformStream();
    void response.body.pipeTo(through.writable, { signal: broken.signal }).catch(() => {});
    return new Response(through.readable, response);
  };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" }, ...options });
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_2026), { fetch }));
  assert.equal(client.getProtocolEra(), "modern");
  const [{ ToolSift }, { connectMcp }] = [await app.load("toolsift"), await app.load("toolsift/mcp")];
  const sift = new ToolSift();
  const servers = await connectMcp(sift, { tools: client });
  return { sift, servers, client, handler, names, streams, of: () => sift.tools().map(({ name }) => name) };
}

test("toolsift/mcp (v2, protocol of 2026): tools are listed and run, changes come on a stream that is opened for them", async () => {
  const { servers, handler, names, streams, of } = await modern();
  assert.deepEqual([servers.status()[0].state, of()], ["connected", ["echo"]]);
  assert.match(servers.instructions(), /Say it twice\./);
  const { content } = await servers.execute({ server: "tools", name: "echo", arguments: { text: "hello" } });
  assert.equal(content[0].text, "echo: hello");
  await until("listening", () => handler.bus.listenerCount === 1);
  names.push("sing");
  handler.notify.toolsChanged();
  await until("read", () => of().includes("sing"));

  names.push("dance");
  streams[0].abort();
  await until("listening again, and what was missed is read", () => streams.length === 2 && of().includes("dance"));
  names.push("rest");
  await until("listening", () => handler.bus.listenerCount === 1);
  handler.notify.toolsChanged();
  await until("read", () => of().includes("rest"));
  await servers.close();
  await until("hung up", () => handler.bus.listenerCount === 0);
  await handler.close();
});

test("toolsift/mcp (v2, protocol of 2026): a stream that the host has opened is not opened twice", async () => {
  const heard = [];
  const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => heard.push("changed") } };
  const { servers, handler, names, streams, of } = await modern({ listChanged });
  await until("listening", () => handler.bus.listenerCount === 1);
  names.push("sing");
  handler.notify.toolsChanged();
  await until("read", () => of().includes("sing"));
  assert.deepEqual([streams.length, heard], [1, ["changed"]]);
  await servers.close();
  await handler.close();
});

/** A server of v1 over HTTP that knows its sessions; `forget` makes it forget them, as a restart does. */
async function sessions(app) {
  const { McpServer } = await app.load("@modelcontextprotocol/sdk/server/mcp.js");
  const { StreamableHTTPServerTransport } = await app.load("@modelcontextprotocol/sdk/server/streamableHttp.js");
  const known = new Map();
  const open = async () => {
    const server = new McpServer({ name: "tools", version: "1.0.0" });
    server.registerTool("ping", { description: "Answers." }, async () => ({ content: [{ type: "text", text: "pong" }] }));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void known.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  };
  const { url, close } = await httpServer(async (request, response) => {
    const body = request.method === "POST" ? await json(request) : undefined;
    const transport = body?.method === "initialize" ? await open() : known.get(request.headers["mcp-session-id"]);
    if (transport === undefined) return response.writeHead(404).end("no such session");
    await transport.handleRequest(request, response, body);
  });
  return { url: new URL(`${url}/mcp`), forget: () => known.clear(), close };
}

for (const [{ label, packages }, module] of [
  [SDKS[0], "@modelcontextprotocol/sdk/client/streamableHttp.js"],
  [SDKS[1], "@modelcontextprotocol/client"],
]) {
  test(`toolsift/mcp (${label}, protocol of 2025): a server that has forgotten its sessions is reached anew`, async (t) => {
    const app = await appWith({ ...packages, ...SDKS[0].packages });
    const server = await sessions(app);
    t.onTestFinished(server.close);
    const { StreamableHTTPClientTransport } = await app.load(module);
    const { Client } = await app.load(label === "v1" ? SDKS[0].module : module);
    let connected = 0;
    const reconnect = async () => {
      connected += 1;
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(server.url));
      return client;
    };
    const [{ ToolSift }, { connectMcp }] = [await app.load("toolsift"), await app.load("toolsift/mcp")];
    const servers = await connectMcp(new ToolSift(), { tools: await reconnect() }, { reconnect });
    const ping = () => servers.execute({ server: "tools", name: "ping", arguments: {} });
    assert.equal((await ping()).content[0].text, "pong");
    server.forget();
    const answers = await Promise.all([ping(), ping()]);
    assert.deepEqual(
      answers.map(({ content }) => content[0].text),
      ["pong", "pong"],
    );
    assert.equal(connected, 2);
    server.forget();
    const [{ state, tools, error }] = await servers.refresh("tools");
    assert.deepEqual([connected, state, tools, error], [3, "connected", 1, null]);
    await servers.close();
  });
}
