/** Reads a `tools/list` of a visitor in several formats, and reports the problems of the rest. */
import type { ToolDefinition } from "toolsift";
import type { List } from "../core/types.ts";
import { type Configured, configuredServers } from "./config.ts";
import { isRecord, parseJson, type JsonRecord } from "./json.ts";
import { bytes as writtenBytes } from "./numbers.ts";

/** The maximum size of a file, which is checked before reading. A list of this size has some 20,000 tools. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

const MAX_SERVER_NAME = 64;

interface ServerList {
  server: string;
  tools: ToolDefinition[];
  /** The package from which the list was captured, if the list states it. */
  package?: string;
}

/** A text that the visitor pasted. */
export interface Text {
  name: string;
  text: string;
}

/** The content of a file: lists of tools, or servers of a client's configuration. */
export interface Read {
  lists: List[];
  configured: Configured[];
  /** The reason why the file cannot be used; null if it can. */
  problem: string | null;
}

/** The error for a text that cannot be used, with the reason in a sentence for the visitor. */
class UnreadableList extends Error {}

function checkFileSize(name: string, size: number): void {
  if (size > MAX_FILE_BYTES) {
    throw new UnreadableList(
      `${name} is ${writtenBytes(size)}; at most ${writtenBytes(MAX_FILE_BYTES)} are read. Split it by server.`,
    );
  }
}

/** Reads a file or pasted text. An invalid file does not affect the others. */
export async function readFile(given: Text | File): Promise<Read> {
  const { name } = given;
  try {
    checkFileSize(name, "text" in given && typeof given.text === "string" ? given.text.length : (given as File).size);
    const text = typeof given.text === "string" ? given.text : await given.text();
    if (text.trim() === "") throw new UnreadableList(`${name} is empty.`);
    const value = parsed(text, name);
    const configured = configuredServers(value);
    if (configured) return { lists: [], configured, problem: null };
    const lists = serverLists(value, serverNameFrom(name), name);
    if (lists.every((list) => list.tools.length === 0)) {
      throw new UnreadableList(`${name} holds a list of tools, but the list is empty.`);
    }
    const read = lists.map(({ server, tools, package: start = null }): List => {
      return { server, start, tools, known: "definitions", words: null };
    });
    return { lists: read, configured: [], problem: null };
  } catch (error) {
    if (!(error instanceof UnreadableList) && !(error instanceof DOMException)) throw error;
    return { lists: [], configured: [], problem: error.message };
  }
}

/** Groups tools by server. A list whose entries name their servers is split; any other list belongs to one server. */
function serverLists(value: unknown, server: string, from: string): ServerList[] {
  const lists = listsIn(value, server);
  if (lists === null) {
    throw new UnreadableList(`${from} holds no list of tools: expected the answer to tools/list, or an mcp.json.`);
  }
  const byServer = new Map<string, ToolDefinition[]>();
  const packages = new Map<string, string>();
  for (const { server: named, tools, package: from } of lists) {
    if (from) packages.set(named, from);
    for (const tool of tools) {
      const own = serverNamed(tool) ?? named;
      const list = byServer.get(own) ?? [];
      // An entry that is no object is passed to the library too, which reports its error.
      list.push(tool as ToolDefinition);
      byServer.set(own, list);
    }
  }
  if (byServer.size === 0) return [{ server: lists[0]?.server ?? server, tools: [] }];
  return [...byServer].map(([name, tools]) => {
    const from = packages.get(name);
    return from === undefined ? { server: name, tools } : { server: name, tools, package: from };
  });
}

interface RawList {
  server: string;
  tools: readonly unknown[];
  package?: string | null;
}

/** Keys that only a definition has. An object with one of them is a tool, not a list. */
const OF_A_TOOL = ["inputSchema", "input_schema", "parameters", "function", "functionDeclarations"];

