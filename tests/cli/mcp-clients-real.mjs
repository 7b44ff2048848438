/** Real MCP clients that connect to the gateway's process, with the same few operations for each. */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as AiStdio } from "@ai-sdk/mcp/mcp-stdio";
import { createMCPClient as createMCPClient1 } from "@ai-sdk/mcp-1";
import { Experimental_StdioMCPTransport as AiStdio1 } from "@ai-sdk/mcp-1/mcp-stdio";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { at } from "../../scripts/lib/paths.mjs";

const INSPECTOR = at("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");
const NAME = { name: "test", version: "1.0.0" };
const run = promisify(execFile);

/** What the blocks of an answer say. */
const said = ({ content }) => content.map((block) => block.text).join("\n");

/**
 * The Inspector's command line: a process for each operation. It is given the gateway in a file, the way that takes flags.
 *
 * @param entry `{ command, args, env }` or `{ url }`
 */
export async function inspector(entry) {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-inspector-"));
  const config = join(folder, "session.json");
  const typed = entry.url === undefined ? { type: "stdio", ...entry } : { type: "streamable-http", ...entry };
  writeFileSync(config, JSON.stringify({ mcpServers: { gateway: typed } }));
  // Its own files go into the folder, and no keychain of this machine is asked.
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, MCP_INSPECTOR_SECRET_STORE: "memory" };
  const ask = async (...args) => {
    const own = [INSPECTOR, "--cli", "--config", config, "--server", "gateway"];
    const { stdout } = await run(process.execPath, [...own, ...args], { env });
    return JSON.parse(stdout);
  };
  return {
    ask,
    tools: async () => (await ask("--method", "tools/list")).tools.map(({ name }) => name),
    call: async (name, args) => {
      return said(await ask("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)));
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The SDK's first version. `answers` answers questions by their methods. */
export async function sdk1(entry, answers = {}) {
  const client = new Client1(NAME, { capabilities: capabilitiesOf(answers) });
  const schemas = { "elicitation/create": ElicitRequestSchema, "sampling/createMessage": CreateMessageRequestSchema };
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(schemas[method], ({ params }) => answer(params));
  }
  await client.connect(entry.url === undefined ? new Stdio1(quiet(entry)) : new Http1(new URL(entry.url)));
  return fromSdk(client);
}

/** The SDK's second version, in one protocol. */
const sdk2 =
  (mode) =>
  async (entry, answers = {}) => {
    const client = new Client(NAME, { capabilities: capabilitiesOf(answers), versionNegotiation: { mode } });
    for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(method, ({ params }) => answer(params));
    const { url } = entry;
    const overHttp = () => new StreamableHTTPClientTransport(new URL(url));
    await client.connect(url === undefined ? new StdioClientTransport(quiet(entry)) : overHttp());
    return fromSdk(client);
  };

function fromSdk(client) {
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => said(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function capabilitiesOf(answers) {
  return {
    ...(answers["elicitation/create"] && { elicitation: {} }),
    ...(answers["sampling/createMessage"] && { sampling: {} }),
  };
}

/** The AI SDK's client, in one of its majors. */
const aiSdk = (create, Stdio) => async (entry) => {
  const { url } = entry;
  const client = await create({ transport: url === undefined ? new Stdio(quiet(entry)) : { type: "http", url } });
  return {
    tools: async () => Object.keys(await client.tools()),
    call: async (name, args) => said(await (await client.tools())[name].execute(args, { messages: [], toolCallId: "1" })),
    close: () => client.close(),
  };
};

const quiet = ({ command, args, env }) => ({ command, args, env: { ...process.env, ...env }, stderr: "ignore" });

/** The clients that answer questions of servers, by their names. */
export const ANSWERING = {
  "SDK v1": sdk1,
  "SDK v2, older protocol": sdk2("legacy"),
  "SDK v2, newer protocol": sdk2({ pin: "2026-07-28" }),
};

/** All clients. */
export const CLIENTS = {
  "MCP Inspector": inspector,
  ...ANSWERING,
  "@ai-sdk/mcp 1": aiSdk(createMCPClient1, AiStdio1),
  "@ai-sdk/mcp 2": aiSdk(createMCPClient, AiStdio),
};
