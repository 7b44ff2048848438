/** The place in a client's files that a change is about, read and checked. */

import { backupWithServers } from "./section.js";
import { readOwn } from "./config.js";
import type { Syntax } from "./data.js";
import { SYNTAX, restOf } from "./document.js";
import { readText } from "./files.js";
import { pathsOf, readLedger, type Ledger, type Paths } from "./ledger.js";
import { filesOf, placeOf, type Located } from "./places.js";
import { whereOf } from "./read.js";
import { readSection, sectionOf, type Section, type Where } from "./section.js";
import { quoted, shownPath } from "../output/escape.js";
import { clientOf } from "./table/index.js";
import { ClientError, type Client, type Place, type Problem, type Scope } from "./types.js";

/** How many servers a message names. */
const MAX_NAMES = 5;

/** The options of `addTo` and `removeFrom`. */
export interface ChangeOptions extends Partial<Place> {
  /** Which of the client's files: the user's (the default) or the project's. */
  scope?: Scope;
  /** Says what would be done and writes nothing. */
  dryRun?: boolean;
}

/** The result of a change, made or planned. */
export interface Change {
  client: string;
  title: string;
  /** The client's file. */
  file: string;
  /** The configuration of toolsift that holds the moved servers. */
  config: string;
  /** Whether anything changed. */
  changed: boolean;
  /** Servers that moved behind toolsift, or back. */
  moved: string[];
  /** Servers that stay in the client, and why. */
  kept: { name: string; reason: string }[];
  notes: string[];
  /** The copy of the client's file as it was before. */
  backup?: string;
  /** The change of the client's file, line by line; values of environment variables and headers are hidden. */
  diff: string;
}

/** A client's file and ours, as they are. */
export interface Target {
  client: Client;
  place: Place;
  located: Located;
  where: Where;
  syntax: Syntax;
  section: Section;
  paths: Paths;
  own: Section;
  ledger: Ledger | undefined;
  /** The backup, once the client's file was replaced. */
  backup?: string;
}

/**
 * Reads everything that a change needs. @throws ClientError where a file cannot be read, is broken or does not exist for the
 * scope
 */
export async function targetOf(id: string, options: ChangeOptions): Promise<Target> {
  const client = clientOf(id);
  const place = placeOf(options);
  const scope = options.scope ?? "user";
  const located = filesOf(client, place).filter(({ source }) => source.scope === scope && !source.legacy);
  const scopes = [...new Set(client.sources.filter(({ legacy }) => !legacy).map((source) => source.scope))];
  if (located.length === 0) {
    throw new ClientError(`${client.title} has no file for the scope ${quoted(scope)}. It has: ${scopes.join(", ")}.`);
  }
  const read = await Promise.all(
    located.map(async (one) => {
      const where = whereOf(client, one, place);
      return { located: one, where, section: await readSection(where) };
    }),
  );
  const chosen = read.find(({ section }) => section.names.length > 0) ?? read.at(-1)!;
  const paths = pathsOf(id, scope, chosen.where.file, chosen.where.at, place);
  await refuseBroken(chosen.section, chosen.where, paths);
  const own = await readOwn(paths.config);
  await refuseBroken(own, chosen.where, paths);
  const ledger = await readLedger(paths);
  return { client, place, ...chosen, syntax: SYNTAX[chosen.where.format], paths, own, ledger };
}

/** Whether the entry in the client leads to the configuration that we keep for it. */
export function leadsToUs({ section, paths }: Target): boolean {
  return section.own.some(({ config }) => config === paths.config);
}

/** Whether our configuration is gone, or nothing is left in it. */
export function isLost({ text }: Section): boolean {
  return text === undefined || text.trim() === "";
}

/**
 * Reads a changed text again. @throws ClientError where it is broken, or differs from `before` in anything but servers, or
 * does not hold exactly these servers
 */
export function verified(target: Target, before: string, after: string, names: readonly string[]): Section {
  const { where } = target;
  const section = sectionOf(after, where);
  const rest = (text: string) => restOf(sectionOf(text, where).root, where.at, where.skip);
  const fault = faultOf(section);
  const same = JSON.stringify([...section.names].sort()) === JSON.stringify([...names].sort());
  if (!fault && same && rest(before) === rest(after)) return section;
  const other = "other settings would change";
  const tables = where.format === "toml" ? `. Write each server as a table of its own ([${where.at.join(".")}.NAME])` : "";
  const broken = fault && `it would be broken (${fault.message})${tables}`;
  const reason = broken ?? (same ? other : inTheWay(target, section, names));
  throw new ClientError(`${quoted(where.file)} cannot be edited safely: ${reason}. Nothing was written.`);
}

/** The error that concerns a file as a whole. */
function faultOf({ problems }: Section): Problem | undefined {
  return problems.find(({ level, server }) => level === "error" && server === undefined);
}

/** Which servers keep a text from being changed, and how. */
function inTheWay({ section: before }: Target, after: Section, expected: readonly string[]): string {
  const twice = before.names.filter((name, place) => before.names.indexOf(name) !== place);
  const stuck = after.names.filter((name) => !expected.includes(name));
  const gone = expected.filter((name) => !after.names.includes(name));
  const list = (names: readonly string[]) => [...new Set(names)].slice(0, MAX_NAMES).map(quoted).join(", ");
  if (twice.length > 0) return `it names ${list(twice)} more than once. Delete the entries that do not count`;
  if (stuck.length > 0) return `${list(stuck)} cannot be taken out. Write each server as an entry of its own`;
  return `${list(gone)} would be lost. Write each server as an entry of its own`;
}

/** @throws ClientError where the client's file or ours is broken, with the files that hold what stood there */
async function refuseBroken(section: Section, theirs: Where, paths: Paths): Promise<void> {
  const fault = faultOf(section);
  if (!fault) return;
  if (fault.line === undefined) throw new ClientError(fault.message);
  const backup = await backupWithServers(theirs);
  const record = (await readText(paths.ledger).catch(() => undefined)) === undefined ? undefined : paths.ledger;
  const sources = [
    ...(backup === undefined ? [] : [`the backup ${shownPath(backup)}`]),
    ...(record === undefined ? [] : [`the undo record ${shownPath(record)}`]),
  ];
  const help = sources.length === 0 ? "" : ` The servers as they were before stand in ${sources.join(" and in ")}.`;
  const place = `${shownPath(fault.file)}:${fault.line}:${fault.column}`;
  throw new ClientError(`${place} is broken: ${fault.message}. Nothing was written. Repair the file first.${help}`);
}
