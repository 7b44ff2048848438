/** Decides if your program's tool and a tool of the catalog that have the same name are the same tool. */

import { ToolSiftError } from "../../base/errors.js";
import type { Session, ToolInfo } from "../../index.js";
import { withOwnNames } from "../../loop/own-names.js";

/** A definition in the form of any vendor. */
type Written = object;

/** Finds the catalog's definition of a tool; undefined for a tool that the session may not see. */
export type LookUp = (tool: ToolInfo) => Written | undefined;

/**
 * Returns a function that finds the catalog's definitions in a session. They are collected at its first call.
 *
 * @param assembled the tools of a request of that session, in any vendor's form
 */
export function definitionsIn(session: Pick<Session, "heldBack">, assembled: readonly Written[]): LookUp {
  let all: Map<unknown, Written> | undefined;
  return ({ name, googleName }) => {
    // The request may contain a stub of a deferred tool; the full definition replaces it.
    all ??= new Map([
      ...assembled.map((tool) => [inner(tool)["name"], tool] as const),
      ...session.heldBack().map(({ name, definition }) => [name, definition] as const),
    ]);
    return all.get(name) ?? all.get(googleName ?? name);
  };
}

/**
 * Checks if two definitions are the same tool: parameters of the same names and types, and for a server's tool also the same
 * description, if your program's tool has one. The catalog's description of your own tool may be longer than the one given.
 */
export function isSame(own: Written, info: ToolInfo, lookUp: LookUp): boolean {
  const description = words(descriptionOf(own));
  if (info.server !== null && description !== "" && description !== words(info.description)) return false;
  const other = lookUp(info);
  if (other === undefined) return true;
  return haveSameParameters(propertiesOf(schemaOf(own)), withOwnNames(propertiesOf(schemaOf(other)), info.parameterNames));
}

/** Returns the error for two different tools of one name; `where` is the option with your program's tool. */
export function twoTools(where: string, { name, server }: ToolInfo): ToolSiftError {
  const other = server === null ? "a tool that was registered before" : `a tool of server ${JSON.stringify(server)}`;
  const help = server === null ? "rename one of them" : "rename yours, or register it first";
  return new ToolSiftError("option_conflict", `${where} and ${other} are both called ${name}, and differ; ${help}`);
}

/**
 * Refuses an agent's tool that has the name of a different tool of the catalog. Otherwise the model would get the definition
 * of one tool, and its calls would run the other.
 *
 * @param assembled the tools of a request of that session, in any vendor's form
 * @param define returns the definition of a tool; undefined for a tool that cannot be in the catalog
 * @throws ToolSiftError `option_conflict`
 */
export function refuseDifferent<T extends readonly [name: string, ...unknown[]]>(
  session: Session,
  assembled: readonly Written[],
  tools: readonly T[],
  define: (tool: T) => Written | undefined,
): void {
  if (tools.length === 0) return;
  const infos = session.named(tools.map(([name]) => name));
  const lookUp = definitionsIn(session, assembled);
  for (const tool of tools) {
    const info = infos.get(tool[0]);
    if (info === undefined) continue;
    const own = define(tool);
    if (own === undefined || !isSame(own, info, lookUp)) throw twoTools(`the agent's tool ${info.name}`, info);
  }
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
