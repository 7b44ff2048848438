/** Reads `mcpServers`, the JSON of Claude, Cursor and VS Code, into one plan for each server. */

import { checkName, TOOLS } from "../adapters/mcp/options.js";
import type { ServerTools, StdioServer } from "../doorway/types.js";
import type { McpClient } from "../mcp/client.js";
import { ToolSiftError } from "../errors.js";
import { ownFields } from "../plain.js";
import { anything, type Shape, shaped, trueOrFalse } from "../shape.js";
import { SERVER_KEYS, serverWay } from "./read.js";
import { MissingVariable, type Variables } from "./variables.js";
import type { ServerWay } from "./way.js";

/** How one server is reached. */
export type Way =
  | ServerWay
  | { kind: "client"; connect: () => McpClient | Promise<McpClient>; given?: McpClient }
  | { kind: "broken"; reason: string };

/** One server: how it is reached, and how its tools are registered. */
export interface Plan {
  name: string;
  way: Way;
  tools: ServerTools;
}

/** `serverWay` checks how a server is reached. */
const WAY = Object.fromEntries(SERVER_KEYS.map((key) => [key, anything])) as Shape<
  Pick<StdioServer, (typeof SERVER_KEYS)[number]>
>;
const ENTRY: Shape<StdioServer> = { ...WAY, ...TOOLS, disabled: trueOrFalse };

/**
 * The plans of all servers that are not disabled.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`
 */
export function plansOf(servers: unknown, variables: Variables | undefined): Plan[] {
  const given = ownFields("options.mcpServers", servers);
  const entries = Object.entries(given);
  const [[wrapper, inner] = []] = entries;
  if (entries.length === 1 && WRAPPERS.includes(wrapper!) && isOfEntries(inner)) {
    const help = `pass its ${wrapper}, as in { mcpServers: file.${wrapper} }`;
    throw new ToolSiftError("option_invalid", `options.mcpServers is a whole file of a client; ${help}`);
  }
  return entries.flatMap(([name, given]) => planOf(name, given, variables) ?? []);
}

/** The keys under which clients' files have their servers. */
const WRAPPERS = ["mcpServers", "servers"];

/** Whether all values are objects, and not the settings of one server. */
function isOfEntries(value: unknown): boolean {
  if (typeof value !== "object" || value === null || isClient(value)) return false;
  return !SERVER_KEYS.some((key) => key in value) && Object.values(value).every((one) => typeof one === "object");
}

function planOf(name: string, given: unknown, variables: Variables | undefined): Plan | undefined {
  // Before a server is started that could not be registered.
  checkName(name);
  const what = `options.mcpServers.${name.slice(0, 80)}`;
  if (typeof given === "function") return { name, way: { kind: "client", connect: given as () => McpClient }, tools: {} };
  if (isClient(given)) return { name, way: { kind: "client", connect: () => given, given }, tools: {} };
  const valid = shaped(given, ENTRY, what);
  const tools = Object.fromEntries(Object.entries(valid).filter(([key]) => key in TOOLS));
  const isOff = valid.disabled === true;
  // What the variables of a server hold that is off does not matter.
  const way = wayOf(what, valid, isOff ? "filled" : variables);
  return isOff ? undefined : { name, way, tools };
}

/** A variable without a value breaks its server alone. */
function wayOf(what: string, valid: object, variables: Variables | "filled" | undefined): Way {
  try {
    return serverWay(what, valid, variables);
  } catch (error) {
    if (!(error instanceof MissingVariable)) throw error;
    return { kind: "broken", reason: error.message };
  }
}

/** Whether something is a connected client, by its shape. */
export function isClient(given: unknown): given is McpClient {
  return typeof given === "object" && given !== null && "listTools" in given;
}
