/** MCP clients of both SDKs, and test servers over a transport in memory that can misbehave. */

import { allOrLast } from "../../../scripts/lib/full.mjs";
import { appWith } from "./app.mjs";

const SCHEMA = { type: "object", properties: { text: { type: "string" } } };

/** Both majors of the SDK, each in an application that has not the other. */
export const SDKS = [
  {
    label: "v1",
    packages: { "@modelcontextprotocol/sdk": "@modelcontextprotocol/sdk" },
    module: "@modelcontextprotocol/sdk/client/index.js",
  },
  {
    label: "v2",
    packages: { "@modelcontextprotocol/client": "@modelcontextprotocol/client" },
    module: "@modelcontextprotocol/client",
  },
];

/** Those over which the package's own behaviour is tested: in short the newest, since what differs has tests over both. */
export const LEADING = process.env.TOOLSIFT_PEERS === undefined ? allOrLast(SDKS) : SDKS;

/** What an application of one SDK has: toolsift, the adapter, and the means to make clients. */
export async function bench({ packages, module }) {
  const app = await appWith(packages);
  const { ToolSift, runTools } = await app.load("toolsift");
  const { connectMcp } = await app.load("toolsift/mcp");
  const { guard } = await app.load("toolsift/guard");
  const { Client } = await app.load(module);
  const connect = async (transport, options) => {
    const client = new Client({ name: "test", version: "1.0.0" }, options);
    await client.connect(transport);
    return client;
  };
  return {
    ToolSift,
    runTools,
    connectMcp,
    guard,
    Client,
    /** A client of a server in memory, and the wire between them. */
    async wired(server, options) {
      const wire = wireTo(server);
      return { wire, client: await connect(wire, options) };
    },
  };
}

/** A call of the first tool of the first server of a pair. */
export const ECHO = { server: "a", name: "one", arguments: { text: "x" } };

/** A catalog of two servers in memory, and a session that has a tool of each: what is sent of them is what `sent` says. */
export async function pair(sdk, options) {
  const tools = await bench(sdk);
  const sift = new tools.ToolSift();
  const a = await tools.wired({ tools: [tool("one"), tool("two")] });
  const b = await tools.wired({ tools: [tool("three")] });
  const servers = await tools.connectMcp(sift, { a: a.client, b: b.client }, options);
  const session = sift.session("chat");
  session.reveal(["one", "three"]);
  const sent = () =>
    session
      .assemble()
      .tools.slice(3)
      .map(({ name }) => name);
  return { ...tools, sift, servers, session, sent, a, b };
}

/** A tool of that name, as MCP lists it. */
export const tool = (name, description = `The tool ${name}.`) => ({ name, description, inputSchema: SCHEMA });

/** What a tool answers. */
export const said = (text) => ({ content: [{ type: "text", text }] });

/**
 * A transport with a server at its other end. The server has `tools`, or `list(cursor)` for its pages, and `call(name, args,
 * wire)`; `capabilities`, `instructions`. What one of them does not answer (undefined) is never answered. `wire.asked` are
 * the methods in the order in which they were asked.
 */
export function wireTo(server) {
  const { capabilities = { tools: { listChanged: true } }, instructions } = server;
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities,
      serverInfo: { name: "test", version: "1.0.0" },
      ...(instructions && { instructions }),
    }),
    "tools/list": ({ cursor } = {}) => (server.list ? server.list(cursor) : { tools: server.tools }),
    "tools/call": (params) => server.call?.(params.name, params.arguments, wire) ?? said(`${params.name} ran`),
  };
  const wire = {
    asked: [],
    sent: [],
    async start() {},
    async send(message) {
      wire.sent.push(message);
      if (message.id === undefined) return;
      wire.asked.push(message.method);
      try {
        const result = await answers[message.method](message.params);
        if (result !== undefined) wire.say({ id: message.id, result: JSON.parse(JSON.stringify(result)) });
      } catch (error) {
        wire.say({ id: message.id, error: { code: -32000, message: error.message } });
      }
    },
    async close() {
      wire.onclose?.();
    },
    /** The server says something. */
    say: (message) => wire.onmessage?.({ jsonrpc: "2.0", ...message }),
    /** The server says that its list has changed. */
    change: () => wire.say({ method: "notifications/tools/list_changed" }),
    count: (method) => wire.asked.filter((one) => one === method).length,
  };
  return wire;
}

/** Waits until something holds; fails where it does not within half a minute. */
export async function until(what, holds) {
  for (const end = Date.now() + 30_000; ; ) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what}: not within half a minute`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
