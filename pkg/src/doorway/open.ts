/** Opens a door: makes the catalog, registers the host's own tools, starts the servers. Loaded when `toolsift()` is called. */

import { connectMcp } from "../adapters/mcp/connect.js";
import { dismiss } from "../adapters/mcp/reconnect.js";
import type { McpServers } from "../adapters/mcp/servers.js";
import type { McpClient, McpStatus } from "../adapters/mcp/types.js";
import { ToolSiftError } from "../errors.js";
import { rankOf } from "../loop/rank.js";
import type { Dispatch, Execute } from "../loop/types.js";
import type { ToolSift } from "../sift.js";
import type { Parts } from "./doorway.js";
import { type Settings, settingsOf } from "./options.js";
import { Starter, unstarted } from "./starter.js";
import type { DoorwayOptions } from "./types.js";

/**
 * Opens a door. Own tools come into the catalog before those of the servers, and so keep their names.
 *
 * @param own registers the host's own tools; `execute` runs all others
 * @param more the names of the options that only this SDK's door has
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `peer_missing`, and
 * what the constructor of `ToolSift` and `own` throw; nothing that was started is left then
 */
export async function open<T>(
  options: DoorwayOptions,
  more: readonly string[],
  own: (sift: ToolSift, execute: Execute) => T | Promise<T>,
): Promise<{ parts: Parts; own: T }> {
  const settings = settingsOf(options, more);
  const { ToolSift } = await import("toolsift:self");
  const sift = settings.sift ?? new ToolSift(settings.catalog);
  const before = new Set(sift.tools().map(({ name }) => name));
  const starter = new Starter(settings.plans, { timeoutMs: settings.startTimeoutMs, version: ToolSift.version });
  let servers: McpServers | undefined;
  let registered: string[] = [];
  const close = async () => {
    await Promise.all([starter.close(), servers?.close()]);
    if (settings.sift === undefined) return sift.dispose();
    try {
      sift.unregister({ names: registered });
    } catch {
      // The host has disposed its catalog: nothing is left to remove.
    }
  };
  const execute = (dispatch: Dispatch, ...context: []) => {
    if (servers?.has(dispatch.server)) return servers.execute(dispatch);
    if (settings.execute !== undefined) return settings.execute(dispatch, ...context);
    throw new ToolSiftError("option_invalid", `nothing runs ${dispatch.modelName}: options.execute is missing`);
  };
  try {
    // Bad options are refused before anything is started.
    rankOf(options, () => sift.settings);
    await connectMcp(sift, {}, settings.mcp);
    const made = await own(sift, execute);
    registered = sift.tools().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    servers = await started(sift, starter, settings);
    return { parts: { sift, servers, execute, close }, own: made };
  } catch (error) {
    registered = sift.tools().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    await close();
    throw error;
  }
}

async function started(sift: ToolSift, starter: Starter, settings: Settings): Promise<McpServers> {
  await starter.load();
  const entries = settings.plans.map(async ({ name, tools }): Promise<[string, { client: McpClient }]> => {
    const client = await starter.start(name).catch(unstarted);
    return [name, { client, ...tools }];
  });
  const clients = await Promise.all(entries);
  try {
    const { onStatus: onChange = warn } = settings;
    const reconnect = (name: string) => starter.start(name);
    return await connectMcp(sift, Object.fromEntries(clients), { ...settings.mcp, reconnect, onChange });
  } catch (error) {
    await Promise.all(clients.map(([, { client }]) => dismiss(client)));
    throw error;
  }
}

/** A server that fails must not fail silently. */
function warn({ name, state, error }: McpStatus): void {
  if (state === "failed" || state === "closed") console.warn(`toolsift: the MCP server ${name} is ${state}: ${error}`);
}
