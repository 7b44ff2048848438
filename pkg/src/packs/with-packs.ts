/** Adds the words of packs to your program's own words for a server's tools. If a pack fails, only its words are missing. */

import type { Enrichment, RegisterOptions, ToolSiftOptions } from "../types/index.js";
import { isList, reasonOf } from "../base/values.js";
import { within } from "../base/wait.js";

/** The time limit, in ms. A load that takes longer waits for a network, and must not delay the tools. */
const LOAD_MS = 2_000;

/** The words with which tools are registered, and the problem of their packs. */
export interface Packed {
  enrichment: RegisterOptions["enrichment"];
  /** The problem in a sentence; null if there is none. */
  problem: string | null;
}

/**
 * Returns your program's enrichment together with that of packs. It does not throw.
 *
 * @param tools the tools as they are registered
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
 * Returns a catalog's options with the package's translations, if the options have none. Translations that cannot be loaded
 * are left out: the packs, which are stored next to them, then report the reason.
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

/** Joins two enrichments. The program's entries come first, so that places in errors are those of its own list or file. */
export function joinedWords(
  own: RegisterOptions["enrichment"],
  entries: readonly Enrichment[],
): RegisterOptions["enrichment"] {
  if (entries.length === 0) return own;
  if (own === undefined) return entries;
  if (isList(own)) return [...own, ...entries];
  // A value of another type is an error, which the registration reports.
  if (typeof own !== "string") return own;
  const written = entries.map((entry) => JSON.stringify(entry));
  const list = own.trim();
  if (!list.startsWith("[")) return `${own}\n${written.join("\n")}`;
  if (!list.endsWith("]")) return own;
  const open = list.slice(0, -1).trimEnd();
  return `${open}${open === "[" ? "" : ","}${written.join(",")}]`;
}
