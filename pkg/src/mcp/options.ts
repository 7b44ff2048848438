/** Checks the clients of your program by their methods, and options by name, type and range. */

import { requireMethods, whole } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { Defined } from "../types/defined.js";
import { type Background, wordsOf } from "../author/background/load.js";
import { aFunction, anything, type Shape, shaped, wholeOf } from "../base/shape.js";
import { checkName } from "../servers/name.js";
import { registering, TOOLS } from "../servers/config.js";
import type { McpCatalog, McpClient, McpEntry, McpOptions, McpServerOptions } from "./types.js";

/** The highest time limit for a list, in ms (ten minutes): a slower server seems to hang. */
const LIST_MS = 600_000;
/** The highest time limit for a call, in ms (a day). */
const CALL_MS = 86_400_000;
/** The maximum number of tools in the core. */
const MOST_TOOLS = 200_000;
/** The default total time limit of a call, in ms (ten minutes): a longer call would block the agent. */
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

const DEFAULT = {
  timeoutMs: 30_000,
  callTimeoutMs: 60_000,
  callTotalMs: CALL_TOTAL_MS,
  maxTools: 5_000,
  packs: true,
};

type ServerSettings = Defined<McpServerOptions> & typeof DEFAULT;

/** The options with all defaults. */
export interface McpSettings extends ServerSettings, Pick<McpOptions, "reconnect" | "enrich" | "onChange" | "onProblem"> {
  /** The writer of search words, once it is imported. */
  words?: Background | undefined;
}

/** A server: its client and its settings. */
export interface Entry {
  client: McpClient;
  /** Makes the client, if your program passed none. Until then, `client` is a placeholder. */
  connect?: () => Promise<McpClient>;
  /** The time limit for making the client, in ms. */
  connectMs?: number;
  /** The command that installs the server before it runs. */
  installer?: string | undefined;
  settings: McpSettings;
}

/** Checks the options, adds the defaults, and imports the writer of search words. */
export async function readSettings(options: unknown): Promise<McpSettings> {
  const given = shaped(options, OPTIONS);
  return { ...withDefaults(given, DEFAULT), words: await wordsOf(given.enrich) };
}

/** Returns options with the defaults. The total time limit of a call is at least its other time limit. */
function withDefaults<O extends Defined<McpServerOptions>, D extends typeof DEFAULT>(given: O, defaults: D): D & O {
  const all = { ...defaults, ...given };
  const total = given.callTotalMs ?? Math.max(defaults.callTotalMs, all.callTimeoutMs);
  return { ...all, callTotalMs: whole("callTotalMs", total, all.callTimeoutMs, CALL_MS) };
}

/** Checks a server's name, its client, and its options. The core checks the options for tools. */
export function entryOf(sift: McpCatalog, name: string, given: McpEntry, defaults: McpSettings): Entry {
  checkName(name);
  const entry = isEntry(given) ? given : { client: given };
  const { client, ...own } = entry;
  const settings = withDefaults(shaped(own, SERVER, `the server ${name}`), defaults);
  sift.register([], { ...registering(settings), server: name });
  return { client: connected(`the client of ${name}`, client), settings };
}

/** Refuses a value that is not a client, the client of AI SDK, and a client that was never connected. */
export function connected(what: string, client: McpClient): McpClient {
  const packages = "@modelcontextprotocol/sdk or @modelcontextprotocol/client";
  if ("toolsFromDefinitions" in Object(client)) {
    const advice = `take a Client of ${packages}, or pass the result of its tools() as \`tools\` to toolsift/ai-sdk`;
    throw new ToolSiftError("option_invalid", `${what} is of @ai-sdk/mcp; ${advice}`);
  }
  requireMethods(what, client, ["listTools", "callTool"], `a Client of ${packages}`);
  const open = !("transport" in client) || client.transport !== undefined;
  if (open || client.getServerCapabilities?.() !== undefined) return client;
  throw new ToolSiftError("option_invalid", `${what} is not connected; await client.connect(transport) before`);
}

function isEntry(given: McpEntry): given is Exclude<McpEntry, McpClient> {
  return typeof given === "object" && given !== null && "client" in given && !("callTool" in given);
}
