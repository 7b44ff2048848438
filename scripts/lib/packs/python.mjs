/** Writes the packs as the one file that the Python package carries: a line for each pack. */

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readPacks } from "./read.mjs";
import { at } from "../paths.mjs";

export function writePacks() {
  const lines = readPacks().map(({ name, entries }) => {
    const words = entries.map(({ hash, queries, keywords, name }) => [hash, queries, keywords, name]);
    return `${JSON.stringify([name, words])}\n`;
  });
  const data = gzipSync(lines.join(""), { level: 9 });
  const file = at("python", "toolsift", "packs.jsonl.gz");
  if (!data.equals(read(file))) writeFileSync(file, data);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
