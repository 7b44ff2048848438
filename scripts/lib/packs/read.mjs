/** Reads the packs in the repository: pkg/packs/SERVER.jsonl, with one tool on each line. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { textOf, valuesOf } from "../json-lines.mjs";
import { at } from "../paths.mjs";

/** The folder of the packs. */
export const packsDir = at("pkg", "packs");
/** The folder of the translations, from everyday words to the words in tools. */
export const translationsDir = join(packsDir, "translations");

/** Returns the translations in this folder, as `{ language, text }`. */
export const readTranslations = () =>
  readdirSync(translationsDir)
    .sort()
    .map((file) => ({ language: file.slice(0, -".txt".length), text: textOf(join(translationsDir, file)) }));

/** Returns the packs in the order of their names, as `{ name, entries: [{ name, hash, queries, keywords }] }`. */
export function readPacks() {
  const files = readdirSync(packsDir).filter((file) => file.endsWith(".jsonl"));
  const names = files.map((file) => file.slice(0, -".jsonl".length)).sort();
  return names.map((name) => ({ name, entries: valuesOf(join(packsDir, `${name}.jsonl`)) }));
}
