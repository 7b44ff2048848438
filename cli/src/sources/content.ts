/** Reads a file that holds either tool definitions, in one of several formats, or a configuration of MCP servers. */

import type { Config } from "../clients/config.js";
import { Failure } from "../base/failure.js";
import { isObject } from "../base/values.js";
import type { Text } from "./files.js";
import { position } from "../clients/data.js";
import { parsed } from "../clients/json.js";
import { oneLine } from "../output/escape.js";

/** The content of a file with tools: one list for each server. */
export interface ToolFile {
  kind: "tools";
  lists: { server: string; tools: readonly unknown[] }[];
}

/** The content of a configuration file: the servers that must be started to list their tools. */
export interface ConfigFile extends Pick<Config, "servers" | "problems"> {
  kind: "servers";
}

type Json = Record<string, unknown>;

/** An object with one of these keys is a single tool definition. */
const OF_A_TOOL = ["inputSchema", "input_schema", "parameters", "function", "functionDeclarations"];

/** Reads the tools or servers in a text. @throws Failure if it holds neither */
export async function contentOf({ text, path, from, server }: Text): Promise<ToolFile | ConfigFile> {
  const isToml = path.toLowerCase().endsWith(".toml");
  const value = isToml ? undefined : readJson(text, from);
  const tools = toolsIn(value);
  if (tools === undefined) {
    // Loaded only here, because most sources hold tools.
    const { serversIn } = await import("../clients/config.js");
    const found = serversIn(text, path);
    if (found !== undefined) return { kind: "servers", ...found };
    throw neither(value, from);
  }
  if (tools.length === 0) throw new Failure(`${from} has no tools: its list is empty`);
  return { kind: "tools", lists: byServer(tools, server) };
}

function toolsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const { mcpServers, result, tools } = value;
  if (isObject(mcpServers)) return undefined;
  if (Array.isArray(tools)) return tools;
  if (isObject(result) && Array.isArray(result["tools"])) return result["tools"];
  return OF_A_TOOL.some((key) => key in value) ? [value] : undefined;
}

/** Groups the tools by their `server`, if every tool has one. Otherwise all tools belong to `server`. */
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

function neither(value: unknown, from: string): Failure {
  const listed = isObject(value) ? (value["tools"] ?? Object(value["result"])["tools"]) : undefined;
  if (listed !== undefined) {
    const shape = isObject(listed) ? "an object" : shapeOf(listed);
    return new Failure(`"tools" in ${from} is ${shape}; it must be a list of definitions`);
  }
  const answer = 'a tools/list answer, a list of definitions, or { "mcpServers": … }';
  return new Failure(`${from} holds ${shapeOf(value)}; it must hold ${answer}`);
}

function shapeOf(value: unknown): string {
  if (!isObject(value)) return value === null ? "null" : `a ${typeof value}`;
  const keys = Object.keys(value)
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 40)));
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}

/**
 * Parses a JSON text, which may have comments.
 *
 * @param from the name of the source, for the message
 * @throws Failure with the line and the column of the first mistake
 */
function readJson(text: string, from: string): unknown {
  const written = text.replace(/^\uFEFF/, "");
  if (written.trim() === "") throw new Failure(`${from} is empty; it must hold tools as JSON`);
  try {
    return JSON.parse(written);
  } catch {
    const { value, faults } = parsed(written);
    if (faults.length === 0) return value;
    const [{ message, offset }] = faults as [(typeof faults)[0]];
    const { line, column } = position(text, offset);
    const lineText = oneLine(written.split("\n")[line - 1] ?? "", 60);
    const there = written.slice(offset).trim() === "" ? ", where the text ends" : lineText && `: ${lineText}`;
    throw new Failure(`${from} is not JSON: ${message} in line ${line}, column ${column}${there}`);
  }
}
