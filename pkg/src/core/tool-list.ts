/** Finds the list in the argument of `register`, or reports what was passed instead. */

import { ToolSiftError } from "../base/errors.js";
import { isList, kind } from "../base/values.js";

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
