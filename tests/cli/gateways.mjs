/** Gateways with servers in this process, and clients of both protocols that connect to them. */

import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { acceptedContent, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { gateway } from "toolsift/gateway";

export const object = (properties = {}, required = []) => fromJsonSchema({ type: "object", properties, required });
export const text = (said) => ({ content: [{ type: "text", text: said }] });

/** What a tool's answer says. */
export const said = ({ content }) => content.map((block) => block.text).join("\n");

/** A server with one tool for each of some names; `more` registers what else it has. */
export function server(name, tools = {}, more = () => {}) {
  return () => {
    const made = new McpServer({ name, version: "1.0.0" }, { capabilities: { tools: { listChanged: true }, logging: {} } });
    for (const [
      tool,
      { description = `${tool} of ${name}`, input = object(), run = () => text(`${name} ran ${tool}`), ...rest },
    ] of Object.entries(tools)) {
      made.registerTool(tool, { description, inputSchema: input, ...rest }, run);
    }
    more(made);
    return made;
  };
}

/** A tool that asks its user for a name. */
export const greet = {
  description: "Greets somebody by name",
  run: async (_, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, "who");
    if (answer !== undefined) return text(`hello ${answer.name}`);
    const who = inputRequired.elicit({
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    return inputRequired({ inputRequests: { who } });
  },
};

/**
 * Opens a gateway in front of servers, `{ name: factory }`. `starts` counts their starts, `lost` ends a server's connection.
 * The servers speak the older protocol unless `era` says "modern"; one among `delays` needs as many milliseconds to start.
 */
export async function opened(t, factories, { era = "legacy", delays = {}, ...options } = {}) {
  const starts = {};
  const ends = {};
  const events = [];
  const problems = [];
  const open = await gateway({
    mcpServers: Object.fromEntries(Object.keys(factories).map((name) => [name, { command: "unused" }])),
    activation: "on",
    transport: async (name) => {
      starts[name] = (starts[name] ?? 0) + 1;
      if (name in delays) await new Promise((resolve) => setTimeout(resolve, delays[name]));
      const [near, far] = InMemoryTransport.createLinkedPair();
      const handle = serveStdio(factories[name], { transport: far });
      ends[name] = () => handle.close();
      return era === "modern" ? near : older(near);
    },
    onEvent: (event) => events.push(event),
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  t.onTestFinished(() => open.close());
  return { gateway: open, starts, events, problems, end: (name) => ends[name]() };
}

/** The transport of a server that does not know the newer protocol. */
function older(transport) {
  const send = transport.send.bind(transport);
  transport.send = async (message, sendOptions) => {
    if (message.method !== "server/discover") return send(message, sendOptions);
    queueMicrotask(() =>
      transport.onmessage({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } }),
    );
  };
  return transport;
}

/** A client of one protocol, which `set` prepares before it connects. */
export function versioned({ era = "legacy", capabilities = {}, set = () => {} }) {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const made = new Client({ name: "test", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  set(made);
  return made;
}

/** A client of a gateway over HTTP or over a pair of streams. */
export async function client(t, { gateway: open }, { http = true, headers = {}, ...about } = {}) {
  const made = versioned(about);
  let transport;
  if (http) {
    const fetch = (url, init) => open.fetch(new Request(url, init));
    transport = new StreamableHTTPClientTransport(new URL("http://gateway.test/mcp"), { fetch, requestInit: { headers } });
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    serveStdio(({ era }) => open.server({ era }), { transport: far });
    transport = near;
  }
  await made.connect(transport);
  t.onTestFinished(() => made.close());
  return made;
}

const VERSION = "2025-11-25";
const ENDPOINT = "http://gateway.test/mcp";
const ACCEPT = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** Sends requests of a session of the older protocol by hand; the answer where none is opened. */
export async function session({ gateway }) {
  const clientInfo = { name: "test", version: "1.0.0" };
  const initialize = { method: "initialize", params: { protocolVersion: VERSION, capabilities: {}, clientInfo } };
  let id = 0;
  const post = (message, headers) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: id++, ...message });
    return gateway.fetch(new Request(ENDPOINT, { method: "POST", headers: { ...ACCEPT, ...headers }, body }));
  };
  const first = await post(initialize, {});
  if (first.status !== 200) return first;
  await first.text();
  const headers = { "mcp-session-id": first.headers.get("mcp-session-id"), "mcp-protocol-version": VERSION };
  return {
    call: (name) => {
      const params = { name, arguments: {}, _meta: { progressToken: name } };
      return post({ method: "tools/call", params }, headers);
    },
    subscribe: (uri) => post({ method: "resources/subscribe", params: { uri } }, headers),
    list: () => post({ method: "tools/list" }, headers),
    listen: () => gateway.fetch(new Request(ENDPOINT, { headers: { ...ACCEPT, ...headers } })),
    end: () => gateway.fetch(new Request(ENDPOINT, { method: "DELETE", headers: { ...ACCEPT, ...headers } })),
    takeUp: (last) => gateway.fetch(new Request(ENDPOINT, { headers: { ...ACCEPT, ...headers, "last-event-id": last } })),
  };
}

/** Calls a tool through the call tool for an effect. */
export const call = (who, name, args = {}, caller = "call_destructive_tool", options = undefined) =>
  who.callTool({ name: caller, arguments: { name, arguments: args } }, options);

/** Searches. */
export const search = (who, query) => who.callTool({ name: "search_tools", arguments: { query } });

/** The tools of the surface, by name. */
export const SURFACE = ["search_tools", "call_read_only_tool", "call_tool", "call_destructive_tool"];

/** The tools that the answer of a search tells with their parameters, by name. */
export function told(answer) {
  const lines = said(answer)
    .split("\n")
    .filter((line) => line.startsWith("{"));
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ name, ...tool }) => [name, tool]));
}

/** The names of the tools that a client is sent now. */
export const names = async (who) => (await who.listTools(undefined, { cacheMode: "refresh" })).tools.map(({ name }) => name);

/** A cache that outlives gateways, as the command line has it on disk. */
export const memory = (kept = new Map()) => ({
  kept,
  read: async (name) => structuredClone(kept.get(name)),
  write: async (name, definitions) => void kept.set(name, structuredClone(definitions)),
});
