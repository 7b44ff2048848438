import { Client } from "@modelcontextprotocol/client";
import { type Execute, type Session, ToolSift, runTools } from "toolsift";
import { type McpClient, type McpServers, type McpState, type McpToolResult, connectMcp } from "toolsift/mcp";

declare const session: Session;
const client = new Client({ name: "a", version: "1" });
const sift = new ToolSift();
export const servers: McpServers = await connectMcp(
  sift,
  { memory: client, github: { client, deferral: "never" } },
  {
    names: "strict",
    timeoutMs: 1_000,
    reconnect: async (name) => new Client({ name, version: "1" }),
    onChange: ({ name, state, rejected }) => void [name, state satisfies McpState, rejected.length],
  },
);
export const execute: Execute = servers.execute;
export const report = await runTools(session, { send: () => ({ calls: [] }), execute: servers.execute });
export const result: McpToolResult = await servers.execute({ server: "memory", name: "a", arguments: {} });
export const text: string = servers.instructions(session) + servers.instructions();
export const state: McpState = (await servers.add("memory", client)).state;
export const taken: McpClient = servers.remove("memory");
export const mixed = servers.has(null) ? await servers.refresh() : servers.status();
await servers.close();

// @ts-expect-error what is no client
await connectMcp(sift, { memory: {} });
// @ts-expect-error a policy that does not exist
await connectMcp(sift, { memory: { client, names: "any way" } });
// @ts-expect-error an option that does not exist
await connectMcp(sift, { memory: client }, { reconnects: () => client });
