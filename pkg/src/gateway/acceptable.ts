/**
 * Makes what servers list acceptable for the clients of both official SDKs. They refuse a whole list for one entry that is not,
 * and a gateway's list is that of all servers.
 */

import { fromJsonSchema, specTypeSchemas } from "@modelcontextprotocol/server";
import { skillOf } from "../skills/entry.js";
import type { ServerTool } from "../trust/pinned.js";
import type { Definitions, ServerStatus } from "./types.js";

const NEEDED = {
  Tool: ["name", "inputSchema"],
  Prompt: ["name"],
  Resource: ["uri", "name"],
  ResourceTemplate: ["uriTemplate", "name"],
} as const;

type Kind = keyof typeof NEEDED;
type Path = readonly PropertyKey[];

/** An entry that clients accept, and what was left out of it; undefined where nothing can be mended. */
export interface Accepted<T> {
  entry: T | undefined;
  /** The fields that clients refuse, such as `annotations.priority`. */
  left: string[];
}

/** Passes over an entry in which single values are left out; after these, whole fields are. */
const FINE_PASSES = 3;
const MOST_PASSES = 10;

/** By entry, so that each is looked at once. */
const known = new WeakMap<object, Accepted<object>>();

/** An entry as clients accept it. A resource without a name is named by its URI. */
export function accepted<T extends object>(kind: Kind, given: T): Accepted<T> {
  const before = known.get(given);
  if (before !== undefined) return before as Accepted<T>;
  const now = mended(kind, given);
  known.set(given, now);
  return now;
}

function mended<T extends object>(kind: Kind, given: T): Accepted<T> {
  const entry = structuredClone(given) as T & Record<string, unknown>;
  const { name, uri = entry["uriTemplate"] } = entry as Record<string, unknown>;
  if (typeof name !== "string" && kind.startsWith("Resource")) Object.assign(entry, { name: uri });
  // Some servers write null for what they do not say.
  for (const [key, value] of Object.entries(entry)) if (value === null) Reflect.deleteProperty(entry, key);
  if (kind === "Tool") describeBooleans(entry);
  const left = new Set<string>();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const paths = faultsOf(kind, entry);
    if (paths.length === 0) return { entry, left: [...left] };
    // From the last one on: what goes out of a list moves what stands behind it.
    for (const path of paths.reverse()) {
      const gone = removed(entry, pass < FINE_PASSES ? path : path.slice(0, 1));
      const [field] = gone;
      if (field === undefined || (gone.length === 1 && (NEEDED[kind] as Path).includes(field))) {
        return { entry: undefined, left: [path.join(".")] };
      }
      left.add(gone.join("."));
    }
  }
  return { entry: undefined, left: [...left] };
}

type Others = Pick<Definitions, "prompts" | "resources" | "resourceTemplates">;

/** The prompts, resources and templates of a server that clients accept, as they accept them. */
export function acceptedOthers({ prompts = [], resources = [], resourceTemplates = [] }: Partial<Others> = {}): Others {
  const those = <T extends object>(kind: Kind, entries: readonly T[]) => {
    return entries.flatMap((one) => accepted(kind, one).entry ?? []);
  };
  return {
    prompts: those("Prompt", prompts),
    resources: those("Resource", resources),
    resourceTemplates: those("ResourceTemplate", resourceTemplates),
  };
}

/** What clients refuse of a server's prompts, resources, templates and skills. */
export function refusedOthers(definitions: Partial<Others> & Pick<Definitions, "skills"> = {}): Refused {
  const { prompts = [], resources = [], resourceTemplates = [], skills = [] } = definitions;
  const all = [
    ...prompts.map((one) => ({ name: `prompt ${one.name}`, ...accepted("Prompt", one) })),
    ...resources.map((one) => ({ name: `resource ${one.uri}`, ...accepted("Resource", one) })),
    ...resourceTemplates.map((one) => ({ name: `template ${one.uriTemplate}`, ...accepted("ResourceTemplate", one) })),
  ];
  const odd = skills.flatMap((one) => {
    const read = skillOf(one);
    return "problem" in read ? { name: `skill ${one.uri}`, message: `MCP's clients refuse it: ${read.problem}` } : [];
  });
  const lost = all.flatMap(({ name, entry, left }) => (entry === undefined ? { name, message: refusal(left) } : []));
  return {
    rejected: [...lost, ...odd],
    repaired: all.flatMap(({ name, entry, left }) =>
      entry !== undefined && left.length > 0 ? { name, repair: leftOut(left) } : [],
    ),
  };
}

type Refused = Required<Pick<ServerStatus, "rejected" | "repaired">>;

/** What is said of fields that were left out, and of an entry that was. */
export const leftOut = (left: readonly string[]): string => `MCP's clients refuse it with ${left.join(", ")}; left out`;
const refusal = (left: readonly string[]): string => `MCP's clients refuse it: ${left.join(", ")}`;

function faultsOf(kind: Kind, entry: object): Path[] {
  const { issues = [] } = specTypeSchemas[kind]["~standard"].validate(entry) as {
    issues?: readonly { path?: readonly (PropertyKey | { key: PropertyKey })[] }[];
  };
  return issues.map(({ path = [] }) => path.map((part) => (typeof part === "object" ? part.key : part)));
}

/** Takes out what stands at a path, or, where it is missing, what should have it. Returns the path of what went. */
function removed(entry: object, path: Path): Path {
  const key = path.at(-1);
  if (key === undefined) return [];
  const parent = path.slice(0, -1).reduce<unknown>((at, part) => Object(at)[part], entry);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (Object.hasOwn(Object(parent) as object, key)) Reflect.deleteProperty(parent as object, key);
  else return removed(entry, path.slice(0, -1));
  return path;
}

/** The schemas `true` and `false` in the words of an object, since version 1 of the SDK takes no others for a parameter. */
function describeBooleans(tool: Record<string, unknown>): void {
  const { properties } = Object(tool["inputSchema"]) as { properties?: unknown };
  if (typeof properties !== "object" || properties === null) return;
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema === "boolean") Object.assign(properties, { [name]: schema ? {} : { not: {} } });
  }
}

/** By the text of a schema, whether clients compile it. */
const compiled = new Map<string, boolean>();
const MOST_COMPILED = 1_000;

/**
 * Whether clients take an output schema. Version 1 of the SDK compiles all of a list while it reads it, in one place: a broken
 * one, or an `$id` that another tool has too, costs the list.
 */
export function isOutputSchema({ outputSchema: schema }: ServerTool): boolean {
  if (schema === undefined) return true;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const text = JSON.stringify(schema);
  const before = compiled.get(text);
  if (before !== undefined) return before;
  const is = !/"\$?id":"/.test(text) && isOfObject(schema as Record<string, unknown>) && compiles(text);
  if (compiled.size === MOST_COMPILED) compiled.clear();
  compiled.set(text, is);
  return is;
}

/** Where the root is an object, SDK 1 wants schemas by name, and names; another root is wrapped by the SDK. */
function isOfObject({ type, properties = {}, required = [] }: Record<string, unknown>): boolean {
  if (type !== "object") return true;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return false;
  const isSchema = (one: unknown) => typeof one === "object" && one !== null;
  const isName = (one: unknown) => typeof one === "string";
  return Object.values(properties).every(isSchema) && Array.isArray(required) && required.every(isName);
}

function compiles(text: string): boolean {
  try {
    fromJsonSchema(JSON.parse(text) as never);
    return true;
  } catch {
    return false;
  }
}
