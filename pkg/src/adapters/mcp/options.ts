/** Checks what the host passes: clients by their methods, options by name, type and range. */

import { kind } from "../../boundary.js";
import { able, callable, known, whole } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import type { RegisterOptions, ToolSift } from "../../index.js";
import type { McpClient, McpEntry, McpOptions, McpToolOptions } from "./types.js";

/** Ten minutes: a server that needs longer for its list hangs. */
const LIST_MS = 600_000;
/** A day. */
const CALL_MS = 86_400_000;
/** What the core's own ceiling is. */
const MOST_TOOLS = 200_000;
const NAME_CHARS = 256;
const TOOL_OPTIONS = ["names", "deferral", "category"] as const;

/** The options, complete. */
export interface Settings {
  timeoutMs: number;
  callTimeoutMs: number;
  maxTools: number;
  reconnect: McpOptions["reconnect"];
  onChange: McpOptions["onChange"];
  tools: RegisterOptions;
}

/** A server as it was passed: its client, and the settings that count for it. */
export interface Entry {
  client: McpClient;
  settings: Settings;
}

/** Checks options and fills in what is missing. */
export function settings(options: unknown): Settings {
  const keys = ["timeoutMs", "callTimeoutMs", "maxTools", "reconnect", "onChange", ...TOOL_OPTIONS];
  const { timeoutMs, callTimeoutMs, maxTools, reconnect, onChange, ...tools } = known(options, keys) as McpOptions;
  callable("reconnect", reconnect, true);
  callable("onChange", onChange, true);
  return {
    timeoutMs: whole("timeoutMs", timeoutMs ?? 30_000, 1, LIST_MS),
    callTimeoutMs: whole("callTimeoutMs", callTimeoutMs ?? 60_000, 1, CALL_MS),
    maxTools: whole("maxTools", maxTools ?? 5_000, 1, MOST_TOOLS),
    reconnect,
    onChange,
    tools: { names: "alias", ...tools },
  };
}

/** Checks a server's name, its client, and how its tools are to be taken, which the core says. */
export function entryOf(sift: ToolSift, name: string, given: McpEntry, defaults: Settings): Entry {
  if (typeof name !== "string" || name.trim() === "" || name.length > NAME_CHARS) {
    const what = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : kind(name);
    throw new ToolSiftError("option_invalid", `${what} is no name of a server; 1 to ${NAME_CHARS} characters`);
  }
  const entry = isEntry(given) ? given : { client: given };
  const { client, ...own } = entry;
  const tools = { ...defaults.tools, ...known(own, TOOL_OPTIONS, `the server ${name}`) };
  sift.register([], { ...tools, server: name });
  return { client: connected(`the client of ${name}`, client), settings: { ...defaults, tools } };
}

/** Refuses what is no client, and a client that was never connected. */
export function connected(what: string, client: McpClient): McpClient {
  able(what, client, ["listTools", "callTool"], "a Client of @modelcontextprotocol/sdk or @modelcontextprotocol/client");
  const open = !("transport" in client) || client.transport !== undefined;
  if (open || client.getServerCapabilities?.() !== undefined) return client;
  throw new ToolSiftError("option_invalid", `${what} is not connected; await client.connect(transport) before`);
}

function isEntry(given: McpEntry): given is { client: McpClient } & McpToolOptions {
  return typeof given === "object" && given !== null && "client" in given && !("callTool" in given);
}
