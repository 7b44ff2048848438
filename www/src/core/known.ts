/** Finds servers that the packs know by package name: the names of their tools and, if measured, the sizes. */
import { placeholder } from "./engine.ts";
import type { List } from "./types.ts";
import type { Configured } from "../model/config.ts";

/** The content of `.made/servers.json`: by package, its tools, with their tokens if these were measured. */
export interface KnownServers {
  /** The median of the tokens of all measured tools. */
  typical: number;
  servers: Record<string, { tools: string[]; tokens?: number[] }>;
}

/** Returns the list of a configured server; null if no pack knows the server. */
export function knownList({ server, start }: Configured, { typical, servers }: KnownServers): List | null {
  const known = servers[start?.replace(/(?<=.)@[^@/]*$/, "") ?? ""];
  if (!known) return null;
  const tools = known.tools.map((name, at) => placeholder(name, 4 * (known.tokens?.[at] ?? typical)));
  return { server, start, known: known.tokens ? "measured" : "typical", tools, words: null };
}
