/** Takes the texts and objects of an answer out of what hosts and vendors wrap it in. */

import { type Fields, fields } from "./calls.js";

/** Under which keys an answer is wrapped; those of our own answers that hold texts of tools are not among them. */
const WRAPPERS = ["text", "content", "output", "result", "value", "error", "message", "tool_references"];

/** Wrapped deeper, it is none of ours; a cyclic value is wrapped without end. */
const DEPTH = 8;

/** Visits every text and every object of an answer, from the outside to the inside. */
function visit(value: unknown, at: (found: string | Fields) => void, seen = new Set<unknown>(), depth = DEPTH): void {
  if (typeof value === "string") return at(value);
  if (typeof value !== "object" || value === null || depth === 0 || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) return value.forEach((inner) => visit(inner, at, seen, depth - 1));
  at(value as Fields);
  for (const key of WRAPPERS) visit((value as Fields)[key], at, seen, depth - 1);
}

/** The texts of an answer, as they stand. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  visit(value, (found) => void (typeof found === "string" && texts.push(found)));
  return texts;
}

/** The texts and objects of an answer; JSON text counts as what it says. */
export function partsIn(value: unknown, depth = DEPTH): (string | Fields)[] {
  const parts: (string | Fields)[] = [];
  visit(value, (found) => {
    const said = typeof found === "string" ? parsed(found) : undefined;
    if (said === undefined || depth === 0) parts.push(found);
    else for (const part of partsIn(said, depth - 1)) parts.push(part);
  });
  return parts;
}

function parsed(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names of tools that an answer refers to. */
export function referencesIn(value: unknown): string[] {
  const names: unknown[] = [];
  visit(value, (found) => {
    if (typeof found === "string") return;
    if (found["type"] === "tool_reference") names.push(found["tool_name"] ?? found["toolName"]);
    // As AI SDK has hosts write the same.
    const { type, toolName } = fields(fields(found["providerOptions"])?.["anthropic"]) ?? {};
    if (type === "tool-reference") names.push(toolName);
  });
  return texts(names);
}

/** The texts among some values. */
export function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}
