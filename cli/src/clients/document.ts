/** A configuration file as text: reads the servers in it, and changes them without touching anything else. */

import { bareObject, type Syntax } from "./data.js";
import * as json from "./json.js";
import * as toml from "./toml.js";

/** The syntax of a format. */
export const SYNTAX: Record<"json" | "toml", Syntax> = { json, toml };

/** Where an offset is, both counted from 1. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

/** Everything in a file but its servers, as one text: two files with the same text differ in their servers at most. */
export function restOf(root: unknown, at: readonly string[], skip: readonly string[] = []): string {
  return JSON.stringify(pruned(root, at, skip) ?? {});
}

function pruned(value: unknown, at: readonly string[], skip: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const [key, ...rest] = at;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (key === undefined) return skip.includes(name) ? [[name, inner] as const] : [];
    if (name !== key) return [[name, inner] as const];
    const left = pruned(inner, rest, skip);
    return isEmpty(left) ? [] : [[name, left] as const];
  });
  return bareObject(entries);
}

const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;
