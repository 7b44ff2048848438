/** The definitions in one entry of a list: one, or all that an entry in Google's shape declares. */

import { neutral } from "../suspicious/inspect.js";
import type { ServerTool } from "../suspicious/server-tool.js";
import { isObject } from "../wire/fields.js";
import { isList } from "../values.js";

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

/** The entry without some of its definitions; undefined where none is left. */
export function without(entry: Record<string, unknown>, gone: ReadonlySet<unknown>): Record<string, unknown> | undefined {
  const { functionDeclarations: declared } = entry;
  if (gone.size === 0) return entry;
  if (!Array.isArray(declared)) return undefined;
  const left = declared.filter((one) => !gone.has(one));
  return left.length === 0 ? undefined : { ...entry, functionDeclarations: left };
}

/** An entry with its hidden characters as escapes. Names stay as they are, because calls need them. */
export function escapedIn(entry: Record<string, unknown>): Record<string, unknown> {
  const { name, server, function: inner, functionDeclarations: declared, ...rest } = entry;
  const shown: Record<string, unknown> = { ...neutral({ name: "", ...rest } as ServerTool), name };
  if (server !== undefined) shown["server"] = server;
  if (inner !== undefined) shown["function"] = isObject(inner) ? escapedIn(inner) : inner;
  if (declared !== undefined) {
    shown["functionDeclarations"] = isList(declared)
      ? declared.map((one) => (isObject(one) ? escapedIn(one) : one))
      : declared;
  }
  return shown;
}