/** Returns the lists in a value of any supported format; null if there are none. */
function listsIn(value: unknown, server: string): RawList[] | null {
  if (Array.isArray(value)) {
    // The value is a list of captured messages, or of several lists.
    const called = value.map(nameInMessage).find((name) => name !== null) ?? server;
    const inside = value.map((entry) => (isRecord(entry) && !isTool(entry) ? listsIn(entry, called) : null));
    const isMessages = value.length > 0 && value.every((entry, at) => inside[at] !== null || isMessage(entry));
    if (isMessages && inside.some((lists) => lists !== null)) return inside.flatMap((lists) => lists ?? []);
    return [{ server, tools: value }];
  }
  if (!isRecord(value)) return null;
  const named = serverNamed(value) ?? server;
  if (Array.isArray(value["tools"])) return [{ server: named, tools: value["tools"], package: packageIn(value) }];
  if (isRecord(value["result"])) return listsIn(value["result"], named);
  if (isTool(value)) return [{ server: named, tools: [value] }];
  return mapOf(value);
}

/** Reads lists by server name: `{ "github": [...], "slack": { "tools": [...] } }`. */
function mapOf(value: JsonRecord): RawList[] | null {
  const lists = Object.entries(value).map(([name, inner]) => {
    const isList = Array.isArray(inner) || (isRecord(inner) && (Array.isArray(inner["tools"]) || isRecord(inner["result"])));
    return isList ? listsIn(inner, name.slice(0, MAX_SERVER_NAME)) : null;
  });
  if (lists.length === 0 || lists.some((list) => list === null)) return null;
  return lists.flatMap((list) => list ?? []);
}

function isTool(value: JsonRecord): boolean {
  return OF_A_TOOL.some((key) => key in value);
}

/** Returns the server's own name in its answer to `initialize`. */
function nameInMessage(value: unknown): string | null {
  const result = isRecord(value) ? value["result"] : null;
  const info = isRecord(result) ? result["serverInfo"] : null;
  const name = isRecord(info) ? info["name"] : null;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, MAX_SERVER_NAME) : null;
}

/** Checks if a value is a protocol message. */
function isMessage(value: unknown): boolean {
  return isRecord(value) && "jsonrpc" in value;
}

/** Returns the server's name in a file name: `tools-github.json` → `github`. */
function serverNameFrom(file: string): string {
  const stem = file.replace(/^.*[\\/]/, "").replace(/\.[a-z0-9]+$/i, "");
  const name = stem.replace(/^(tools|mcp)[-_. ]+|[-_. ]+(tools|mcp)$/gi, "").trim();
  return (name || stem || "mine").slice(0, MAX_SERVER_NAME);
}

/** Returns `name@version` of a captured list. */
function packageIn({ package: name, version }: JsonRecord): string | null {
  return typeof name === "string" && typeof version === "string" ? `${name}@${version}` : null;
}

/** Returns the server that a list or a tool names. */
function serverNamed(value: unknown): string | null {
  const name = isRecord(value) && typeof value["server"] === "string" ? value["server"].trim() : "";
  return name === "" ? null : name.slice(0, MAX_SERVER_NAME);
}

function parsed(text: string, name: string): unknown {
  const plain = unfenced(text.replace(/^\uFEFF/, ""));
  try {
    return JSON.parse(plain) as unknown;
  } catch (error) {
    const value = messagesIn(plain) ?? parseJson(withoutTrailingCommas(plain));
    if (value !== undefined) return value;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableList(`${name} is not valid JSON${placeOf(reason, plain)}: ${reason}`);
  }
}

/** Returns the text inside Markdown's code fences, if there are fences. */
function unfenced(text: string): string {
  return /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/** Removes commas before a closing bracket, which remain when people copy lists out of code. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/("(?:\\.|[^"\\])*")|,(\s*[}\]])/g, (_, string?: string, end?: string) => string ?? end ?? "");
}

/** Returns captured messages with one message a line, as in a log or an event stream; null if a line is no message. */
function messagesIn(text: string): unknown[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^(?:event|id|retry):|^:/.test(line));
  if (lines.length === 0) return null;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = parseJson(line.replace(/^data:\s*/, ""));
    if (!isRecord(value)) return null;
    values.push(value);
  }
  return values;
}

/** Returns the line and column of an error. Engines give at best an offset. */
function placeOf(reason: string, text: string): string {
  const offset = /position (\d+)/.exec(reason)?.[1];
  if (offset === undefined || /line \d+/.test(reason)) return "";
  const before = text.slice(0, Number(offset)).split("\n");
  return `, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
