/** Information about packs, and the translations that come with the package. */

import type { Enrichment } from "../types/index.js";
import { TRANSLATIONS } from "toolsift:pack-index";
import { ToolSiftError } from "../base/errors.js";

/** A pack with words for some of the tools. */
export interface MatchedPack {
  /** The server whose tools the pack covers. */
  name: string;
  /** The number of passed tools that got words from the pack. */
  matched: number;
  /** The number of tools for which the pack has words. */
  tools: number;
}

/** The result of `packsFor`. */
export interface PacksFor {
  /** The search words of the passed tools, for the option `enrichment` of `register`, `sync` and `connectMcp`. */
  entries: Enrichment[];
  /** The packs of these words, in the order of `packs()`. */
  packs: MatchedPack[];
  /** The packs that could not be loaded: a sentence for each. Empty unless a file of the package is missing. */
  problems: string[];
}

/** A pack of the package. */
export interface PackInfo {
  /** The server whose tools the pack covers. */
  name: string;
  /** The number of tools for which the pack has words. Versions of a tool with different descriptions count separately. */
  tools: number;
  /** The size of the pack's module, in bytes. */
  bytes: number;
}

/** Returns the languages that have translations, in alphabetical order: `["de", "en", …]`. Nothing is loaded. */
export function languages(): string[] {
  return TRANSLATIONS.map(({ language }) => language);
}

/**
 * Returns the translations of some languages as one text, for the option `translations`. `toolsift()` and `gateway()` load
 * all languages.
 *
 * ```ts
 * const sift = new ToolSift({ translations: await translations() });
 * ```
 *
 * @param of two letters for each language. Default: all languages
 * @throws ToolSiftError `option_invalid` for a language without translations
 */
export async function translations(of: readonly string[] = languages()): Promise<string> {
  const tables = of.map((language) => {
    const table = TRANSLATIONS.find((one) => one.language === language);
    if (table !== undefined) return table;
    throw new ToolSiftError("option_invalid", `there is no table of ${language}; there are ${languages().join(", ")}`);
  });
  const texts = tables.map(async ({ key, load }) => {
    await load();
    // The module stores the text here. It is one file for both module kinds, so it cannot export anything.
    return (globalThis as Record<symbol, unknown>)[Symbol.for(key)] as string;
  });
  return (await Promise.all(texts)).join("");
}
