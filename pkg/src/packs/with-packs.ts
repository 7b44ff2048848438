/** Adds the words of packs to the host's own for a server's tools. A pack that fails costs only its words. */

import type { Enrichment, RegisterOptions, ToolSiftOptions } from "../types/index.js";
import { isList, reasonOf } from "../base/values.js";
import { within } from "../base/wait.js";

/** Packs are files of the package. A slower load waits for a network, and must not delay a server's tools. */
const LOAD_MS = 2_000;

/** The words with which tools are registered, and the problem of their packs. */
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

/**
 * Options of a catalog with the tables of what people say for the words of tools, where the host has none of its own. Tables that
 * cannot be loaded are left out: the packs, which lie beside them, say why.
 */
export async function withTranslations(options: ToolSiftOptions): Promise<ToolSiftOptions> {
  if (options.translations !== undefined) return options;
  try {
    const translations = await within({ what: "loading translations", ms: LOAD_MS }, async () =>
      (await import("toolsift:packs")).translations(),
    );
    return { ...options, translations };
  } catch {
    return options;
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
  // Another type is a mistake of the host's, which the registration reports.
  if (typeof own !== "string") return own;
  const written = entries.map((entry) => JSON.stringify(entry));
  const list = own.trim();
  if (!list.startsWith("[")) return `${own}\n${written.join("\n")}`;
  if (!list.endsWith("]")) return own;
  const open = list.slice(0, -1).trimEnd();
  return `${open}${open === "[" ? "" : ","}${written.join(",")}]`;
}
