/**
 * TOML, as Codex keeps its configuration. smol-toml reads it but keeps no comments, so a change cuts whole tables out of the
 * text or appends them. Servers in another form than tables (`[mcp_servers.name]`) are read, but `mcp add` does not move them.
 */

import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { isObject } from "../base/values.js";
import { bareObject, type Document, type Fault, type Named } from "./data.js";

/** A TOML table in the text, as offsets. */
interface Block {
  path: string[];
  start: number;
  /** The end of the last line that is neither empty nor a comment. */
  end: number;
  /** The start of the next header, or the end of the text. */
  next: number;
}

export function read(text: string, at: readonly string[]): Document {
  const body = text.replace(/^\uFEFF/, " ");
  const whole = tryParse(body);
  if (!("fault" in whole)) return { root: whole.value, items: itemsOf(whole.value, text, at), faults: [] };
  // The file is broken: the tables of servers that are sound on their own are read all the same.
  const groups = new Map<string, string>();
  for (const block of blocksOf(body)) {
    const name = serverOf(block, at);
    if (name !== undefined) groups.set(name, (groups.get(name) ?? "") + body.slice(block.start, block.end) + "\n");
  }
  const items = [...groups.values()].flatMap((part) => {
    const parsed = tryParse(part);
    return "fault" in parsed ? [] : itemsOf(parsed.value, text, at);
  });
  return { root: undefined, items, faults: [whole.fault] };
}

export function without(text: string, at: readonly string[], names: readonly string[]): string {
  const gone = blocksOf(text).filter((block) => names.includes(serverOf(block, at) ?? "\0"));
  let left = text;
  for (const block of gone.reverse()) {
    // The empty lines after a table go with it; comments stay, since they may belong to what follows.
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
    // Only the first line of the message: the others quote the file, which may hold secrets.
    const message = error.message.split("\n")[0]!.replace("Invalid TOML document: ", "");
    const before = text.split("\n").slice(0, error.line - 1);
    return { fault: { message, offset: before.reduce((sum, one) => sum + one.length + 1, error.column - 1) } };
  }
}

function itemsOf(root: TomlTable, text: string, at: readonly string[]) {
  const section = at.reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : {}), root);
  if (!isObject(section)) return [];
  const starts = new Map(
    blocksOf(text)
      .map((block) => [serverOf(block, at), block.start] as const)
      .reverse(),
  );
  return Object.entries(section).map(([name, value]) => ({ name, value: copied(value), offset: starts.get(name) ?? 0 }));
}

/** The value as plain data; dates become text. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  return bareObject(Object.entries(value).map(([key, inner]) => [key, copied(inner)] as const));
}

function serverOf(block: Block, at: readonly string[]): string | undefined {
  return at.every((key, place) => block.path[place] === key) ? block.path[at.length] : undefined;
}

/** All tables of the text in order. Text in strings, comments and brackets is never taken for a header. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (let line = 0; line < text.length; ) {
    const header = /^[ \t\uFEFF]*\[/.test(text.slice(line, line + 200)) ? headerAt(text, line) : undefined;
    const stop = header === undefined ? endOfStatement(text, line) : lineEnd(text, line);
    const blank = /^[ \t]*(?:#|\r?\n|$)/.test(text.slice(line, stop));
    const last = blocks.at(-1);
    if (header) {
      if (last) last.next = line;
      blocks.push({ path: header, start: line, end: stop, next: text.length });
    } else if (last && !blank) last.end = stop;
    line = stop;
  }
  return blocks;
}

/** Returns the end of a statement. It takes several lines while a string or a bracket is open. */
function endOfStatement(text: string, start: number): number {
  let depth = 0;
  let place = start;
  while (place < text.length) {
    const char = text[place]!;
    if (char === "\n" && depth <= 0) return place + 1;
    if (char === "[" || char === "{") depth += 1;
    if (char === "]" || char === "}") depth -= 1;
    if (char === "#") {
      const end = text.indexOf("\n", place);
      place = end < 0 ? text.length : end;
    } else place = char === '"' || char === "'" ? stringEnd(text, place) : place + 1;
  }
  return text.length;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end + 1;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start]!;
  const triple = text.startsWith(quote.repeat(3), start);
  const mark = triple ? quote.repeat(3) : quote;
  let place = start + mark.length;
  while (place < text.length) {
    if (text.startsWith(mark, place)) {
      let end = place + mark.length;
      // A multi-line string may end in quotes of its own: `""""` and `"""""`.
      while (triple && text[end] === quote && end < place + 5) end += 1;
      return end;
    }
    if (!triple && text[place] === "\n") return place;
    place += quote === '"' && text[place] === "\\" ? 2 : 1;
  }
  return text.length;
}

/** Returns the path of a table if this line is its header. smol-toml parses the line alone. */
function headerAt(text: string, start: number): string[] | undefined {
  const parsed = tryParse(text.slice(start, lineEnd(text, start)).replace(/^\uFEFF/, ""));
  if ("fault" in parsed) return undefined;
  const path: string[] = [];
  for (let value: unknown = parsed.value; isObject(value); ) {
    const [key] = Object.keys(value);
    if (key === undefined) break;
    path.push(key);
    value = Array.isArray(value[key]) ? value[key][0] : value[key];
  }
  return path;
}
