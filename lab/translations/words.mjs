/** Splits texts into words and stems words, like the Rust library does with English. */

import { textOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { providePackages } from "../lib/packages.mjs";

await providePackages();
const { default: porter2 } = await import("wink-porter2-stemmer");

/** English stop words. */
export const STOP_WORDS = new Set(
  textOf(at("src", "search", "analysis", "tables", "stop-words.txt"))
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(/\s+/)),
);

const stems = new Map();

/** Returns the stem of a word. */
export function stemOf(word) {
  let stem = stems.get(word);
  if (stem === undefined) stems.set(word, (stem = porter2(word)));
  return stem;
}

/** Returns proper names in lower case: words that these texts mostly write with a capital letter inside a sentence. */
export function properNames(texts) {
  const counts = new Map();
  for (const text of texts) {
    for (const word of text.match(/[A-Za-z]+/g)?.slice(1) ?? []) {
      const key = word.toLowerCase();
      counts.set(key, (counts.get(key) ?? 0) + (/^[A-Z][a-z]/.test(word) ? 1 : -1));
    }
  }
  return new Set([...counts].flatMap(([word, more]) => (more > 0 ? word : [])));
}

/** Returns the words of an English text or of a tool's name in lower case, without stop words. */
export const wordsOf = (text) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/['’](s|re|ve|ll|d|m|t)\b/g, " ")
    .match(/[a-z]+/g)
    ?.filter((word) => word.length > 1 && !STOP_WORDS.has(word)) ?? [];
