/** Finds, reads and checks the files that `toolsift mcp add` or `mcp remove` changes. */

import { Failure } from "../base/failure.js";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { ownWhere } from "./config.js";
import { restOf } from "./data.js";
import { backupOf } from "./files.js";
import { home } from "../base/home.js";
import { filesOf, placeOf, type Located } from "./places.js";
import { whereOf } from "./read.js";
import { readSection, sectionOf, type Section, type Where } from "./section.js";
import { quoted, shownPath } from "../output/escape.js";
import { clientOf, type Client, type Scope } from "./table.js";
import type { Place, Problem } from "./types.js";

/** The most servers that a message names. */
const MAX_NAMES = 5;

/** The options of `addTo` and `removeFrom`. */
export interface ChangeOptions extends Partial<Place> {
  /** The scope of the client's file. Default: `user`. */
  scope?: Scope;
  /** Whether to compute the change without writing it. */
  dryRun?: boolean;
}

/** The result of a change, or of a planned change. */
export interface Change {
  client: string;
  title: string;
  /** The client's file. */
  file: string;
  /** The configuration of toolsift that holds the moved servers. */
  config: string;
  /** Whether anything changed. */
  changed: boolean;
  /** The servers that moved to toolsift's configuration, or back to the client. */
  moved: string[];
  /** The servers that stay in the client, each with the reason. */
  kept: { name: string; reason: string }[];
  notes: string[];
  /** The path of the backup: a copy of the client's file without toolsift. */
  backup?: string;
  /** The changed lines of the client's file. Values of environment variables and headers are hidden. */
  diff: string;
}

/** The files of a change: the client's file, toolsift's configuration, and the backup. */
export interface Target {
  client: Client;
  place: Place;
  located: Located;
  /** The place of the servers in the client's file, and its content. */
  where: Where;
  section: Section;
  /** The path of toolsift's configuration with the moved servers, and its content. */
  config: string;
  own: Section;
  /** The path of the backup, a copy of the client's file from before `add`. It stays after toolsift is removed. */
  backup: string;
  /** The content of the backup. Empty if the client's file has no entry of ours, because the backup may then be old. */
  before: Section;
}

/**
 * Reads everything that a change needs.
 * @throws Failure if a file cannot be read or is broken, the client has no file for the scope, the client's entry names
 * a configuration in another state folder, or the moved servers are lost
 */
export async function targetOf(id: string, options: ChangeOptions): Promise<Target> {
  const client = clientOf(id);
  const place = placeOf(options);
  const scope = options.scope ?? "user";
  const located = filesOf(client, place).filter(({ source }) => source.scope === scope);
  if (located.length === 0) {
    const scopes = [...new Set(client.sources.map((source) => source.scope))].join(", ");
    throw new Failure(`${client.title} has no file for the scope ${quoted(scope)}. It has: ${scopes}.`);
  }
  const read = await Promise.all(
    located.map(async (one) => {
      const where = whereOf(client, one, place);
      return { located: one, where, section: await readSection(where) };
    }),
  );
  const chosen = read.find(({ section }) => section.names.length > 0) ?? read.at(-1)!;
  const { where, section } = chosen;
  // Each project has a configuration of its own. Its name contains a hash of the client's file and of the keys in it.
  const key = JSON.stringify([where.file, where.at]);
  const name = scope === "user" ? id : `${id}-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
  const config = join(home(place.env, place.platform), "clients", `${name}.json`);
  const backup = await backupOf(where.file, config);
  const own = await readSection(ownWhere(config));
  const copy = await readSection({ ...where, file: backup });
  for (const one of [section, own]) refuseBroken(one, copy, backup);
  const target = { client, place, ...chosen, config, own, backup, before: copy };
  if (!leadsToUs(target)) {
    refuseElsewhere(target);
    return { ...target, before: sectionOf(undefined, where) };
  }
  if (!isEmpty(own) || !isEmpty(copy)) return target;
  const advice = `There is no backup ${shownPath(backup)} either. Delete the entry by hand.`;
  throw new Failure(`${entryOf(section, where)}, which is missing. Nothing was written. ${advice}`);
}

/** Returns true if the entry in the client names the configuration that toolsift made for this client. */
export function leadsToUs({ section, config }: Pick<Target, "section" | "config">): boolean {
  return section.own.some((one) => one.config === config);
}

/** Returns true if a file does not exist or is empty. */
export function isEmpty({ text }: Section): boolean {
  return text === undefined || text.trim() === "";
}

/**
 * Checks a changed text. @throws Failure if it is broken, if anything except servers changed, or if it does not hold
 * exactly these servers
 */
export function verify({ where, section: now }: Target, before: string, after: string, names: readonly string[]): void {
  const section = sectionOf(after, where);
  const rest = (text: string) => JSON.stringify(restOf(sectionOf(text, where).root, where.at, where.skip) ?? {});
  const fault = faultOf(section);
  const same = JSON.stringify([...section.names].sort()) === JSON.stringify([...names].sort());
  if (!fault && same && rest(before) === rest(after)) return;
  const twice = now.names.filter((name, place) => now.names.indexOf(name) !== place);
  const stuck = section.names.filter((name) => !names.includes(name));
  const gone = names.filter((name) => !section.names.includes(name));
  const list = (names: readonly string[]) => [...new Set(names)].slice(0, MAX_NAMES).map(quoted).join(", ");
  const tables = where.format === "toml" ? `. Write each server as a table of its own ([${where.at.join(".")}.NAME])` : "";
  const reason = () => {
    if (fault) return `it would be broken (${fault.message})${tables}`;
    if (same) return "other settings would change";
    if (twice.length > 0) return `it names ${list(twice)} more than once. Delete the entries that do not count`;
    if (stuck.length > 0) return `${list(stuck)} cannot be taken out. Write each server as an entry of its own`;
    return `${list(gone)} would be lost. Write each server as an entry of its own`;
  };
  throw new Failure(`${quoted(where.file)} cannot be edited safely: ${reason()}. Nothing was written.`);
}

function faultOf({ problems }: Section): Problem | undefined {
  return problems.find(({ level, server }) => level === "error" && server === undefined);
}

/** Checks a file. @throws Failure if it is broken. The message names the backup that holds the servers. */
function refuseBroken(section: Section, copy: Section, backup: string): void {
  const fault = faultOf(section);
  if (!fault) return;
  if (fault.line === undefined) throw new Failure(fault.message);
  const help = copy.found.length === 0 ? "" : ` The backup ${shownPath(backup)} holds the servers as they were before.`;
  const place = `${shownPath(fault.file)}:${fault.line}:${fault.column}`;
  throw new Failure(`${place} is broken: ${fault.message}. Nothing was written. Repair the file first.${help}`);
}

/** Refuses an entry that `add` wrote with another TOOLSIFT_HOME: its servers are in that folder. @throws Failure */
function refuseElsewhere({ where, section, config: ours }: Target): void {
  const config = section.own.map((one) => one.config ?? "").find((one) => basename(one) === basename(ours));
  if (config === undefined || basename(dirname(config)) !== "clients") return;
  const advice = `Set TOOLSIFT_HOME to ${shownPath(dirname(dirname(config)))}, then run the command again.`;
  throw new Failure(`${entryOf(section, where)}, in another state folder. Nothing was written. ${advice}`);
}

function entryOf({ own: [first] }: Section, { file }: Where): string {
  return `${quoted(first?.name)} in ${shownPath(file)} leads to ${shownPath(first?.config ?? "")}`;
}
