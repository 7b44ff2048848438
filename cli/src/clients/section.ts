/** Reads one file's servers: what they are, which entry is toolsift's own, and what was wrong. */

import { position, type Syntax } from "./data.js";
import { fromClient } from "./entry.js";
import { readText } from "./files.js";
import * as json from "./json.js";
import { configOf, isOurs } from "./ours.js";
import { quoted } from "../output/escape.js";
import type { Form } from "./table.js";
import * as toml from "./toml.js";
import { ClientError, type Problem, type ServerEntry } from "./types.js";

/** How many servers of a file are read; people have tens. */
const MAX_SERVERS = 1000;

/** How each format is read and changed. */
export const SYNTAX: Record<"json" | "toml", Syntax> = { json, toml };

/** The format of a file, by its name. */
export const formatOf = (file: string): "json" | "toml" => (file.toLowerCase().endsWith(".toml") ? "toml" : "json");

/** Where servers stand: a file, its format, the keys, and the spelling. */
export interface Where {
  file: string;
  format: "json" | "toml";
  at: readonly string[];
  skip?: readonly string[];
  form: Form;
}

/** A server's entry as it stands in a file. */
export interface Found {
  name: string;
  /** The entry as the client spells it. */
  value: unknown;
  /** The common form, variables not replaced. */
  entry: ServerEntry;
  bound: string[];
}

/** The servers in one file. */
export interface Section {
  text: string | undefined;
  root: unknown;
  /** Everything that stands there and can be understood, but toolsift's own entry. */
  found: Found[];
  /** Entries that start toolsift, and the configuration that they name. */
  own: { name: string; value: unknown; config?: string }[];
  /** The names of all entries, also of those that cannot be understood. */
  names: string[];
  problems: Problem[];
}

/** Reads a section of a file. Nothing is thrown: what cannot be read is a problem. */
export async function readSection(where: Where): Promise<Section> {
  try {
    return sectionOf(await readText(where.file), where);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const problems: Problem[] = [{ level: "error", file: where.file, message: error.message }];
    return { text: undefined, root: undefined, found: [], own: [], names: [], problems };
  }
}

/** Reads a section of a file whose text is known. */
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
    // Half an entry may start something else than what was meant.
    if (range && faults.some(({ offset }) => offset >= range[0] && offset <= range[1])) {
      say("error", `${quoted(name)} is not whole, because of the fault in the file, and is left out.`);
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
