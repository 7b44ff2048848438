/** Reads the packs of the repository: pkg/packs/SERVER.jsonl, a tool on each line. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { at } from "../paths.mjs";
import { Problem } from "../run.mjs";

/** The folder of the packs. */
export const packsDir = at("pkg", "packs");

/** The packs in the order of their names: `{ name, entries: [{ name, hash, queries, keywords }] }`. */
export function readPacks(folder = packsDir) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  const names = files.map((file) => file.slice(0, -".jsonl".length)).sort();
  return names.map((name) => ({ name, entries: entriesOf(join(folder, `${name}.jsonl`)) }));
}

function entriesOf(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line)];
    } catch (error) {
      throw new Problem(`${path}:${at + 1}: ${error.message}`);
    }
  });
}
