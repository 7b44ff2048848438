/** Writes tools and lists of tools as JSON for the core. */

import { definition, nameOf } from "./definition.js";
import { ToolSiftError } from "../base/errors.js";
import { DEPTH, hasToJson, isJson, json } from "../base/json.js";
import type { Rejected } from "../types/index.js";
import { isList, kind } from "../base/values.js";

/** The maximum number of tools of one list: the largest number that a catalog can have. */
const TOOLS = 200_000;

const encoder = new TextEncoder();

/**
 * Returns the JSON text of the keys of a tool's definition that the core reads.
 *
 * @param isGuarded true if the text goes to a guard first, which reads more keys
 */
export function toolJson(tool: unknown, isGuarded = false): string {
  return json("the tool", isGuarded ? withOutput(definition(tool), tool) : definition(tool));
}

/** Adds the schema of the tool's results to a definition, if it is JSON. Servers send no other schemas. */
function withOutput(read: unknown, tool: unknown): unknown {
  const { outputSchema } = Object(tool) as { outputSchema?: unknown };
  const isSchema =
    typeof outputSchema === "object" && outputSchema !== null && !hasToJson(outputSchema) && isJson(outputSchema, DEPTH - 1);
  return isSchema ? { ...(read as object), outputSchema } : read;
}

/**
 * The tools of a list that JSON can represent, as texts, each with its place in the list; and the other tools as rejected.
 */
export interface WrittenList {
  texts: string[];
  places: number[];
  rejected: Rejected[];
}

/** Writes tools one by one, so that a tool which JSON cannot represent does not affect the others. */
export function list(tools: readonly unknown[], isGuarded = false): WrittenList {
  const texts: string[] = [];
  const places: number[] = [];
  const rejected: Rejected[] = [];
  if (tools.length > TOOLS)
    throw new ToolSiftError("catalog_full", `a list of ${tools.length} tools; a catalog holds at most ${TOOLS}`);
  for (const [index, tool] of tools.entries()) {
    try {
      texts.push(toolJson(tool, isGuarded));
      places.push(index);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
      rejected.push({ index, name: nameOf(tool), code: error.code, message: error.message });
    }
  }
  return { texts, places, rejected };
}

/** The core's limit on the JSON of one list. A text has at least as many bytes as characters. */
const LIST_BYTES = 64 * 2 ** 20;

/** Returns one entry, or a list of entries, as bytes. */
export function encoded(texts: string | readonly string[]): Uint8Array {
  const chars = typeof texts === "string" ? texts.length : texts.reduce((sum, one) => sum + one.length + 1, 1);
  if (chars > LIST_BYTES) {
    throw new ToolSiftError(
      "list_too_large",
      `a list of tools takes ${chars} characters of JSON; at most ${LIST_BYTES} bytes`,
    );
  }
  return encoder.encode(typeof texts === "string" ? texts : `[${texts.join(",")}]`);
}

/** Returns all rejected tools, those that never reached the core included, with their places in the original list. */
export function allRejected(written: WrittenList, rejected: Rejected[]): Rejected[] {
  const placed = rejected.map((one) => ({ ...one, index: written.places[one.index] ?? one.index }));
  return [...placed, ...written.rejected].sort((a, b) => a.index - b.index);
}

/** The keys by which a single definition differs from a map of tools. */
const OF_A_TOOL = ["name", "type", "function", "functionDeclarations"];

/**
 * Returns the list of tools in the argument; undefined if it is one definition.
 *
 * @throws ToolSiftError `not_json` for a promise, a map of tools, and a value that is no object
 */
export function asList(tools: unknown): readonly unknown[] | undefined {
  if (isList(tools)) return tools;
  if (typeof tools !== "object" || tools === null) throw noList(`got ${kind(tools)}`);
  if ((tools as { kind?: unknown }).kind === "skill") return undefined;
  const { tools: inner, then } = tools as { tools?: unknown; then?: unknown };
  if (isList(inner)) return inner;
  if (typeof then === "function") throw noList("got a promise; await it: sift.register(await …)");
  if (Symbol.iterator in tools) throw noList("got an iterable; pass [...tools]");
  const named = Object.entries(tools);
  const isMap = named.length > 0 && !OF_A_TOOL.some((key) => key in tools) && named.every(([, value]) => isObject(value));
  if (isMap) throw noList(`got a map of tools by name; ${adviceOn(named[0]![1])}`);
  return undefined;
}

/** Returns advice on how to make a list of a map, by the map's values. */
function adviceOn(tool: unknown): string {
  const isNamed = typeof (tool as { name?: unknown }).name === "string";
  return `pass ${isNamed ? "Object.values(tools)" : "Object.entries(tools).map(([name, tool]) => ({ ...tool, name }))"}`;
}

function isObject(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function noList(got: string): ToolSiftError {
  return new ToolSiftError("not_json", `tools must be a list or a definition, ${got}`);
}
