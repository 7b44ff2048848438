/**
 * Reads and changes TOML, the format of Codex' configuration. The parser smol-toml does not keep comments. So a change
 * removes whole tables from the text or appends them. `mcp add` leaves servers that are not written as tables
 * (`[mcp_servers.name]`) in the client's file.
 */

import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { isObject } from "../base/values.js";
import { bareObject, type Document, type Fault, type Named } from "./data.js";

/** A table in the text: its keys, and the offsets of its header, of the end of its last setting, and of the next header. */
interface Block {
  path: string[];
  start: number;
  end: number;
  next: number;
}

export function read(text: string, at: readonly string[]): Document {
  const whole = tryParse(text.replace(/^\uFEFF/, " "));
  if ("fault" in whole) return { root: undefined, items: [], faults: [whole.fault] };
  const section = at.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : {}),
    whole.value,
  );
  const entries = isObject(section) ? Object.entries(section) : [];
  return { root: whole.value, items: entries.map(([name, value]) => ({ name, value: copied(value) })), faults: [] };
}

export function without(text: string, at: readonly string[], names: readonly string[]): string {
  const isOf = ({ path }: Block) => at.every((key, place) => path[place] === key) && names.includes(path[at.length] ?? "\0");
  let left = text;
  for (const block of blocksOf(text).filter(isOf).reverse()) {
    // The empty lines after a table are removed too. Comments stay, because they may belong to the next table.
    const gap = /^(?:[ \t]*\r?\n)*/.exec(left.slice(block.end, block.next))![0].length;
    left = left.slice(0, block.start) + left.slice(block.end + gap);
  }
  return left;
}

export function adding(text: string, at: readonly string[], servers: readonly Named[]): string {
  return servers.reduce((left, server) => append(left, at, server), text);
}

function append(text: string, at: readonly string[], [name, value]: Named): string {
  const nested = [...at, name].reduceRight<unknown>((inner, key) => bareObject([[key, inner]]), value);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const table = stringify(nested as TomlTable)
    .trim()
    .replaceAll("\n", eol);
  const before = text === "" || text.endsWith("\n") ? text : text + eol;
  const gap = before.trim() === "" || before.endsWith(eol + eol) ? "" : eol;
  return `${before}${gap}${table}${eol}`;
}

function tryParse(text: string): { value: TomlTable } | { fault: Fault } {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: { message: "the values are nested too deeply", offset: 0 } };
    if (!(error instanceof TomlError)) throw error;
    // Only the first line of the message is used: the other lines quote the file, which may hold secrets.
    const message = error.message.split("\n")[0]!.replace("Invalid TOML document: ", "");
    const before = text.split("\n").slice(0, error.line - 1);
    return { fault: { message, offset: before.reduce((sum, one) => sum + one.length + 1, error.column - 1) } };
  }
}

/** Returns the value as plain data. Dates become strings. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  return bareObject(Object.entries(value).map(([key, inner]) => [key, copied(inner)] as const));
}

/**
 * Returns all tables in order. A line that looks like a header is skipped if it is inside a string or an array: then the text
 * before the line is incomplete TOML.
 */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const { 0: line, index } of text.matchAll(/^[ \t\uFEFF]*\[.*/gm)) {
    const last = blocks.at(-1);
    const header = tryParse(line.replace(/^\uFEFF/, ""));
    if ("fault" in header || "fault" in tryParse(text.slice(last?.start ?? 0, index).replace(/^\uFEFF/, ""))) continue;
    if (last !== undefined) last.next = index;
    blocks.push({ path: pathOf(header.value), start: index, end: 0, next: text.length });
  }
  for (const block of blocks) {
    block.end = block.next;
    for (let line = block.end; ; block.end = line) {
      line = text.lastIndexOf("\n", block.end - 2) + 1;
      if (line <= block.start || !/^[ \t]*(?:#.*)?\r?\n?$/.test(text.slice(line, block.end))) break;
    }
  }
  return blocks;
}

/** Returns the keys in a table's header, from the parsed header. */
function pathOf(value: unknown): string[] {
  const [key] = isObject(value) ? Object.keys(value) : [];
  if (key === undefined) return [];
  const inner = (value as TomlTable)[key];
  return [key, ...pathOf(Array.isArray(inner) ? inner[0] : inner)];
}
