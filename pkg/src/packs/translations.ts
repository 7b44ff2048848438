/** What people say for the words of tools: a table of the package for each of some languages, loaded on demand. */

import { TRANSLATIONS } from "toolsift:pack-index";
import { ToolSiftError } from "../base/errors.js";

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
