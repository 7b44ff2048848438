/** Starts the servers of a door, or of one of its users, and connects them. */

import { connectMcp } from "../adapters/mcp/connect.js";
import type { McpServers } from "../adapters/mcp/servers.js";
import type { McpCatalog, McpClient, McpStatus } from "../adapters/mcp/types.js";
import { ended } from "../mcp/dialler.js";
import type { Settings } from "./options.js";
import { type Starter, unstarted } from "./starter.js";

/** Starts the servers of some plans, and registers their tools. One that does not start does not stop the others. */
export async function started(sift: McpCatalog, starter: Starter, settings: Settings): Promise<McpServers> {
  await starter.load();
  const entries = settings.plans.map(async ({ name, tools }): Promise<[string, { client: McpClient }]> => {
    const client = await starter.start(name).catch(unstarted);
    return [name, { client, ...tools }];
  });
  const clients = await Promise.all(entries);
  try {
    const { onStatus: onChange = warn } = settings;
    const reconnect = (name: string) => starter.start(name);
    const problems = settings.onStatus === undefined ? { onProblem: warnOfHeld } : {};
    return await connectMcp(sift, Object.fromEntries(clients), { ...problems, ...settings.mcp, reconnect, onChange });
  } catch (error) {
    await Promise.all(clients.map(([, { client }]) => ended(client)));
    throw error;
  }
}

/** A server that fails must not fail silently. */
function warn({ name, state, error, packProblem }: McpStatus): void {
  if (state === "failed" || state === "closed") console.warn(`toolsift: the MCP server ${name} is ${state}: ${error}`);
  if (packProblem !== undefined) console.warn(`toolsift: packs for the MCP server ${name} were left out: ${packProblem}`);
}

/** Neither must a tool that a guard holds. */
function warnOfHeld(message: string, { held = [], suspicious = [] }: McpStatus): void {
  if (held.length + suspicious.length > 0) console.warn(`toolsift: ${message}`);
}
