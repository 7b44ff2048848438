/** What is said of packs. */

import type { Enrichment } from "../types/index.js";
import { TRANSLATIONS } from "toolsift:pack-index";
import { ToolSiftError } from "../base/errors.js";

/** A pack of which some tools were found. */
export interface MatchedPack {
  /** The server whose tools it is for. */
  name: string;
  /** How many of the tools that were passed got words of it. */
  matched: number;
  /** How many tools it has words for. */
  tools: number;
}

/** What `packsFor` found. */
export interface PacksFor {
  /** The enrichments of the tools that were passed, for the option `enrichment` of `register`, `sync` and `connectMcp`. */
  entries: Enrichment[];
  /** The packs that they are of, in the order of `packs()`. */
  packs: MatchedPack[];
  /** Which packs could not be loaded, and why: a sentence for each. Empty unless a file of the package is missing. */
  problems: string[];
}

/** A pack of the package. */
export interface PackInfo {
  /** The server whose tools it is for. */
  name: string;
  /** How many tools it has words for. Versions of a server in which a tool is described differently count each. */
  tools: number;
  /** What loading it costs. */
  bytes: number;
}

/** The languages that there are tables of, in alphabetical order: `["de", "en", …]`. Nothing is loaded. */
export function languages(): string[] {
  return TRANSLATIONS.map(({ language }) => language);
}

/**
 * The tables of some languages as one text, for the option `translations`. `toolsift()` and `gateway()` load all of them.
 *
 * ```ts
 * const sift = new ToolSift({ translations: await translations() });
 * ```
 *
 * @param of two letters for each language. Default all
 * @throws ToolSiftError `option_invalid` for a language that there is no table of
 */
export async function translations(of: readonly string[] = languages()): Promise<string> {
  const tables = of.map((language) => {
    const table = TRANSLATIONS.find((one) => one.language === language);
    if (table !== undefined) return table;
    throw new ToolSiftError("option_invalid", `there is no table of ${language}; there are ${languages().join(", ")}`);
  });
  const texts = tables.map(async ({ key, load }) => {
    await load();
    // Left there by the module, which is one file for both module kinds and so exports nothing.
    return (globalThis as Record<symbol, unknown>)[Symbol.for(key)] as string;
  });
  return (await Promise.all(texts)).join("");
}
