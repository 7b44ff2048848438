/** Computes the text of a client's file without toolsift, with all moved servers put back. */

import { isEmptyTree, type Named } from "./data.js";
import { toClient } from "./entry.js";
import { edited, sectionOf, type Found } from "./section.js";
import { shownPath } from "../output/escape.js";
import { commonEnds, sortedJson } from "../base/values.js";
import { isEmpty, leadsToUs, verify, type Target } from "./target.js";

/** The client's file without toolsift. */
export interface Restored {
  /** The text; undefined if toolsift created the file and it has no other content. */
  text: string | undefined;
  /** The servers that were put back. */
  back: string[];
  /** The servers for which the client has a different entry of the same name. The client's entry stays. */
  conflicts: string[];
  /** The servers that the user deleted from toolsift's configuration. */
  deleted: string[];
  notes: string[];
}

/** Computes the client's file without toolsift's entry and with the servers of our configuration. */
export function restored(target: Target): Restored {
  const { section, own, before, where, config, backup } = target;
  const current = section.text ?? "";
  const entries = section.own.map(({ name }) => name);
  const left = section.names.filter((name) => !entries.includes(name));
  const result: Restored = { text: undefined, back: [], conflicts: [], deleted: [], notes: [] };
  // If the entry names another configuration file, the user wrote it by hand and no servers were moved for it.
  const isForeign = entries.length > 0 && !leadsToUs(target);
  if (isForeign) return { ...result, text: edited(current, where, entries) };

  const old = new Map(before.found.map((one) => [one.name, one]));
  const read = new Set(own.found.map(({ name }) => name));
  // If our configuration is lost, or the user broke an entry in it, the entries from the backup are used.
  const lost = before.found.filter(({ name }) => isEmpty(own) || (own.names.includes(name) && !read.has(name)));
  const source = `The servers come from ${shownPath(backup)}.`;
  if (isEmpty(own) && lost.length > 0) result.notes.push(`${shownPath(config)} is missing. ${source}`);
  const behind = [...own.found, ...lost];
  const isBehind = (name: string) => behind.some((one) => one.name === name);
  result.deleted = before.names.filter((name) => !isBehind(name) && !section.names.includes(name));

  let text = edited(undone(target, current, left) ?? edited(current, where, entries), where, result.deleted);
  const here = new Map(sectionOf(text, where).found.map((one) => [one.name, one]));
  const added: Named[] = [];
  for (const { name, entry } of behind) {
    if (left.includes(name)) {
      if (!equal(here.get(name)?.entry, entry)) result.conflicts.push(name);
      continue;
    }
    result.back.push(name);
    const moved = old.get(name);
    const isSame = equal(moved?.entry, entry);
    if (here.has(name) && isSame) continue;
    added.push([name, isSame ? moved!.value : toClient(entry, where.form, moved?.value)]);
  }
  const names = added.map(([name]) => name);
  text = edited(text, where, names, added);
  verify(target, current, text, [...left, ...result.back]);
  const isCreated = before.text === undefined && (section.text === undefined || entries.length > 0);
  const holdsNothing = text.trim() === "" || isEmptyTree(sectionOf(text, where).root);
  return { ...result, text: isCreated && holdsNothing ? undefined : text };
}

/**
 * Undoes the text change that `add` made, if the changed part is still in the file. Every comment and space is then as it
 * was before. Returns undefined if the change cannot be undone in this way.
 */
function undone(target: Target, current: string, left: readonly string[]): string | undefined {
  const { section, before, where } = target;
  const [entry] = section.own;
  if (entry === undefined || before.text === undefined) return undefined;
  const gone = before.names.filter((name) => !left.includes(name));
  const added = edited(before.text, where, gone, [[entry.name, entry.value]]);
  const [start, end] = commonEnds(before.text, added);
  const after = added.slice(start, added.length - end);
  const there = current.startsWith(after, start) ? start : current.indexOf(after);
  if (there < 0 || (there !== start && current.includes(after, there + 1))) return undefined;
  const part = before.text.slice(start, before.text.length - end);
  const text = current.slice(0, there) + part + current.slice(there + after.length);
  try {
    verify(target, current, text, [...left, ...gone]);
    return text;
  } catch {
    return undefined;
  }
}

/** Returns true if two entries are equal for a client. The order of keys does not count, and neither does `oauth`. */
export function equal(a: Found["entry"] | undefined, b: Found["entry"]): boolean {
  return a !== undefined && sortedJson({ ...a, oauth: undefined }) === sortedJson({ ...b, oauth: undefined });
}
