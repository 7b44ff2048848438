/**
 * Writes the calls of a conversation as JSON for the core, which knows what their answers mean. Answers and arguments are
 * taken out of what hosts and vendors wrap them in: texts, JSON in texts, and the names that objects list.
 */

import { parsed } from "../base/values.js";
import { type Call, type Calls, checkCount } from "../wire/calls.js";
import { type Fields, fieldsOf } from "../wire/fields.js";

/** Under which keys an answer is wrapped; those of our own answers that hold texts of tools are not among them. */
const WRAPPERS = ["text", "content", "output", "result", "value", "error", "message", "tool_references"];

/** Wrapped deeper, it is none of ours; a cyclic value is wrapped without end. */
const DEPTH = 8;

/** Of a longer text, the beginning tells whether it is a refusal of ours; a real tool's answer can be any length. */
const REFUSAL_CHARS = 1_000;

/** JSON text that is longer is no refusal of ours: the largest schema takes less. */
const REFUSAL_JSON_CHARS = 1_000_000;

/** The lines of a text, or the names that an object lists, by key. */
type Part = string[] | Record<string, string[]>;

/**
 * The calls as `Core.replay` reads them.
 *
 * @param surface the names of the discovery tools: only their answers are looked through whole
 * @throws ToolSiftError `messages_invalid` for answers that cannot be read, or hold too much
 */
export function encode(calls: Calls, surface: readonly string[]): string {
  let last = 0;
  const count = (items: number) => calls.count(items);
  const written = ({ name, args, step, byVendor, failed, answer }: Call) => {
    const begins = step > last || undefined;
    last = step;
    if (answer === undefined) return { begins };
    const references = referencesIn(answer);
    if (!byVendor && !surface.includes(name)) {
      const texts = textsIn(answer).map((text) => text.slice(0, REFUSAL_CHARS));
      return { begins, name, failed: failed || undefined, refers: references.includes(name) || undefined, said: texts };
    }
    const parts = partsIn(answer, count);
    return { begins, name: byVendor ? undefined : name, asked: partsIn(args, count), said: parts, references };
  };
  // UTF-8 cannot hold half a surrogate pair, which JSON writes as an escape.
  const halves = /(\\\\)|\\ud[89a-f]../g;
  return JSON.stringify(calls.all.map(written)).replace(halves, (_, backslash?: string) => backslash ?? "\ufffd");
}

/** Visits every text and every object of an answer, from the outside to the inside. */
function visit(value: unknown, at: (found: string | Fields) => void, seen = new Set<unknown>(), depth = DEPTH): void {
  if (typeof value === "string") return at(value);
  if (typeof value !== "object" || value === null || depth === 0 || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    // A list may be empty and as long as an array can be.
    checkCount(value.length);
    return value.forEach((inner) => visit(inner, at, seen, depth - 1));
  }
  at(value as Fields);
  for (const key of WRAPPERS) visit((value as Fields)[key], at, seen, depth - 1);
}

/** The texts of an answer; JSON text counts as the texts in it. */
function textsIn(value: unknown, depth = DEPTH): string[] {
  const found: string[] = [];
  visit(value, (one) => {
    if (typeof one !== "string") return;
    const inner = depth > 0 && one.length <= REFUSAL_JSON_CHARS ? jsonIn(one) : undefined;
    if (inner === undefined) found.push(one);
    else for (const text of textsIn(inner, depth - 1)) found.push(text);
  });
  return found;
}

/** The texts of an answer and the lists of its objects; JSON text counts as what it says. */
function partsIn(value: unknown, count: (items: number) => void, depth = DEPTH): Part[] {
  const parts: Part[] = [];
  visit(value, (found) => {
    const inner = typeof found === "string" ? jsonIn(found) : undefined;
    if (inner !== undefined && depth > 0) for (const part of partsIn(inner, count, depth - 1)) parts.push(part);
    else parts.push(typeof found === "string" ? found.split("\n") : listsIn(found, count));
  });
  return parts;
}

/** The names that an object lists, by key. A single text is a list of one. */
function listsIn(object: Fields, count: (items: number) => void): Record<string, string[]> {
  const lists = Object.entries(object).flatMap(([key, value]) => {
    if (WRAPPERS.includes(key) || !(Array.isArray(value) || typeof value === "string")) return [];
    count(value.length);
    return [[key, texts([value].flat().map((one) => fieldsOf(one)["name"] ?? one))]];
  });
  return Object.fromEntries(lists) as Record<string, string[]>;
}

function jsonIn(text: string): unknown {
  return /^\s*["[{]/.test(text) ? parsed(text) : undefined;
}

/** The names of tools that an answer refers to. */
function referencesIn(value: unknown): string[] {
  const names: unknown[] = [];
  visit(value, (found) => {
    if (typeof found === "string") return;
    if (found["type"] === "tool_reference") names.push(found["tool_name"] ?? found["toolName"]);
    // As AI SDK has hosts write the same.
    const { type, toolName } = fieldsOf(fieldsOf(found["providerOptions"])["anthropic"]);
    if (type === "tool-reference") names.push(toolName);
  });
  return texts(names);
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}
