/** Servers that the packs know by the name of their package: the names of their tools and, where they were measured, sizes. */
import { placeholder } from "./engine.ts";
import type { List } from "./types.ts";
import type { Configured } from "../model/config.ts";

/** `.made/servers.json`: by package, its tools, each with its tokens where these were measured. */
export interface KnownServers {
  /** The median of all tools that were measured. */
  typical: number;
  servers: Record<string, { tools: string[]; tokens?: number[] }>;
}

/** The list of a configured server; null where no pack knows it. */
export function knownList({ server, start }: Configured, { typical, servers }: KnownServers): List | null {
  const known = servers[start?.replace(/(?<=.)@[^@/]*$/, "") ?? ""];
  if (!known) return null;
  const tools = known.tools.map((name, at) => placeholder(name, 4 * (known.tokens?.[at] ?? typical)));
  return { server, start, known: known.tokens ? "measured" : "typical", tools, words: null };
}
