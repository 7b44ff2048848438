/**
 * How can AI SDK send some tools and know others? It sends what it can enumerate, in that order, and looks up by name what
 * the model calls: a view in which the session's tools are enumerated, and the others are there all the same.
 */

import type { ToolSet } from "ai";
import type { AnyTool } from "./kit.js";

/** What a view shows. It is asked anew each time. */
export interface Source {
  /** The names that are sent, in their order. */
  names: () => ReadonlySet<string>;
  find: (name: string) => AnyTool | undefined;
}

/** A tool set that changes with its source, and cannot be written to. */
export function liveTools<TOOLS extends ToolSet>({ names, find }: Source): TOOLS {
  const lookUp = (key: string | symbol) => (typeof key === "string" ? find(key) : undefined);
  const refuse = () => false;
  // An object's own keys are in its order but for those that look like numbers; a proxy's are in the order that it says.
  return new Proxy({} as TOOLS, {
    get: (_, key) => lookUp(key),
    has: (_, key) => lookUp(key) !== undefined,
    ownKeys: () => [...names()],
    getOwnPropertyDescriptor: (_, key) => {
      const value = lookUp(key);
      return value && { value, enumerable: names().has(key as string), configurable: true };
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
  });
}
