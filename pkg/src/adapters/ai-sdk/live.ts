/**
 * A set of tools that enumerates fewer tools than it holds. AI SDK sends the tools that it can enumerate, in their order, and
 * looks up by name what the model calls. So only the session's tools are enumerable, and all others can be looked up.
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
