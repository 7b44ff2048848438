/** Reads the servers in one file, separates toolsift's own entry from them, and collects the problems. */

import { Failure } from "../base/failure.js";
import { type Named, position, type Syntax } from "./data.js";
import { fromClient } from "./entry.js";
import { readText } from "./files.js";
import * as json from "./json.js";
import { configOf, isOurs } from "./ours.js";
import { quoted } from "../output/escape.js";
import type { Form } from "./table.js";
import * as toml from "./toml.js";
import type { Problem, ServerEntry } from "./types.js";

/** The most servers that are read from a file. */
const MAX_SERVERS = 1000;

/** The functions that read and change each file format. */
export const SYNTAX: Record<"json" | "toml", Syntax> = { json, toml };

/** Returns the format of a file, by its extension. */
export const formatOf = (file: string): "json" | "toml" => (file.toLowerCase().endsWith(".toml") ? "toml" : "json");

/** The place of servers: a file, its format, the keys that lead to them, the keys there to skip, and the form of entries. */
export interface Where {
  file: string;
  format: "json" | "toml";
  at: readonly string[];
  skip?: readonly string[];
  form: Form;
}

/** A server's entry in a file. */
export interface Found {
  name: string;
  /** The entry in the client's form. */
  value: unknown;
  /** The entry in the common form, with variables not replaced. */
  entry: ServerEntry;
  /** The keys of the entry that toolsift does not support although the server needs them. */
  bound: string[];
}

/** The servers in one file. */
export interface Section {
  text: string | undefined;
  root: unknown;
  /** The valid entries, except toolsift's own. */
  found: Found[];
  /** The entries that start toolsift, and the configuration file that each names. */
  own: { name: string; value: unknown; config?: string }[];
  /** The names of all entries, even of invalid ones. */
  names: string[];
  problems: Problem[];
}

/** Reads the servers in a file. Never throws: if the file cannot be read, the result has a problem. */
export async function readSection(where: Where): Promise<Section> {
  try {
    return sectionOf(await readText(where.file), where);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problems: Problem[] = [{ level: "error", file: where.file, message: error.message }];
    return { text: undefined, root: undefined, found: [], own: [], names: [], problems };
  }
}

/** Returns the text of a file without some servers, and then with others in their order. */
export function edited(text: string, { format, at }: Where, gone: readonly string[], added: readonly Named[] = []): string {
  return SYNTAX[format].adding(SYNTAX[format].without(text, at, gone), at, added);
}

/** Reads the servers in the text of a file. */
export function sectionOf(text: string | undefined, where: Where): Section {
  const { file } = where;
  const { root, items, faults } = SYNTAX[where.format].read(text ?? "", where.at);
  const at = (offset: number) => position(text ?? "", offset);
  const problems: Problem[] = faults.map(({ message, offset }) => ({ level: "error", file, message, ...at(offset) }));
  const servers = new Map<string, Found>();
  const own: Section["own"] = [];
  const entries = items.filter(({ name }) => !where.skip?.includes(name));
  for (const { name, value, range } of entries.slice(0, MAX_SERVERS)) {
    const say = (level: Problem["level"], message: string) =>
      problems.push({ level, file, server: name, message, ...(range && at(range[0])) });
    // An incomplete entry is left out: it could start a different program than the user meant.
    if (range && faults.some(({ offset }) => offset >= range[0] && offset <= range[1])) {
      say("error", `${quoted(name)} is incomplete because of the syntax error in the file, and is left out.`);
      continue;
    }
    const { entry, bound, unknown, fault } = fromClient(name, value, where.form);
    if (servers.has(name)) say("note", `${quoted(name)} stands here more than once. The last entry counts.`);
    if (!entry) {
      say("error", `${fault}.`);
      continue;
    }
    const keys = unknown.slice(0, 10).map(quoted).join(", ");
    if (unknown.length > 0) say("note", `${quoted(name)} has keys that toolsift does not apply: ${keys}.`);
    const config = configOf(entry);
    if (isOurs(entry)) own.push({ name, value, ...(config !== undefined && { config }) });
    else servers.set(name, { name, value, entry, bound });
  }
  if (entries.length > MAX_SERVERS) {
    const message = `The file names ${entries.length} servers. toolsift reads the first ${MAX_SERVERS}.`;
    problems.push({ level: "error", file, message });
  }
  return { text, root, found: [...servers.values()], own, names: entries.map(({ name }) => name), problems };
}
