/** Selects the tools that are sent in a step: discovery tools, tools of providers, and the session's tools in its order. */

import type { ToolSet } from "ai";
import { ToolSiftError } from "../../base/errors.js";
import type { Session } from "../../index.js";
import { fitted, type ToolLimit } from "../../wire/limits.js";
import { twoTools } from "../lib/same.js";
import type { SharedState } from "./shared-state.js";
import { type Definition, isProviders } from "./register.js";
import type { AnyTool } from "./types.js";

/** One step's tools and prompt section. */
export interface Sent {
  /** Names in the order in which they are sent. */
  names: ReadonlySet<string>;
  /** The session's assembly. */
  definitions: ReadonlyMap<string, Definition>;
  /** Whether the host allows a tool in this step. */
  isActive: (name: string) => boolean;
  systemPrompt: string;
}

/** The host's choices for a step. */
export interface Choice {
  /** The names that may be sent; all where it is undefined. */
  active?: readonly string[] | undefined;
  /** Tools that are always sent, beside those of the catalog. */
  beside?: ToolSet;
  /** How many tools the model's vendor takes. If there are more, the least recently used revealed tools are evicted. */
  limit?: ToolLimit | undefined;
}

/**
 * Assembles a step, with the host's own choice of what may be sent.
 *
 * @throws ToolSiftError `name_reserved` for a tool of the host's that has the name of a discovery tool, `option_conflict`
 * for a provider's tool that has the name of a tool in the catalog, `limit_out_of_range` if too many tools are always there
 */
export function assembled(shared: SharedState, session: Session, { active, beside = {}, limit }: Choice): Sent {
  const { tools } = shared;
  const assembly = session.assemble({ format: "mcp" });
  const definitions = new Map<string, Definition>(assembly.tools.map((tool) => [tool.name, tool]));
  const chosen = active && new Set(active);
  const isActive = (name: string) => chosen === undefined || chosen.has(name);
  const providers = Object.entries(tools).flatMap(([name, tool]) => (isProviders(tool) ? [name] : []));
  const catalog = session.named([...definitions.keys(), ...providers]);
  const discovery = [...definitions.keys()].filter((name) => !catalog.has(name));
  const always = Object.keys(beside);
  const clash = [...providers, ...always].find((name) => discovery.includes(name));
  if (clash !== undefined) {
    throw new ToolSiftError("name_reserved", `options.tools.${clash} has the name of a discovery tool; rename it`);
  }
  const twice = providers.find((name) => catalog.has(name));
  if (twice !== undefined) throw twoTools(`options.tools.${twice}`, catalog.get(twice)!);
  const own = [...always, ...providers].filter(isActive);
  const others = [...definitions.keys()].filter((name) => catalog.has(name) && isActive(name));
  const fit = () => fitted(others, discovery.length + own.length, session, limit, (name) => name);
  const names = active?.length === 0 ? [] : [...discovery, ...own, ...fit()];
  return { names: new Set(names), definitions, isActive, systemPrompt: assembly.systemPrompt };
}

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
