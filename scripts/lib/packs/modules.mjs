/**
 * Writes the packs as modules: one module with the words of each pack, and an index of hashes that tells which modules to
 * load.
 */

import { hash } from "../fresh.mjs";
import { definitionHash } from "./hash.mjs";
import { readPacks, readTranslations } from "./read.mjs";

/**
 * The digits of each hash in the index, as pkg/src/packs/packs.ts reads them. There are hashes of definitions and of names.
 */
const DIGITS = 6;
const NAME_DIGITS = 3;

/**
 * Returns the modules of the packs, `{ name, tools, hashes, names, key, text }`. Like the wasm as text, each is one file for
 * both module kinds, and CommonJS for Node. So it exports nothing, and stores its words under a global symbol.
 */
export function packModules() {
  return readPacks().map(({ name, entries }) => {
    const words = entries.map(({ hash, queries, keywords, name }) => [hash, queries, keywords, name]);
    const data = JSON.stringify(words);
    const key = `toolsift.pack.${name}.${hash(data).slice(0, 8)}`;
    const hashes = entries.map((entry) => entry.hash.slice(0, DIGITS)).sort();
    const names = new Set(entries.map((entry) => definitionHash(entry.name, "").slice(0, NAME_DIGITS)));
    const text = `globalThis[Symbol.for("${key}")] = ${data};\n`;
    return { name, tools: entries.length, hashes: hashes.join(""), names: [...names].sort().join(""), key, text };
  });
}

/** Returns the modules of translations, `{ language, name, key, text }`. They have the same form as those of packs. */
export function translationModules() {
  return readTranslations().map(({ language, text }) => {
    const data = JSON.stringify(text);
    const key = `toolsift.translations.${language}.${hash(data).slice(0, 8)}`;
    return { language, name: `translations.${language}`, key, text: `globalThis[Symbol.for("${key}")] = ${data};\n` };
  });
}

/**
 * Returns the source of `toolsift:pack-index`. It imports every module by a literal path, so that bundlers find it.
 *
 * @param place the folder of the modules, relative to the bundle
 */
export function packIndex(modules, tables, place) {
  const rows = modules.map(({ name, tools, hashes, names, key, text }) => {
    const values = { name, tools, bytes: Buffer.byteLength(text), hashes, names, key };
    const written = Object.entries(values).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
    return `  { ${written.join(", ")}, load: () => import("${place}/${name}.js") },\n`;
  });
  const loaded = tables.map(({ language, name, key }) => {
    return `  { language: "${language}", key: "${key}", load: () => import("${place}/${name}.js") },\n`;
  });
  return `export const PACKS = [\n${rows.join("")}];\nexport const TRANSLATIONS = [\n${loaded.join("")}];\n`;
}

/** Returns an esbuild plugin that provides `toolsift:pack-index` and does not bundle the modules of the packs. */
export const packIndexAt = (modules, place) => ({
  name: "pack-index",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^toolsift:pack-index$/ }, ({ path }) => ({ path, namespace: "pack-index" }));
    onLoad({ filter: /.*/, namespace: "pack-index" }, () => ({
      contents: packIndex(modules, translationModules(), place),
      loader: "js",
    }));
    onResolve({ filter: /.*/, namespace: "pack-index" }, ({ path }) => ({ path, external: true }));
  },
});
