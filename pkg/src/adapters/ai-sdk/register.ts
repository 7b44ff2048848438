/** Registers your program's tools that are not in the catalog, under the names that the model would have seen. */

import { asSchema, type ToolSet } from "ai";
import { reasonOf } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { ToolSift } from "../../index.js";
import { registerMissing } from "../lib/register.js";
import type { AnyTool } from "./types.js";

/** The part of a tool that is registered. */
export interface Definition {
  name: string;
  description: string;
  inputSchema: object;
}

/** Checks if a provider defines the tool. Such a tool has no schema and is not registered: its type identifies it. */
export function isProviders(tool: AnyTool): boolean {
  const { type } = tool as { type?: string };
  return type !== undefined && type !== "function" && type !== "dynamic";
}

/**
 * Returns the tools' definitions as a request would contain them.
 *
 * @throws ToolSiftError `schema_invalid` for a schema that cannot be converted to JSON Schema
 */
export async function definitionsOf(tools: ToolSet): Promise<Map<string, Definition>> {
  const definitions = new Map<string, Definition>();
  for (const [name, tool] of Object.entries(tools)) {
    if (isProviders(tool)) continue;
    definitions.set(name, { name, description: descriptionOf(tool), inputSchema: await schemaOf(name, tool) });
  }
  return definitions;
}

async function schemaOf(name: string, { inputSchema }: AnyTool): Promise<object> {
  try {
    return await asSchema(inputSchema).jsonSchema;
  } catch (cause) {
    // Schemas that convert themselves to JSON Schema, such as Zod's, also have a `type`.
    const isPlain = typeof Object(inputSchema)["type"] === "string" && !("~standard" in Object(inputSchema));
    const reason = isPlain ? "inputSchema is plain JSON Schema; AI SDK takes it as jsonSchema(…)" : reasonOf(cause);
    throw new ToolSiftError("schema_invalid", `options.tools.${name.slice(0, 80)}: ${reason}`, { cause });
  }
}

/** Returns the description. In ai 7 it may be a function that is called at sending time; then the text may be empty. */
function descriptionOf(tool: AnyTool): string {
  const written: unknown = tool.description;
  if (typeof written !== "function") return String(written ?? "");
  try {
    const text: unknown = written({ context: {}, experimental_sandbox: undefined });
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

/**
 * Registers the tools that the catalog lacks. A tool with `deferLoading`, which is for `toolSearch` of ai 7, is always
 * deferred.
 *
 * @throws ToolSiftError the reason of the first refused tool; then no tool is registered
 */
export function registerOwn(sift: ToolSift, tools: ToolSet, definitions: ReadonlyMap<string, Definition>): void {
  const all = [...definitions.values()].map((definition) => {
    const { deferLoading } = tools[definition.name] as { deferLoading?: boolean };
    return deferLoading === true ? { ...definition, deferral: "always" } : definition;
  });
  registerMissing(sift, all, (name) => `options.tools.${name}`);
}
