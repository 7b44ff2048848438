/** Computes a client's file as it is without toolsift: every server that stands behind us is back. */

import { toClient } from "./entry.js";
import { takenBack, type Ledger } from "./ledger.js";
import { OUR_NAME } from "./ours.js";
import { sectionOf, type Found } from "./section.js";
import { shownPath } from "../output/escape.js";
import { sortedJson } from "../values.js";
import { isLost, leadsToUs, verified, type Target } from "./target.js";

/** The client's file without toolsift. */
export interface Restored {
  /** The text; undefined where the file did not exist before toolsift and holds nothing else. */
  text: string | undefined;
  /** The servers that came back. */
  back: string[];
  /** Servers that stand in the client too, with another entry, which stays. */
  conflicts: string[];
  /** Servers that the user deleted behind toolsift. */
  deleted: string[];
  notes: string[];
}

/** The text of the client's file without toolsift's entry and with the servers of our configuration. */
export function restored(target: Target): Restored {
  const { section, ledger, own, where, syntax, paths } = target;
  const current = section.text ?? "";
  const notes: string[] = [];
  const entries = section.own.map(({ name }) => name);
  // An entry that leads to another file was written by hand: our servers have nothing to do with it.
  const foreign = entries.length > 0 && !leadsToUs(target);
  const exact = !foreign && ledger && entries.length > 0 ? undone(target, current, ledger) : undefined;
  let text = exact ?? without(target, current);
  if (foreign) return { text, back: [], conflicts: [], deleted: [], notes };
  const before = new Map((ledger?.servers ?? []).map((server) => [server.name, server]));
  const lost = isLost(own) && ledger !== undefined;
  // Where the user's edit of a server is wrong, its entry from before the move comes back.
  const read = new Set(own.found.map(({ name }) => name));
  const wrong = (ledger?.servers ?? []).filter(({ name }) => own.names.includes(name) && !read.has(name));
  const behind = lost ? ledger.servers : [...own.found, ...wrong];
  const source = `The servers come from ${shownPath(paths.ledger)}.`;
  if (lost && behind.length > 0) notes.push(`${shownPath(paths.config)} is missing. ${source}`);
  const here = () => new Map(sectionOf(text, where).found.map((one) => [one.name, one]));
  const beside = new Map(section.found.map((one) => [one.name, one]));
  const back: string[] = [];
  const conflicts: string[] = [];
  for (const { name, entry } of behind) {
    const moved = before.get(name);
    const same = moved !== undefined && equal(moved.entry, entry);
    const there = here().get(name);
    if (section.names.includes(name) && name !== OUR_NAME) {
      const other = beside.get(name);
      if (!other || !equal(other.entry, entry)) conflicts.push(name);
      continue;
    }
    back.push(name);
    if (there && same) continue;
    if (there) text = syntax.without(text, where.at, [name]);
    const value = moved && same ? moved.value : toClient(entry, where.form, moved?.value);
    text = syntax.adding(text, where.at, name, value);
  }
  // Servers that the user deleted behind toolsift stay deleted.
  const names = new Set(behind.map(({ name }) => name));
  const deleted = [...before.keys()].filter((name) => !names.has(name) && !section.names.includes(name));
  const there = here();
  text = syntax.without(
    text,
    where.at,
    deleted.filter((name) => there.has(name)),
  );
  const left = section.names.filter((name) => !entries.includes(name));
  verified(target, current, text, [...new Set([...left, ...back])]);
  const created = ledger !== undefined && !ledger.existed;
  return { text: created && holdsNothing(target, text) ? undefined : text, back, conflicts, deleted, notes };
}

/** Puts back what stood there, byte by byte, if that gives a sound file with nothing else changed. */
function undone(target: Target, current: string, ledger: Ledger): string | undefined {
  const text = takenBack(current, ledger);
  if (text === undefined) return undefined;
  const { section } = target;
  const left = section.names.filter((name) => !section.own.some((one) => one.name === name));
  try {
    verified(target, current, text, [...new Set([...left, ...ledger.servers.map(({ name }) => name)])]);
    return text;
  } catch {
    return undefined;
  }
}

function without({ syntax, where, section }: Target, current: string): string {
  const names = section.own.map(({ name }) => name);
  return names.length === 0 ? current : syntax.without(current, where.at, names);
}

/** Whether a file has no setting at all, whatever empty objects it has. */
function holdsNothing({ where }: Target, text: string): boolean {
  return text.trim() === "" || isEmptyTree(sectionOf(text, where).root);
}

function isEmptyTree(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isEmptyTree);
}

/** Whether two entries say the same to a client, whatever the order of their keys. How to sign in is toolsift's own. */
export function equal(a: Found["entry"], b: Found["entry"]): boolean {
  return sortedJson({ ...a, oauth: undefined }) === sortedJson({ ...b, oauth: undefined });
}
