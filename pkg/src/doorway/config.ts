/** Reads `mcpServers`, the JSON of Claude, Cursor and VS Code, into one plan for each server. */

import { checkName } from "../adapters/mcp/options.js";
import type { McpClient } from "../adapters/mcp/types.js";
import { known, listOf, oneOf } from "../checks.js";
import { flag } from "../flag.js";
import { ToolSiftError } from "../errors.js";
import { own } from "../plain.js";
import { isList, kind, read } from "../values.js";
import type { ServerTools } from "./types.js";
import { expanded, MissingVariable, type Variables } from "./variables.js";

/** How one server is reached. */
export type Way =
  | { kind: "stdio"; command: string; args: string[]; env?: Record<string, string>; cwd?: string }
  | { kind: "http" | "sse" | "either"; url: URL; headers: Record<string, string> }
  | { kind: "client"; connect: () => McpClient | Promise<McpClient> }
  | { kind: "broken"; reason: string };

/** One server: how it is reached, and how its tools are registered. */
export interface Plan {
  name: string;
  way: Way;
  tools: ServerTools;
}

const TOOLS = ["names", "deferral", "category", "enrichment", "packs", "trustServerHints"];
const STDIO = ["command", "args", "env", "cwd"];
const REMOTE = ["url", "headers"];
/** More than any command line takes. */
const MOST_ARGS = 10_000;
const TYPES = ["stdio", "http", "streamable-http", "sse"];

/**
 * The plans of all servers that are not disabled.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`
 */
export function plansOf(servers: unknown, variables: Variables | undefined): Plan[] {
  const entries = Object.entries(own("options.mcpServers", servers));
  return entries.flatMap(([name, given]) => planOf(name, given, variables) ?? []);
}

function planOf(name: string, given: unknown, variables: Variables | undefined): Plan | undefined {
  // Before a server is started that could not be registered.
  checkName(name);
  const what = `options.mcpServers.${name.slice(0, 80)}`;
  if (typeof given === "function") return { name, way: { kind: "client", connect: given as () => McpClient }, tools: {} };
  if (read("option_invalid", what, () => isClient(given))) {
    return { name, way: { kind: "client", connect: () => given as McpClient }, tools: {} };
  }
  const said = known(given, ["type", ...STDIO, ...REMOTE, "disabled", ...TOOLS], what);
  const { disabled = false, type, names, deferral, category, enrichment, packs, trustServerHints } = said;
  if (typeof disabled !== "boolean") throw wrong(`${what}.disabled`, disabled, "true or false");
  oneOf(`mcpServers.${name.slice(0, 80)}.type`, type, TYPES);
  flag(`mcpServers.${name.slice(0, 80)}.packs`, packs);
  flag(`mcpServers.${name.slice(0, 80)}.trustServerHints`, trustServerHints);
  const chosen = Object.entries({ names, deferral, category, enrichment, packs, trustServerHints });
  const tools = Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
  refuseMixture(what, said);
  if (disabled) return undefined;
  try {
    return { name, way: said["command"] === undefined ? remote(what, said, variables) : stdio(what, said, variables), tools };
  } catch (error) {
    if (!(error instanceof MissingVariable)) throw error;
    return { name, way: { kind: "broken", reason: error.message }, tools };
  }
}

/** A server has either a command or a URL, and only the keys that go with it. */
function refuseMixture(what: string, said: Record<string, unknown>): void {
  const { command, url, type } = said;
  if (command !== undefined && url !== undefined) {
    throw new ToolSiftError("option_conflict", `${what} has both command and url; a server has one of them`);
  }
  if (command === undefined && url === undefined) {
    throw new ToolSiftError("option_invalid", `${what} has neither command nor url; a server has one of them`);
  }
  const isStdio = command !== undefined;
  if (type !== undefined && (type === "stdio") !== isStdio) {
    const key = isStdio ? "command" : "url";
    throw new ToolSiftError("option_conflict", `${what}.type is ${JSON.stringify(type)}, which does not go with ${key}`);
  }
  const stray = (isStdio ? REMOTE : STDIO).find((key) => said[key] !== undefined);
  if (stray === undefined) return;
  const message = `${what}.${stray} does not go with ${isStdio ? "command" : "url"}`;
  throw new ToolSiftError("option_conflict", message);
}

function stdio(what: string, said: Record<string, unknown>, variables: Variables | undefined): Way {
  const { command, args = [], env, cwd } = said;
  if (!isList(args)) throw wrong(`${what}.args`, args, "a list of texts");
  const listed = read("option_invalid", `${what}.args`, () => [...listOf(`${what}.args`, args, MOST_ARGS)]);
  return {
    kind: "stdio",
    command: filled(`${what}.command`, command, variables),
    args: listed.map((one, at) => text(`${what}.args[${at}]`, one, variables)),
    ...(env === undefined ? {} : { env: texts(`${what}.env`, env, variables) }),
    ...(cwd === undefined ? {} : { cwd: filled(`${what}.cwd`, cwd, variables) }),
  };
}

function remote(what: string, said: Record<string, unknown>, variables: Variables | undefined): Way {
  const { type, url, headers = {} } = said;
  const kinds = { sse: "sse", http: "http", "streamable-http": "http" } as const;
  const sent = texts(`${what}.headers`, headers, variables);
  return { kind: kinds[type as keyof typeof kinds] ?? "either", url: urlOf(`${what}.url`, url, variables), headers: sent };
}

function urlOf(what: string, given: unknown, variables: Variables | undefined): URL {
  const written = filled(what, given, variables);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  // As it stands in the configuration: what a variable holds may be secret.
  throw wrong(what, given, "a URL that begins with http:// or https://");
}

function texts(what: string, given: unknown, variables: Variables | undefined): Record<string, string> {
  const entries = Object.entries(own(what, given));
  return Object.fromEntries(entries.map(([key, value]) => [key, text(`${what}.${key.slice(0, 80)}`, value, variables)]));
}

function text(what: string, given: unknown, variables: Variables | undefined): string {
  if (typeof given !== "string") throw wrong(what, given, "a text");
  return expanded(what, given, variables);
}

function filled(what: string, given: unknown, variables: Variables | undefined): string {
  const said = text(what, given, variables);
  if (said.trim() === "") throw wrong(what, given, "a text that is not empty");
  return said;
}

/** Whether something is a connected client, by its shape. */
export function isClient(given: unknown): given is McpClient {
  return typeof given === "object" && given !== null && "listTools" in given;
}

function wrong(what: string, value: unknown, wanted: string): ToolSiftError {
  return new ToolSiftError("option_invalid", `${what} is ${kind(value)}; it must be ${wanted}`);
}
