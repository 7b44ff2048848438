/**
 * A set of tools that enumerates fewer tools than it holds. AI SDK sends the tools that it can enumerate, in their order,
 * and looks up by name what the model calls. So only the session's tools are enumerable, and all others can be looked up.
 */

import type { ToolSet } from "ai";
import { ToolSiftError } from "../../base/errors.js";
import type { AnyTool } from "./types.js";

/** What the set is a view of. It is asked every time. */
export interface ToolView {
  /** The names that are sent, in their order. */
  names: () => ReadonlySet<string>;
  /** Is called when the names were enumerated. */
  enumerated: () => void;
  find: (name: string) => AnyTool | undefined;
  /** Whether a step has begun. From then on AI SDK itself may copy the tools, anew in each step. */
  hasBegun: () => boolean;
}

/** A spread and `Object.assign` read this key, and `Object.entries` does not. So a copy of the host's is recognised. */
const COPY = Symbol("toolsift.copy");

/** The error for a copy of the tools: it holds those of one moment, without what is found later. */
export function copied(): ToolSiftError {
  const why = "conversation.tools was copied, and what the model finds later is not in a copy";
  const way = "pass conversation.tools itself, and give other tools to siftTools({ tools }) or to sift.with(id, { tools })";
  return new ToolSiftError("option_invalid", `${why}: ${way}`);
}

/** A tool set that changes with its source, and can be neither written to nor spread. */
export function liveTools<TOOLS extends ToolSet>({ names, enumerated, find, hasBegun }: ToolView): TOOLS {
  const lookUp = (key: string | symbol) => {
    if (key === COPY) throw copied();
    return typeof key === "string" ? find(key) : undefined;
  };
  const refuse = () => false;
  // An object's own keys are in its order but for those that look like numbers; a proxy's are in the order that it says.
  return new Proxy({} as TOOLS, {
    get: (_, key) => lookUp(key),
    has: (_, key) => typeof key === "string" && find(key) !== undefined,
    ownKeys: () => {
      enumerated();
      return hasBegun() ? [...names()] : [COPY, ...names()];
    },
    getOwnPropertyDescriptor: (_, key) => {
      if (key === COPY) return { value: undefined, enumerable: true, configurable: true };
      const value = lookUp(key);
      return value && { value, enumerable: names().has(key as string), configurable: true };
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
  });
}
