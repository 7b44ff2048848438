/** Reads `mcpServers`, the JSON of Claude, Cursor and VS Code, into one plan for each server. */

import type { McpClient } from "./client.js";
import { ownFields } from "../base/plain-data.js";
import { anything, type Shape, shaped } from "../base/shape.js";
import { checkName } from "./name.js";
import { SERVER_KEYS, serverEntry, wayOf } from "./read.js";
import { type ServerTools, type StdioServer, TOOLS } from "./config.js";
import { MissingVariable, type Variables } from "./variables.js";
import type { ServerEntry, ServerWay } from "./way.js";

/** The way to connect to one server. */
export type Way =
  | ServerWay
  | { kind: "client"; connect: () => McpClient | Promise<McpClient>; given?: McpClient }
  | { kind: "broken"; reason: string };

/** One server: the way to connect to it, and the options for its tools. */
export interface Plan {
  name: string;
  way: Way;
  tools: ServerTools;
}

/** Checked by `serverEntry`. */
const WAY = Object.fromEntries([...SERVER_KEYS, "disabled", "enabled"].map((key) => [key, anything])) as Shape<
  Omit<StdioServer, keyof ServerTools>
>;
const ENTRY: Shape<StdioServer & { envFile?: unknown }> = { ...WAY, ...TOOLS, envFile: anything };

/**
 * Returns the plans of all servers that are not disabled.
 *
 * @param servers the entries by server name, or the whole configuration of a client
 * @throws ToolSiftError `option_invalid`, `option_unknown`
 */
export function plansOf(servers: unknown, variables: Variables | undefined): Plan[] {
  const entries = Object.entries(entriesIn(ownFields("options.mcpServers", servers)));
  return entries.flatMap(([name, given]) => planOf(name, given, variables) ?? []);
}

function planOf(name: string, given: unknown, variables: Variables | undefined): Plan | undefined {
  // Checked first, so that no server is started that cannot be registered.
  checkName(name);
  const what = `options.mcpServers.${name.slice(0, 80)}`;
  if (typeof given === "function") return { name, way: { kind: "client", connect: given as () => McpClient }, tools: {} };
  if (isClient(given)) return { name, way: { kind: "client", connect: () => given, given }, tools: {} };
  const { broken } = Object(given) as { broken?: unknown };
  if (typeof broken === "string") return { name, way: { kind: "broken", reason: broken }, tools: {} };
  const valid = shaped(spelled(ownFields(what, given)), ENTRY, what);
  const tools = Object.fromEntries(Object.entries(valid).filter(([key]) => key in TOOLS));
  if (valid.envFile !== undefined) {
    return { name, way: { kind: "broken", reason: `${what}.envFile is not read; put its variables into env` }, tools };
  }
  const entry = serverEntry(what, valid);
  return entry.disabled ? undefined : { name, way: ableOrBroken(what, entry, variables), tools };
}

/** Returns the way to connect. A variable without a value makes only its own server fail. */
function ableOrBroken(what: string, entry: ServerEntry, variables: Variables | undefined): Way {
  try {
    return wayOf(what, entry, variables);
  } catch (error) {
    if (!(error instanceof MissingVariable)) throw error;
    return { kind: "broken", reason: error.message };
  }
}

/** Checks if a value is a connected client, by its methods. */
export function isClient(given: unknown): given is McpClient {
  return typeof given === "object" && given !== null && "listTools" in given;
}

import clients from "./clients.json" with { type: "json" };

const SPELLINGS: Readonly<Record<string, string>> = clients.spellings;
/** Settings of clients that do not describe the connection: sign-in, approvals, time limits, display. */
const OF_CLIENTS: ReadonlySet<string> = new Set(clients.ofClients);

type Fields = Readonly<Record<string, unknown>>;

/** Returns the server entries of a client's whole configuration, or the argument itself if it has the entries directly. */
export function entriesIn(given: Fields): Fields {
  for (const key of clients.wrappers) {
    const inner = given[key];
    // A server may have the name of a wrapper key.
    if (!isFields(inner) || ["command", "url", "serverUrl", "httpUrl", "listTools"].some((name) => name in inner)) continue;
    return key === "mcp" && isFields(inner["servers"]) ? inner["servers"] : inner;
  }
  return given;
}

/** Returns an entry in Claude's format, without the client's own settings. */
export function spelled(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (value !== null && value !== undefined && !OF_CLIENTS.has(key)) said[SPELLINGS[key] ?? key] = value;
  }
  const { command, args } = said;
  if (Array.isArray(command) && command.length > 0) {
    [said["command"], said["args"]] = [command[0], [...command.slice(1), ...(Array.isArray(args) ? args : [])]];
  } else if (isFields(command)) {
    // Zed's older format.
    const { path, ...rest } = command;
    Object.assign(said, rest, { command: path });
  }
  // Codex gives the names of variables.
  const of = isFields(entry["env_http_headers"]) ? entry["env_http_headers"] : {};
  const token = entry["bearer_token_env_var"];
  const headers = {
    ...Object.fromEntries(Object.entries(of).map(([name, variable]) => [name, `\${${String(variable)}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
  if (Object.keys(headers).length > 0) said["headers"] = { ...headers, ...(isFields(said["headers"]) && said["headers"]) };
  return said;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
