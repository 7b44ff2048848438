/**
 * A set of tools that enumerates fewer tools than it holds. AI SDK sends the tools that it can enumerate, in their order,
 * and looks up by name what the model calls. So only the session's tools are enumerable, and all others can be looked up.
 * A copy holds all of them; there, the names of each step say which are sent.
 */

import type { ToolSet } from "ai";
import { ToolSiftError } from "../../errors.js";
import type { AnyTool } from "./types.js";

/** The source of a view. It is asked every time. */
export interface Source {
  /** The names that are sent, in their order. */
  names: () => ReadonlySet<string>;
  /** The names that may come to be sent. */
  all: () => Iterable<string>;
  /** Is called when the names were enumerated. */
  enumerated: () => void;
  /** Is called when the host makes a copy. */
  copied: () => void;
  find: (name: string) => AnyTool | undefined;
  /** Whether a step has begun. From then on AI SDK itself may copy the tools, anew in each step. */
  hasBegun: () => boolean;
}

/** A spread reads this key before all others, and `Object.entries` does not. So a copy can be told from an enumeration. */
const COPY = Symbol("toolsift.copy");

/** The error for tools that were taken one by one: they are those of one moment, without what is found later. */
export function frozen(): ToolSiftError {
  const why = "the tools were taken from conversation.tools one by one, so what the model finds later is not among them";
  const way = "pass conversation.tools itself or { ...conversation.tools }";
  return new ToolSiftError("option_invalid", `${why}: ${way}`);
}

/** A tool set that changes with its source, and cannot be written to. A spread, or `Object.assign`, copies all its tools. */
export function liveTools<TOOLS extends ToolSet>(source: Source): TOOLS {
  const { names, enumerated, find, hasBegun } = source;
  let isCopying = false;
  const lookUp = (key: string | symbol) => {
    if (key === COPY) {
      isCopying = true;
      source.copied();
    }
    if (typeof key !== "string") return undefined;
    return isCopying ? standing(() => find(key)) : find(key);
  };
  const refuse = () => false;
  // An object's own keys are in its order but for those that look like numbers; a proxy's are in the order that it says.
  return new Proxy({} as TOOLS, {
    get: (_, key) => lookUp(key),
    has: (_, key) => typeof key === "string" && find(key) !== undefined,
    ownKeys: () => {
      enumerated();
      isCopying = false;
      return hasBegun() ? [...names()] : [COPY, ...new Set([...names(), ...source.all()])];
    },
    getOwnPropertyDescriptor: (_, key) => {
      if (key === COPY) return { value: undefined, enumerable: true, configurable: true };
      const enumerable = isCopying || names().has(key as string);
      const value = enumerable || hasBegun() ? lookUp(key) : undefined;
      return { value, enumerable, configurable: true };
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
  });
}

/** A tool of a copy: whatever the source has under its name when it is read. */
function standing(find: () => AnyTool | undefined): AnyTool {
  const now = () => Object(find()) as AnyTool;
  return new Proxy({} as AnyTool, {
    get: (_, key) => Reflect.get(now(), key),
    has: (_, key) => Reflect.has(now(), key),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, key) => Object.getOwnPropertyDescriptor(now(), key),
  });
}

/** The names that a step sends of a copy. AI SDK asks the list; what the host has added to the copy is sent too. */
export function activeOf(names: Iterable<string>, isHeld: (name: string) => boolean): string[] {
  const sent = new Set(names);
  const includes = (name: string) => sent.has(name) || !isHeld(name);
  return Object.defineProperty([...sent], "includes", { value: includes });
}
