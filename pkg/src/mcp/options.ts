/** Checks the host's clients by their methods, and options by name, type and range. */

import { requireMethods, whole } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { RegisterOptions } from "../types/index.js";
import { type Background, wordsOf } from "../author/background/load.js";
import { aFunction, anything, type Shape, shaped, wholeOf } from "../base/shape.js";
import { checkName } from "../servers/name.js";
import { type ServerTools, TOOLS } from "../servers/config.js";
import type { McpCatalog, McpClient, McpEntry, McpOptions, McpServerOptions } from "./types.js";

/** Ten minutes: a server that needs longer for its list seems to hang. */
const LIST_MS = 600_000;
/** A day. */
const CALL_MS = 86_400_000;
/** The core's own ceiling. */
const MOST_TOOLS = 200_000;
/** Ten minutes: a call that reports progress for longer blocks the agent. */
const CALL_TOTAL_MS = 600_000;

export const SERVER: Shape<McpServerOptions> = {
  ...TOOLS,
  timeoutMs: wholeOf(1, LIST_MS),
  callTimeoutMs: wholeOf(1, CALL_MS),
  callTotalMs: wholeOf(1, CALL_MS),
  maxTools: wholeOf(1, MOST_TOOLS),
};
const OPTIONS: Shape<McpOptions> = {
  ...SERVER,
  reconnect: aFunction,
  enrich: anything,
  onChange: aFunction,
  onProblem: aFunction,
};

interface ServerSettings {
  timeoutMs: number;
  callTimeoutMs: number;
  callTotalMs: number;
  maxTools: number;
  packs: boolean;
  trustServerHints: boolean;
  taken: Pick<ServerTools, "includeTools" | "excludeTools">;
  tools: RegisterOptions;
}

/** The options with all defaults filled in. */
export interface McpSettings extends ServerSettings {
  enrich: McpOptions["enrich"];
  /** The writer of words, once it is loaded. */
  words?: Background | undefined;
  reconnect: McpOptions["reconnect"];
  onChange: McpOptions["onChange"];
  onProblem: McpOptions["onProblem"];
}

const DEFAULT: ServerSettings = {
  timeoutMs: 30_000,
  callTimeoutMs: 60_000,
  callTotalMs: CALL_TOTAL_MS,
  maxTools: 5_000,
  packs: true,
  trustServerHints: false,
  taken: { includeTools: undefined, excludeTools: undefined },
  tools: { names: "alias" },
};

/** A server as it was passed: its client, and the settings that count for it. */
export interface Entry {
  client: McpClient;
  /** Makes the client, where there is none yet. `client` stands for it until then. */
  connect?: () => Promise<McpClient>;
  /** Milliseconds that making a client may take. */
  connectMs?: number;
  /** What installs the server before it runs. */
  installer?: string | undefined;
  settings: McpSettings;
}

/** Checks options, fills in what is missing, and loads what writes words. */
export async function readSettings(options: unknown): Promise<McpSettings> {
  const { reconnect, enrich, onChange, onProblem, ...server } = shaped(options, OPTIONS);
  const words = await wordsOf(enrich);
  return { ...serverSettings(server, DEFAULT), enrich, words, reconnect, onChange, onProblem };
}

/** The settings of one server: its own, and else those of all servers. */
function serverSettings(given: McpServerOptions, defaults: ServerSettings): ServerSettings {
  const {
    timeoutMs,
    callTimeoutMs = defaults.callTimeoutMs,
    callTotalMs,
    maxTools,
    packs,
    trustServerHints,
    includeTools,
    excludeTools,
    ...tools
  } = given;
  return {
    timeoutMs: timeoutMs ?? defaults.timeoutMs,
    callTimeoutMs,
    callTotalMs: whole("callTotalMs", callTotalMs ?? Math.max(defaults.callTotalMs, callTimeoutMs), callTimeoutMs, CALL_MS),
    maxTools: maxTools ?? defaults.maxTools,
    packs: packs ?? defaults.packs,
    trustServerHints: trustServerHints ?? defaults.trustServerHints,
    taken: {
      includeTools: includeTools ?? defaults.taken.includeTools,
      excludeTools: excludeTools ?? defaults.taken.excludeTools,
    },
    tools: { ...defaults.tools, ...tools },
  };
}

/** Checks a server's name, its client, and the options for its tools, which the core checks. */
export function entryOf(sift: McpCatalog, name: string, given: McpEntry, defaults: McpSettings): Entry {
  checkName(name);
  const entry = isEntry(given) ? given : { client: given };
  const { client, ...own } = entry;
  const settings = { ...defaults, ...serverSettings(shaped(own, SERVER, `the server ${name}`), defaults) };
  sift.register([], { ...settings.tools, server: name });
  return { client: connected(`the client of ${name}`, client), settings };
}

/** Refuses a value that is not a client, and a client that was never connected. */
export function connected(what: string, client: McpClient): McpClient {
  const packages = "@modelcontextprotocol/sdk or @modelcontextprotocol/client";
  requireMethods(what, client, ["listTools", "callTool"], `a Client of ${packages}`);
  const open = !("transport" in client) || client.transport !== undefined;
  if (open || client.getServerCapabilities?.() !== undefined) return client;
  throw new ToolSiftError("option_invalid", `${what} is not connected; await client.connect(transport) before`);
}

function isEntry(given: McpEntry): given is Exclude<McpEntry, McpClient> {
  return typeof given === "object" && given !== null && "client" in given && !("callTool" in given);
}
