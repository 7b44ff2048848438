/** Makes the translations of other languages from `lab/translations/LANGUAGE.txt`, which a model wrote. */

import { textOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { stemOf } from "./words.mjs";

export const LANGUAGES = ["de", "es", "fr", "ja", "pt", "zh"];
/** The most words of tools for one everyday word. */
const TARGETS = 6;
/** The mark of stop words, such as *the*. They come first in a file. */
const NOTHING = "-";
/** Matches words in one script. The Rust library accepts no others, and splits `a_b`. */
const ONE_WORD = /^(\p{Script=Latin}+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+)$/u;

/** Returns a word without accents, as the Rust library reads it. */
const plain = (word) => word.normalize("NFD").replace(/\p{Mark}/gu, "");

/**
 * Returns the lines of a language's table. All translations of a word have equal weights.
 *
 * @param isEnglish returns true for a word that is also used in English: it then keeps its English meaning
 */
export function languageTable(language, isEnglish) {
  const [rows, nothing] = [new Map(), new Set()];
  for (const line of textOf(at("lab", "translations", `${language}.txt`)).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [target, said] = line.split(": ");
    for (const word of said.toLowerCase().split(" ")) {
      if (!ONE_WORD.test(word) || isEnglish(plain(word))) continue;
      const targets = rows.get(word) ?? new Map();
      rows.set(word, targets);
      if (target === NOTHING) nothing.add(word);
      else if (!nothing.has(word) && !targets.has(stemOf(target))) targets.set(stemOf(target), target);
    }
  }
  return [...rows].map(([word, targets]) => [word, ...[...targets.values()].slice(0, TARGETS)].join(" ")).sort();
}
