/** Reads pkg/packs/servers.json: the servers of the packs, and the servers that could not list their tools. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packsDir } from "../../scripts/lib/packs/read.mjs";

const FILE = join(packsDir, "servers.json");

/**
 * `{ packs: [{ pack, package, version, note, written }], unlisted: [{ package, version, why, tried }] }`. A package of PyPI
 * is `pypi:NAME`; `note` says which of its servers or versions is meant.
 */
export const readServers = () => JSON.parse(readFileSync(FILE, "utf8"));

/** Writes one row on each line, sorted by name, so that a diff shows only changed rows. */
export function writeServers({ packs, unlisted }) {
  const list = (rows, key) => {
    const sorted = rows.toSorted((one, other) => (one[key] < other[key] ? -1 : 1));
    return sorted.length === 0 ? "[]" : `[\n${sorted.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
  };
  writeFileSync(FILE, `{\n  "packs": ${list(packs, "pack")},\n  "unlisted": ${list(unlisted, "package")}\n}\n`);
}
