/** Decides if your program's tool and a tool of the catalog that have the same name are the same tool. */

import { ToolSiftError } from "../../base/errors.js";
import type { ToolInfo } from "../../index.js";
import { withOwnNames } from "../../loop/own-names.js";

/** A definition in the form of any vendor. */
type Written = object;

/**
 * Checks if two definitions are the same tool: parameters of the same names and types, and for a server's tool also the same
 * description, if your program's tool has one. The catalog's description of your own tool may be longer than the one given.
 *
 * @param other the catalog's definition; if it is not known, the parameters are not compared
 */
export function isSame(own: Written, info: ToolInfo, other: Written | undefined): boolean {
  const description = words(descriptionOf(own));
  if (info.server !== null && description !== "" && description !== words(info.description)) return false;
  if (other === undefined) return true;
  return haveSameParameters(propertiesOf(schemaOf(own)), withOwnNames(propertiesOf(schemaOf(other)), info.parameterNames));
}

/** Returns the error for two different tools of one name; `where` is the option with your program's tool. */
export function twoTools(where: string, { name, server }: ToolInfo): ToolSiftError {
  const other = server === null ? "a tool that was registered before" : `a tool of server ${JSON.stringify(server)}`;
  const help = server === null ? "rename one of them" : "rename yours, or register it first";
  return new ToolSiftError("option_conflict", `${where} and ${other} are both called ${name}, and differ; ${help}`);
}

function haveSameParameters(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      if (!Object.hasOwn(right, name)) return false;
      const types = [typeOf(left[name]), typeOf(right[name])];
      return types.includes(undefined) || types[0] === types[1];
    })
  );
}

function propertiesOf(schema: object): Record<string, unknown> {
  return Object(Object(schema)["properties"]) as Record<string, unknown>;
}

/** Returns the type of a schema, if it has one. Google writes types in capitals, and libraries write integers as numbers. */
function typeOf(schema: unknown): string | undefined {
  const { type } = Object(schema) as { type?: unknown };
  if (typeof type !== "string") return undefined;
  const lower = type.toLowerCase();
  return lower === "integer" ? "number" : lower;
}

function inner(tool: Written): Record<string, unknown> {
  const one = tool as Record<string, unknown>;
  return (one["function"] ?? one) as Record<string, unknown>;
}

function descriptionOf(tool: Written): string {
  return String(inner(tool)["description"] ?? "");
}

function schemaOf(tool: Written): object {
  const { inputSchema, input_schema, parameters, parametersJsonSchema, schema } = inner(tool);
  return Object(inputSchema ?? input_schema ?? parameters ?? parametersJsonSchema ?? schema) as object;
}

function words(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
