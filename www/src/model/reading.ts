/** Reading a `tools/list` that somebody brings: which shapes are understood, and what is wrong with the rest. */
import type { ToolDefinition } from "toolsift";
import { isRecord } from "./json.ts";
import { bytes as writtenBytes } from "./numbers.ts";

/** Larger files are refused before they are read: a list of this size is some 20,000 tools. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

const MAX_SERVER_NAME = 64;

export interface ServerList {
  server: string;
  tools: ToolDefinition[];
}

/** A text that cannot be used, and why, in a sentence for the person who brought it. */
export class UnreadableList extends Error {}

export function checkFileSize(name: string, size: number): void {
  if (size > MAX_FILE_BYTES) {
    throw new UnreadableList(
      `${name} is ${writtenBytes(size)}; at most ${writtenBytes(MAX_FILE_BYTES)} are read. Split it by server.`,
    );
  }
}

/** One list per server that the text names; `name` is the file's, or what was typed for a paste. */
export function readToolLists(text: string, name: string): ServerList[] {
  checkFileSize(name, new TextEncoder().encode(text).length);
  if (text.trim() === "") throw new UnreadableList(`${name} is empty.`);
  const lists = serverLists(parsed(text, name), serverNameFrom(name), name);
  if (lists.every((list) => list.tools.length === 0)) {
    throw new UnreadableList(`${name} holds a list of tools, but the list is empty.`);
  }
  return lists;
}

/** Tools by server: a list whose entries name their servers is split, any other is one server's. */
export function serverLists(value: unknown, server: string, from: string): ServerList[] {
  const tools = toolsIn(value);
  if (tools === null) {
    throw new UnreadableList(
      `${from} holds no list of tools: expected an array, { "tools": [...] } or { "result": { "tools": [...] } }.`,
    );
  }
  const named = serverNamed(value) ?? server;
  const byServer = new Map<string, ToolDefinition[]>();
  for (const tool of tools) {
    const own = serverNamed(tool) ?? named;
    const list = byServer.get(own) ?? [];
    // An entry that is no object goes to the library all the same: it is the one to say what is wrong with it.
    list.push(tool as ToolDefinition);
    byServer.set(own, list);
  }
  if (byServer.size === 0) return [{ server: named, tools: [] }];
  return [...byServer].map(([name, list]) => ({ server: name, tools: list }));
}

/** `tools-github.json` → `github`. */
export function serverNameFrom(file: string): string {
  const stem = file.replace(/^.*[\\/]/, "").replace(/\.[a-z0-9]+$/i, "");
  const name = stem.replace(/^(tools|mcp)[-_. ]+|[-_. ]+(tools|mcp)$/gi, "").trim();
  return (name || stem || "mine").slice(0, MAX_SERVER_NAME);
}

/** The server that a list or a tool says it is of. */
function serverNamed(value: unknown): string | null {
  const name = isRecord(value) && typeof value["server"] === "string" ? value["server"].trim() : "";
  return name === "" ? null : name.slice(0, MAX_SERVER_NAME);
}

function toolsIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  if (Array.isArray(value["tools"])) return value["tools"];
  return isRecord(value["result"]) ? toolsIn(value["result"]) : null;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableList(`${name} is not valid JSON${placeOf(reason, text)}: ${reason}`);
  }
}

/** Engines give an offset at best; people look for a line. */
function placeOf(reason: string, text: string): string {
  const offset = /position (\d+)/.exec(reason)?.[1];
  if (offset === undefined || /line \d+/.test(reason)) return "";
  const before = text.slice(0, Number(offset)).split("\n");
  return `, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
