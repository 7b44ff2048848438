/**
 * Writes the packs and the translations for the Python package, as two files with one line for each. Also copies the tables
 * that both packages read, and writes the types.
 */

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readPacks, readTranslations } from "./read.mjs";
import { at } from "../paths.mjs";
import { writeTypes } from "../python-types.mjs";

export function writeSources() {
  const lines = readPacks().map(({ name, entries }) => {
    const words = entries.map(({ hash, queries, keywords, name }) => [hash, queries, keywords, name]);
    return `${JSON.stringify([name, words])}\n`;
  });
  write("packs.jsonl.gz", lines);
  write(
    "translations.jsonl.gz",
    readTranslations().map(({ language, text }) => `${JSON.stringify([language, text])}\n`),
  );
  for (const file of ["servers/clients.json", "core/definition.json"]) {
    copyFileSync(at("pkg", "src", ...file.split("/")), at("python", "toolsift", file.split("/")[1]));
  }
  writeTypes();
}

function write(name, lines) {
  const data = gzipSync(lines.join(""), { level: 9 });
  const file = at("python", "toolsift", name);
  if (!data.equals(read(file))) writeFileSync(file, data);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
