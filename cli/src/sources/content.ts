/** Tells by its content what a JSON file is: tools in one of their forms, or a configuration of MCP servers. */

import { Failure } from "../failure.js";
import { isObject } from "../values.js";

/** Tools of one server. */
export interface ToolFile {
  kind: "tools";
  lists: { server: string; tools: readonly unknown[] }[];
}

/** Servers that have to be asked for their tools. */
export interface ConfigFile {
  kind: "servers";
  servers: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** The keys that make an object a single definition. */
const OF_A_TOOL = ["inputSchema", "input_schema", "parameters", "function", "functionDeclarations"];

/**
 * What a JSON value holds.
 *
 * @param from where it is from, for the message
 * @param server the name of the server, where the definitions do not say it
 * @throws Failure when it holds neither tools nor servers
 */
export function contentOf(value: unknown, from: string, server: string): ToolFile | ConfigFile {
  const configured = serversIn(value);
  if (configured !== undefined) {
    if (Object.keys(configured).length > 0) return { kind: "servers", servers: configured };
    throw new Failure(`${from} configures no servers: its mcpServers is empty`);
  }
  const tools = toolsIn(value);
  if (tools === undefined) {
    const listed = isObject(value) ? (value["tools"] ?? Object(value["result"])["tools"]) : undefined;
    if (listed !== undefined) {
      const shape = isObject(listed) ? "an object" : shapeOf(listed);
      throw new Failure(`"tools" in ${from} is ${shape}; it must be a list of definitions`);
    }
    const answer = 'a tools/list answer, a list of definitions, or { "mcpServers": … }';
    throw new Failure(`${from} holds ${shapeOf(value)}; it must hold ${answer}`);
  }
  if (tools.length === 0) throw new Failure(`${from} has no tools: its list is empty`);
  return { kind: "tools", lists: byServer(tools, server) };
}

/** `mcpServers` of Claude and Cursor, `servers` of VS Code, which settings hold under `mcp`. */
function serversIn(value: unknown): Json | undefined {
  if (!isObject(value)) return undefined;
  const { mcpServers, servers, mcp } = value;
  if (isObject(mcpServers)) return mcpServers;
  if (isObject(servers) && Object.values(servers).every((one) => isObject(one) && ("command" in one || "url" in one))) {
    return servers;
  }
  return isObject(mcp) ? serversIn({ servers: mcp["servers"] }) : undefined;
}

function toolsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const { result, tools } = value;
  if (Array.isArray(tools)) return tools;
  if (isObject(result) && Array.isArray(result["tools"])) return result["tools"];
  return OF_A_TOOL.some((key) => key in value) ? [value] : undefined;
}

/** Definitions that all name a server are that server's. */
function byServer(tools: readonly unknown[], server: string): ToolFile["lists"] {
  const named = tools.every((tool) => isObject(tool) && typeof tool["server"] === "string" && tool["server"] !== "");
  if (!named) return [{ server, tools }];
  const lists = new Map<string, unknown[]>();
  for (const tool of tools as (Json & { server: string })[]) {
    const list = lists.get(tool.server) ?? [];
    lists.set(tool.server, list);
    list.push(tool);
  }
  return [...lists].map(([name, list]) => ({ server: name, tools: list }));
}

function shapeOf(value: unknown): string {
  if (!isObject(value)) return value === null ? "null" : `a ${typeof value}`;
  const keys = Object.keys(value)
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 40)));
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}
