/** Selects the tools that are sent in a step: discovery tools, tools of providers, and the session's tools in its order. */

import type { ToolSet } from "ai";
import { ToolSiftError } from "../../base/errors.js";
import type { Session } from "../../index.js";
import { fitted, type ToolLimit } from "../../wire/limits.js";
import { twoTools } from "../lib/same.js";
import type { SharedState } from "./shared-state.js";
import { type Definition, isProviders } from "./register.js";

/** The tools and the prompt section of one step. */
export interface Sent {
  /** Names in the order in which they are sent. */
  names: ReadonlySet<string>;
  /** The definitions that the session assembled, by name. */
  definitions: ReadonlyMap<string, Definition>;
  /** Checks if your program allows a tool in this step. */
  isActive: (name: string) => boolean;
  systemPrompt: string;
}

/** Your program's choices for a step. */
export interface Choice {
  /** The names of the tools that may be sent; undefined for all tools. */
  active?: readonly string[] | undefined;
  /** Additional tools, which are always sent. */
  beside?: ToolSet;
  /** The vendor's maximum number of tools. Above it, the least recently used loaded tools are evicted. */
  limit?: ToolLimit | undefined;
}

/**
 * Assembles the tools of a step, limited to those that your program allows.
 *
 * @throws ToolSiftError `name_reserved` for your program's tool that has the name of a discovery tool; `option_conflict` for
 *   a provider's tool that has the name of a tool of the catalog; `limit_out_of_range` if too many tools are always sent
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
