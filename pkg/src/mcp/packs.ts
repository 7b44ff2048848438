/** Adds the words of packs to what the host says of a server's tools. What goes wrong with packs costs only their words. */

import type { Enrichment, RegisterOptions } from "../index.js";
import { isList, reasonOf } from "../values.js";
import { within } from "./wait.js";

/** Packs are files of the package. What takes longer waits for a network, and must not keep a server's tools waiting. */
const LOAD_MS = 2_000;

/** What tools are registered with, and what is wrong with their packs. */
export interface Packed {
  enrichment: RegisterOptions["enrichment"];
  /** A sentence; null where all went well. */
  problem: string | null;
}

/**
 * The host's own enrichment with that of packs. It does not throw.
 *
 * @param tools as they are registered
 */
export async function withPacks(tools: readonly object[], enrichment: RegisterOptions["enrichment"]): Promise<Packed> {
  try {
    const { entries, problems } = await within({ what: "loading packs", ms: LOAD_MS }, async () => {
      const { packsFor } = await import("toolsift:packs");
      return packsFor(tools);
    });
    return { enrichment: joinedWords(enrichment, entries), problem: problems.length === 0 ? null : problems.join("; ") };
  } catch (error) {
    return { enrichment, problem: reasonOf(error) };
  }
}

/** The host's entries come first, so that the places which errors name stay those of its own list or file. */
export function joinedWords(
  own: RegisterOptions["enrichment"],
  entries: readonly Enrichment[],
): RegisterOptions["enrichment"] {
  if (entries.length === 0) return own;
  if (own === undefined) return entries;
  if (isList(own)) return [...own, ...entries];
  // What is neither a list nor a text is the host's mistake, which the registration tells.
  if (typeof own !== "string") return own;
  const written = entries.map((entry) => JSON.stringify(entry));
  const list = own.trim();
  if (!list.startsWith("[")) return `${own}\n${written.join("\n")}`;
  if (!list.endsWith("]")) return own;
  const open = list.slice(0, -1).trimEnd();
  return `${open}${open === "[" ? "" : ","}${written.join(",")}]`;
}
