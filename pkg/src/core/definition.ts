/** Copies the keys of a tool's definition that the core reads, and converts its schema to JSON Schema. */

import { ToolSiftError } from "../base/errors.js";
import { toJsonSchema } from "./json-schema.js";
import type { SkillReader, ToolAnnotations } from "../types/index.js";
import { isList, kind } from "../base/values.js";

import reads from "./definition.json" with { type: "json" };

/** The keys that can have a definition's schema. */
const SCHEMAS = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];

/** Returns the keys of a definition that the core reads, with schemas of libraries as JSON Schema. */
export function definition(tool: unknown): unknown {
  if (typeof tool !== "object" || tool === null || isList(tool)) return tool;
  if (typeof (tool as { then?: unknown }).then === "function") {
    throw new ToolSiftError("not_json", "the tool is a promise; await it");
  }
  const read: Record<string, unknown> = {};
  const isSkill = (tool as { kind?: unknown }).kind === "skill";
  // Other keys, such as a function that runs the tool, are not passed to the core.
  for (const key of isSkill ? [...reads.keys, ...reads.ofASkill] : reads.keys) {
    const value = (tool as Record<string, unknown>)[key];
    if (value !== undefined) read[key] = value;
  }
  if (isSkill) read["readable"] = readerOf(tool) !== undefined;
  const words = wordsOf((tool as { _meta?: unknown })._meta);
  if (words !== undefined) read["_meta"] = words;
  const { function: inner, functionDeclarations: declarations } = read;
  // The core would see only an empty object here.
  if (Object.keys(read).length === 0 && Object.keys(tool).length > 0) throw nameless(tool);
  if (inner !== undefined) read["function"] = withJsonSchema(inner, "the tool.function");
  if (isList(declarations)) {
    read["functionDeclarations"] = declarations.map((one, at) => withJsonSchema(one, `the tool.functionDeclarations.${at}`));
  }
  return withJsonSchema(read, "the tool");
}

/** Returns the function that reads the files of a skill; undefined if the skill has none. */
export function readerOf(skill: object): SkillReader | undefined {
  const { read } = skill as { read?: unknown };
  if (read === undefined || typeof read === "function") return read as SkillReader | undefined;
  throw new ToolSiftError("skill_invalid", `read of a skill must be a function, got ${kind(read)}`);
}

/** Returns the search words of a server's `_meta`; undefined if it has none. */
export function wordsOf(meta: unknown): object | undefined {
  const words = (Object(meta) as Record<string, unknown>)["toolsift/search"];
  return words === undefined ? undefined : { "toolsift/search": words };
}

/** Returns the search words of a server's `_meta` as lists of texts. */
export function wordsIn(meta: unknown): Record<"queries" | "keywords", string[]> {
  const { queries, keywords } = Object(
    (wordsOf(meta) as Record<string, unknown> | undefined)?.["toolsift/search"],
  ) as Record<string, unknown>;
  const texts = (list: unknown): string[] =>
    isList(list) ? list.filter((text): text is string => typeof text === "string") : [];
  return { queries: texts(queries), keywords: texts(keywords) };
}

/** The maximum number of a definition's keys in a message. */
const SHOWN_KEYS = 8;

/** Makes the error for an object that is no definition. The message has no values, because they may be secret. */
function nameless(tool: object): ToolSiftError {
  const { type } = tool as { type?: unknown };
  const written = typeof type === "string" ? `type: ${JSON.stringify(type.slice(0, 80))}` : "type";
  const keys = Object.keys(tool).map((key) => (key === "type" ? written : key.slice(0, 40)));
  const more = keys.length > SHOWN_KEYS ? ["…"] : [];
  const given = keys.length === 0 ? "{}" : `{ ${[...keys.slice(0, SHOWN_KEYS), ...more].join(", ")} }`;
  const wanted = "{ name, description, inputSchema } or a vendor's form of a function";
  const advice = "a tool that the vendor runs itself goes into the request beside these tools";
  return new ToolSiftError("tool_shape_unknown", `a tool needs a name, got ${given}; pass ${wanted}; ${advice}`);
}

/**
 * Returns a definition with JSON Schema as its schema. Values that are no objects stay as they are: the core reports them.
 */
function withJsonSchema(value: unknown, where: string): unknown {
  if (typeof value !== "object" || value === null || isList(value)) return value;
  const holder = value as Record<string, unknown>;
  let changed = holder;
  for (const key of SCHEMAS) {
    const schema = holder[key];
    if (typeof schema !== "function" && (typeof schema !== "object" || schema === null || isList(schema))) continue;
    const written = toJsonSchema(schema, `${where}.${key}`);
    if (written !== schema) changed = { ...changed, [key]: written };
  }
  return changed;
}

/** Returns the name of a tool, as far as it can be read. */
export function nameOf(tool: unknown): string {
  const { name } = Object(tool) as { name?: unknown };
  return typeof name === "string" ? name.slice(0, 256) : "";
}

/** The hints in the order in which the core stores them. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** A tool or a call of the core, which stores all hints of a tool in one number. */
type Numbered<T> = T & { hints?: number };

/**
 * Returns a tool or a call with its hints by name. Each hint is a base-3 digit of the number: 0 missing, 1 false, 2 true.
 */
export function annotated<T>(numbered: Numbered<T>): T {
  if (numbered.hints === undefined) return numbered;
  const { hints, ...tool } = numbered;
  const digits = HINTS.map((hint, at) => [hint, Math.floor(hints / 3 ** at) % 3] as const);
  const given = digits.filter(([, digit]) => digit > 0).map(([hint, digit]) => [hint, digit === 2]);
  return { ...tool, annotations: Object.fromEntries(given) as ToolAnnotations } as T;
}
