/** Selects the tools that are sent in a step: discovery tools, tools of providers, and the session's tools in its order. */

import { ToolSiftError } from "../../errors.js";
import type { Session } from "../../index.js";
import { fitted, type ToolLimit } from "../lib/limits.js";
import { twoTools } from "../lib/same.js";
import type { Kit } from "./kit.js";
import { type Definition, isProviders } from "./register.js";

/** One step's tools and prompt section. */
export interface Sent {
  /** Names in the order in which they are sent. */
  names: ReadonlySet<string>;
  /** What the session says of them. */
  definitions: ReadonlyMap<string, Definition>;
  /** Whether the host leaves a tool in this step. */
  isActive: (name: string) => boolean;
  systemPrompt: string;
}

/**
 * Assembles a step, with the host's own choice of what may be sent.
 *
 * @param limit how many tools the model's vendor takes: more revealed tools are evicted, the least recently used first
 * @throws ToolSiftError `name_reserved` for a provider's tool that is called as a discovery tool is, `option_conflict` for
 * one that is called as a tool of the catalog is
 */
export function assembled(
  { catalog, tools }: Kit,
  session: Session,
  active: readonly string[] | undefined,
  limit?: ToolLimit,
): Sent {
  const assembly = session.assemble({ format: "mcp" });
  const definitions = new Map(assembly.tools.map((tool) => [String(tool["name"]), tool as unknown as Definition]));
  const chosen = active && new Set(active);
  const isActive = (name: string) => chosen === undefined || chosen.has(name);
  const discovery = [...definitions.keys()].filter((name) => !catalog.has(name));
  const providers = Object.entries(tools).flatMap(([name, tool]) => (isProviders(tool) ? [name] : []));
  const clash = providers.find((name) => discovery.includes(name));
  if (clash !== undefined) {
    throw new ToolSiftError("name_reserved", `options.tools.${clash} has the name of a discovery tool; rename it`);
  }
  const twice = providers.find((name) => catalog.has(name));
  if (twice !== undefined) throw twoTools(`options.tools.${twice}`, catalog.get(twice)!);
  const hosted = providers.filter(isActive);
  const others = [...definitions.keys()].filter((name) => catalog.has(name) && isActive(name));
  const fit = () => fitted(others, discovery.length + hosted.length, session, limit, (name) => name);
  const names = active?.length === 0 ? [] : [...discovery, ...hosted, ...fit()];
  return { names: new Set(names), definitions, isActive, systemPrompt: assembly.systemPrompt };
}
