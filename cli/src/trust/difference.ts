/** Tells what differs between two definitions of a tool, and prints it for a person. */

import type { Colors } from "picocolors/types.js";
import type { ServerTool } from "toolsift/gateway";
import { neutralised } from "toolsift/internal";
import { readable } from "toolsift/guard";
import { shown } from "../output/escape.js";
import { commonEnds, isObject, sortedJson } from "../base/values.js";

/** One part of a definition that differs. */
export interface Change {
  kind: "added" | "removed" | "changed";
  /** Which part, such as `description` or `inputSchema.properties.city.type`. */
  where: string;
  before?: unknown;
  after?: unknown;
  /** Whether it changes what a client asks before a call. */
  effects: boolean;
}

/** At most so many changes are printed; all are in the data. */
const MAX_PRINTED = 200;
/** At most so many characters of a place are printed, whose names of parameters are the server's. */
const MAX_WHERE = 300;
/** At most so many characters of a value are printed. */
const MAX_CHARACTERS = 4000;
/** So many characters that did not change are printed around a change in a text. */
const CONTEXT = 40;

/** The parts in the order in which they matter to whoever approves. */
const PARTS = "annotations description title name inputSchema outputSchema icons execution _meta".split(
  " ",
) as (keyof ServerTool)[];

/**
 * What differs between two definitions; empty where nothing does. Every part that is pinned is compared, at any depth that
 * can be pinned. Without `before`, everything is added.
 */
export function differenceOf(before: ServerTool | undefined, after: ServerTool): Change[] {
  const changes: Change[] = [];
  for (const part of PARTS) {
    if (part === "name" && before === undefined) continue;
    // Of `_meta` each key is told by itself.
    const none = part === "_meta" ? {} : undefined;
    compare(before?.[part] ?? none, after[part] ?? none, [part], changes);
  }
  return changes;
}

function compare(before: unknown, after: unknown, path: readonly string[], changes: Change[]): void {
  if (before === undefined && after === undefined) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(ownValue(before, key), ownValue(after, key), [...path, key], changes);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.every(isObject)) {
    before.forEach((item, at) => compare(item, after[at], [...path, String(at)], changes));
  } else if (sortedJson(before) !== sortedJson(after)) {
    changes.push(change(path, before, after));
  }
}

function change(path: readonly string[], before: unknown, after: unknown): Change {
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const values = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  return { kind, where: path.join("."), ...values, effects: path[0] === "annotations" && path[1] !== "title" };
}

/**
 * Changes as text for a terminal, without a line break at its end. Whatever a server wrote is shown without control and
 * hidden characters.
 */
export function printed(changes: readonly Change[], colors: Colors): string {
  const lines = changes.slice(0, MAX_PRINTED).flatMap((one) => {
    const head = `${shown(one.where, MAX_WHERE)} ${one.kind === "changed" ? "changed" : `was ${one.kind}`}`;
    const [before, after] = excerpts(one.before, one.after);
    return [
      one.effects ? colors.bold(colors.yellow(`! ${head}`)) : `  ${head}`,
      ...linesOf(before, "    - ").map(colors.red),
      ...linesOf(after, "    + ").map(colors.green),
    ];
  });
  if (changes.length > MAX_PRINTED) lines.push(`  … ${changes.length - MAX_PRINTED} more changes; --json shows all`);
  return lines.join("\n");
}

/** The values as texts. Of two texts, the parts that differ with some characters around them. */
function excerpts(before: unknown, after: unknown): [string | undefined, string | undefined] {
  if (typeof before !== "string" || typeof after !== "string") return [textOf(before), textOf(after)];
  const [start, end] = commonEnds(before, after);
  const from = start <= CONTEXT ? 0 : start - CONTEXT;
  const cut = (text: string): string => {
    const to = end <= CONTEXT ? text.length : text.length - end + CONTEXT;
    return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  };
  return [cut(before), cut(after)];
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value);

function linesOf(text: string | undefined, prefix: string): string[] {
  if (text === undefined) return [];
  const more = text.length - MAX_CHARACTERS;
  // Emoji and the spelling of scripts stay as they are; whatever else breaks a line is an escape.
  const lines = neutralised(text.slice(0, MAX_CHARACTERS))
    .split(/\r?\n/)
    .map((line) => prefix + line.replace(/[\r\u2028\u2029]/g, readable));
  return more > 0 ? [...lines, `${prefix}… ${more} more characters; --json shows all`] : lines;
}

const ownValue = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;
