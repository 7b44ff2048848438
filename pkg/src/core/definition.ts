/** Picks what the core reads out of a tool's definition, and converts its schema to JSON Schema. */

import { ToolSiftError } from "../base/errors.js";
import reads from "./definition.json" with { type: "json" };
import { toJsonSchema } from "./json-schema.js";
import type { SkillReader } from "../types/index.js";
import { isList, kind } from "../base/values.js";

/** Where a definition holds its schema. */
const SCHEMAS = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];

/** Only what the core reads of a definition, with schemas of libraries as JSON Schema. */
export function definition(tool: unknown): unknown {
  if (typeof tool !== "object" || tool === null || isList(tool)) return tool;
  if (typeof (tool as { then?: unknown }).then === "function") {
    throw new ToolSiftError("not_json", "the tool is a promise; await it");
  }
  const read: Record<string, unknown> = {};
  const isSkill = (tool as { kind?: unknown }).kind === "skill";
  // Other keys, such as a function to run the tool, stay with the host.
  for (const key of isSkill ? [...reads.keys, ...reads.ofASkill] : reads.keys) {
    const value = (tool as Record<string, unknown>)[key];
    if (value !== undefined) read[key] = value;
  }
  if (isSkill) read["readable"] = readerOf(tool) !== undefined;
  const words = wordsOf((tool as { _meta?: unknown })._meta);
  if (words !== undefined) read["_meta"] = words;
  const { function: inner, functionDeclarations: declarations } = read;
  // Of this, the core would see an empty object.
  if (Object.keys(read).length === 0 && Object.keys(tool).length > 0) throw nameless(tool);
  if (inner !== undefined) read["function"] = withJsonSchema(inner, "the tool.function");
  if (isList(declarations)) {
    read["functionDeclarations"] = declarations.map((one, at) => withJsonSchema(one, `the tool.functionDeclarations.${at}`));
  }
  return withJsonSchema(read, "the tool");
}

/** What reads the files of a skill, where it has something that does. */
export function readerOf(skill: object): SkillReader | undefined {
  const { read } = skill as { read?: unknown };
  if (read === undefined || typeof read === "function") return read as SkillReader | undefined;
  throw new ToolSiftError("skill_invalid", `read of a skill must be a function, got ${kind(read)}`);
}

/** Of a server's `_meta`, what it says for the search. */
export function wordsOf(meta: unknown): object | undefined {
  const words = (Object(meta) as Record<string, unknown>)["toolsift/search"];
  return words === undefined ? undefined : { "toolsift/search": words };
}

/** These words: the texts of each list. */
export function wordsIn(meta: unknown): Record<"queries" | "keywords", string[]> {
  const { queries, keywords } = Object(
    (wordsOf(meta) as Record<string, unknown> | undefined)?.["toolsift/search"],
  ) as Record<string, unknown>;
  const texts = (list: unknown): string[] =>
    isList(list) ? list.filter((text): text is string => typeof text === "string") : [];
  return { queries: texts(queries), keywords: texts(keywords) };
}

/** Keys of a definition that a message shows. */
const SHOWN_KEYS = 8;

/** The error of an object that is no definition, such as a tool that the vendor runs itself. Its values may be secret. */
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

/** A definition whose schema is JSON Schema. Of values that are no objects the core says what is wrong. */
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

/** The name of a tool as far as it can be read. */
export function nameOf(tool: unknown): string {
  const { name } = Object(tool) as { name?: unknown };
  return typeof name === "string" ? name.slice(0, 256) : "";
}
