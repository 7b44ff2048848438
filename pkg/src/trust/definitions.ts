/** The definitions in one entry of a list: one, or all that an entry in Google's shape declares. */

import { isList } from "../base/values.js";
import { isObject } from "../wire/fields.js";
import { neutralIn } from "./inspect.js";

/** A definition that can be told from others. */
export interface Named {
  server: string | null;
  name: string;
  definition: Record<string, unknown>;
}

/** The definitions of an entry; of what has no name, none: the catalog refuses it. */
export function definitionsOf(entry: unknown, server: string | null): Named[] {
  if (!isObject(entry)) return [];
  const { functionDeclarations: declared } = entry;
  return (Array.isArray(declared) ? declared : [entry]).flatMap((one: unknown) => {
    if (!isObject(one)) return [];
    const { name = isObject(one["function"]) ? one["function"]["name"] : undefined, server: own } = one;
    if (typeof name !== "string" || name === "") return [];
    return [{ server: server ?? (typeof own === "string" ? own : null), name, definition: one }];
  });
}

/** The entry with some of its definitions as they are shown, undefined for those that go; undefined where none is left. */
export function replaced(
  entry: Record<string, unknown>,
  others: ReadonlyMap<unknown, object | undefined>,
): Record<string, unknown> | undefined {
  const { functionDeclarations: declared } = entry;
  const shown = (one: unknown): unknown => (others.has(one) ? others.get(one) : one);
  if (others.size === 0) return entry;
  if (!Array.isArray(declared)) return shown(entry) as Record<string, unknown> | undefined;
  const left = declared.map(shown).filter((one) => one !== undefined);
  return left.length === 0 ? undefined : { ...entry, functionDeclarations: left };
}

/** An entry with its hidden characters as escapes. Names stay as they are, because calls need them. */
export function escapedIn(entry: Record<string, unknown>): Record<string, unknown> {
  const { name, server, function: inner, functionDeclarations: declared, ...rest } = entry;
  const shown: Record<string, unknown> = { ...neutralIn(rest), name };
  if (server !== undefined) shown["server"] = server;
  if (inner !== undefined) shown["function"] = isObject(inner) ? escapedIn(inner) : inner;
  if (declared !== undefined) {
    shown["functionDeclarations"] = isList(declared)
      ? declared.map((one) => (isObject(one) ? escapedIn(one) : one))
      : declared;
  }
  return shown;
}
