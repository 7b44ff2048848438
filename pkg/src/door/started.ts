/** Starts the servers of `toolsift()` or of one of its users, and registers each server's tools when it is connected. */

import { connected, entryOf, readSettings } from "../mcp/options.js";
import { ServerConnection } from "../mcp/server-connection.js";
import { McpServers } from "../mcp/servers.js";
import type { McpCatalog, McpClient, McpStatus } from "../mcp/types.js";
import { ToolSiftError } from "../base/errors.js";
import { isIsolated } from "../upstream/isolated.js";
import { installing, startLimit } from "../upstream/installer.js";
import type { DoorwaySettings } from "./options.js";
import type { Starter } from "./starter.js";
import { foreignReason } from "../trust/foreign.js";
import { cut } from "../base/values.js";
import { pause } from "../base/wait.js";

/**
 * Starts the servers of some plans, and waits for them as `ready` states, but at least for the tools of one server, so that
 * no request is made without any. A server that fails does not stop the others; missing servers are reported.
 *
 * @throws ToolSiftError `peer_missing`, and `option_invalid` for an invalid client; nothing was started then
 */
export async function started(sift: McpCatalog, starter: Starter, settings: DoorwaySettings): Promise<McpServers> {
  await starter.load();
  const { onStatus: onChange = warning(starter), ready } = settings;
  const reconnect = (name: string) => starter.start(name);
  const problems = settings.onStatus === undefined ? { onProblem: warnOfTrust } : {};
  const set = await readSettings({ ...problems, ...settings.mcp, reconnect, onChange });
  const connections = settings.plans.map(({ name, way, tools }) => {
    const client = way.kind === "client" ? (way.given ?? unconnected(name)) : unconnected(name);
    const connect = async () => connected(`the client of ${name}`, await starter.start(name));
    const start = { connect, connectMs: startLimit(way, settings.startTimeoutMs), installer: installing(way) };
    return new ServerConnection(sift, name, { ...entryOf(sift, name, { client, ...tools }, set), ...start });
  });
  const hasTools = () => sift.tools().some(({ server }) => server !== null);
  // In an isolated runtime, nothing continues after the request that started it, so a late server would never come.
  await begin(connections, isIsolated() ? "all" : ready, starter.over, hasTools);
  for (const one of starter.isOver ? [] : connections) if (one.state === "starting") one.tell();
  return new McpServers(sift, connections, set);
}

function unconnected(name: string): McpClient {
  const refuse = async () => {
    throw new ToolSiftError("not_currently_available", `the server ${name} is not connected`);
  };
  return { listTools: refuse, callTool: refuse };
}

/** Writes to the console: problems of servers, missing servers, and when a missing server connects. */
function warning(starter: Starter): (status: McpStatus) => void {
  const missing = new Set<string>();
  return ({ name, state, error, packProblem, message }) => {
    if (starter.isOver) return;
    if (state === "failed") console.warn(`toolsift: the MCP server ${name} does not answer: ${briefly(error)}`);
    if (state === "closed") console.warn(`toolsift: the MCP server ${name} is closed: ${briefly(error)}`);
    if (state === "starting") console.warn(`toolsift: ${message}`);
    else if (state === "connected" && missing.has(name)) console.info(`toolsift: ${message}`);
    if (state === "connected") missing.delete(name);
    else if (state !== "reconnecting") missing.add(name);
    if (packProblem !== undefined) console.warn(`toolsift: packs for the MCP server ${name} were left out: ${packProblem}`);
  };
}

/** The maximum length of a reason on the console; `status()` has the full reason. */
const BRIEF_CHARS = 1_000;
function briefly(error: string | null): string {
  const reason = foreignReason(error ?? "", Infinity);
  return cut(reason, BRIEF_CHARS, "… (status() has all of it)");
}

/** Writes to the console what a guard quarantines or reports. */
function warnOfTrust(message: string, { quarantined = [], suspicious = [], news = [] }: McpStatus): void {
  if (quarantined.length + suspicious.length + news.length > 0) console.warn(`toolsift: ${message}`);
}

/**
 * Starts servers. Servers that are connected in time are registered in their order, which decides which of two tools keeps a
 * common name. A later server is registered when it connects.
 *
 * @param over ends the wait
 * @param hasTools returns true if the catalog has tools of servers, so that a request can be made without these servers
 */
async function begin(
  servers: readonly ServerConnection[],
  ready: DoorwaySettings["ready"],
  over: Promise<void>,
  hasTools: () => boolean,
): Promise<void> {
  let late = () => {};
  const isLate = new Promise<void>((resolve) => (late = resolve));
  let before = Promise.resolve();
  const starts = servers.map((server) => {
    const start = server.start(before);
    before = Promise.race([start, isLate]);
    return start;
  });
  if (ready === "any") late();
  const timer = typeof ready === "number" ? setTimeout(late, ready) : undefined;
  const all = Promise.all(starts).then(() => {});
  const first = Promise.any(starts.map((start, at) => start.then(() => isThere(servers[at]!)))).catch(() => all);
  const enough = () => (hasTools() || servers.some(({ state }) => state === "connected") ? undefined : first);
  await Promise.race([all, ready === "any" ? first : isLate.then(enough), over]);
  clearTimeout(timer);
  // This registers servers that had their list but waited for servers before them.
  if (ready !== "all") await pause(0);
}

function isThere({ state, name }: ServerConnection): void {
  if (state !== "connected") throw new Error(`${name} is ${state}`);
}
