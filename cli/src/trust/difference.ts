/** Compares two definitions of a tool, and formats the differences for a terminal. */

import type { Colors } from "picocolors/types.js";
import type { ServerTool } from "toolsift/gateway";
import { neutralised } from "toolsift/internal";
import { readable } from "toolsift/guard";
import { shown } from "../output/escape.js";
import { commonEnds, isObject, sortedJson } from "../base/values.js";

/** One difference between two definitions. */
export interface Change {
  kind: "added" | "removed" | "changed";
  /** The changed part, such as `description` or `inputSchema.properties.city.type`. */
  where: string;
  before?: unknown;
  after?: unknown;
  /** Whether an annotation changed, such as `readOnlyHint`, so that clients may no longer ask the user before a call. */
  effects: boolean;
}

/** The most changes that are printed. */
const MAX_PRINTED = 200;
/** The longest printed name of a part, in characters: it contains names of parameters, which the server chooses. */
const MAX_WHERE = 300;
/** The longest printed value, in characters. */
const MAX_CHARACTERS = 4000;
/** The number of unchanged characters that are printed before and after a change in a text. */
const CONTEXT = 40;

/** The compared parts, the most important for an approval first. */
const PARTS = "annotations description title name inputSchema outputSchema icons execution _meta".split(
  " ",
) as (keyof ServerTool)[];

/**
 * Returns the differences between two definitions, an empty list if they are equal. It compares every part and every depth
 * that a pin (the approved definition) covers. Without `before`, every part counts as added.
 */
export function differenceOf(before: ServerTool | undefined, after: ServerTool): Change[] {
  const changes: Change[] = [];
  for (const part of PARTS) {
    if (part === "name" && before === undefined) continue;
    // In `_meta`, each key is a difference of its own.
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
 * Formats changes for a terminal, without a final line break. Control characters and hidden characters of the server are
 * written out.
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

/** Returns both values as texts. If both are strings, they are cut to the part that differs and some text around it. */
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
  // Emoji and joiners of scripts stay as they are. Other characters that break a line are escaped.
  const lines = neutralised(text.slice(0, MAX_CHARACTERS))
    .split(/\r?\n/)
    .map((line) => prefix + line.replace(/[\r\u2028\u2029]/g, readable));
  return more > 0 ? [...lines, `${prefix}… ${more} more characters; --json shows all`] : lines;
}

const ownValue = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;
