/**
 * Repairs the entries of servers' lists for the clients of both official SDKs. These refuse a whole list if one entry is
 * invalid, and a gateway's list contains the entries of all servers.
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

/** An entry that clients accept, and the fields that were removed from it; undefined if the entry cannot be repaired. */
export interface Accepted<T> {
  entry: T | undefined;
  /** The fields that clients refuse, such as `annotations.priority`. */
  left: string[];
}

/** The first passes remove single values of an entry; the later passes remove whole fields. */
const FINE_PASSES = 3;
const MOST_PASSES = 10;

/** The results by entry, so that each entry is checked once. */
const known = new WeakMap<object, Accepted<object>>();

/** Returns an entry in a form that clients accept. A resource without a name gets its URI as its name. */
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
  // Some servers write null for missing fields.
  for (const [key, value] of Object.entries(entry)) if (value === null) Reflect.deleteProperty(entry, key);
  if (kind === "Tool") describeBooleans(entry);
  const left = new Set<string>();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const paths = faultsOf(kind, entry);
    if (paths.length === 0) return { entry, left: [...left] };
    // Starts with the last path, because removing an element of a list moves the elements after it.
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

/** The lists besides that of the tools: the kind of their entries, and the field and the word that identify an entry. */
const OTHERS = [
  ["prompts", "Prompt", "name", "prompt"],
  ["resources", "Resource", "uri", "resource"],
  ["resourceTemplates", "ResourceTemplate", "uriTemplate", "template"],
] as const;

const entriesOf = (definitions: Partial<Others>, list: keyof Others): readonly Record<string, unknown>[] =>
  (definitions[list] ?? []) as never;

/** Returns a server's prompts, resources and templates that clients accept, repaired. */
export function acceptedOthers(definitions: Partial<Others> = {}): Others {
  const lists = OTHERS.map(([list, kind]) => {
    return [list, entriesOf(definitions, list).flatMap((one) => accepted(kind, one).entry ?? [])];
  });
  return Object.fromEntries(lists) as unknown as Others;
}

/** Returns the invalid entries among a server's prompts, resources, templates and skills. */
export function refusedOthers(definitions: Partial<Others> & Pick<Definitions, "skills"> = {}): Refused {
  const found: Refused = { rejected: [], repaired: [] };
  for (const [list, kind, id, word] of OTHERS) {
    for (const one of entriesOf(definitions, list)) {
      const name = `${word} ${one[id]}`;
      const { entry, left } = accepted(kind, one);
      if (entry === undefined) found.rejected.push({ name, message: `MCP's clients refuse it: ${left.join(", ")}` });
      else if (left.length > 0) found.repaired.push({ name, repair: leftOut(left) });
    }
  }
  for (const one of definitions.skills ?? []) {
    const read = skillOf(one);
    if ("problem" in read)
      found.rejected.push({ name: `skill ${one.uri}`, message: `MCP's clients refuse it: ${read.problem}` });
  }
  return found;
}

type Refused = Required<Pick<ServerStatus, "rejected" | "repaired">>;

/** Returns the text for fields that were removed. */
export const leftOut = (left: readonly string[]): string => `MCP's clients refuse it with ${left.join(", ")}; left out`;

function faultsOf(kind: Kind, entry: object): Path[] {
  const { issues = [] } = specTypeSchemas[kind]["~standard"].validate(entry) as {
    issues?: readonly { path?: readonly (PropertyKey | { key: PropertyKey })[] }[];
  };
  return issues.map(({ path = [] }) => path.map((part) => (typeof part === "object" ? part.key : part)));
}

/** Removes the value at a path, or its parent if a required value is missing. Returns the path of the removed value. */
function removed(entry: object, path: Path): Path {
  const key = path.at(-1);
  if (key === undefined) return [];
  const parent = path.slice(0, -1).reduce<unknown>((at, part) => Object(at)[part], entry);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (Object.hasOwn(Object(parent) as object, key)) Reflect.deleteProperty(parent as object, key);
  else return removed(entry, path.slice(0, -1));
  return path;
}

/** Replaces the schemas `true` and `false` of parameters by objects, because version 1 of the SDK accepts only objects. */
function describeBooleans(tool: Record<string, unknown>): void {
  const { properties } = Object(tool["inputSchema"]) as { properties?: unknown };
  if (typeof properties !== "object" || properties === null) return;
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema === "boolean") Object.assign(properties, { [name]: schema ? {} : { not: {} } });
  }
}

/** The results of compiling schemas, by their texts. */
const compiled = new Map<string, boolean>();
const MOST_COMPILED = 1_000;

/**
 * Checks if clients accept an output schema. Version 1 of the SDK compiles all schemas of a list together: it refuses the
 * whole list if one schema is broken, or if two schemas have the same `$id`.
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

/** Checks a root of type `object`: SDK 1 requires objects as `properties` and names in `required`. It wraps other roots. */
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
