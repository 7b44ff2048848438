/** Reads and writes pkg/packs/servers.json: the servers of the packs. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packsDir } from "../../scripts/lib/packs/read.mjs";

const FILE = join(packsDir, "servers.json");

/**
 * Returns `{ packs: [{ pack, package, version, note, written }] }`. A package of PyPI is `pypi:NAME`; `note` says which of its
 * servers or versions is meant.
 */
export const readServers = () => JSON.parse(readFileSync(FILE, "utf8"));

/** Writes one row on each line, sorted by name, so that a diff shows only changed rows. */
export function writeServers({ packs }) {
  const sorted = packs.toSorted((one, other) => (one.pack < other.pack ? -1 : 1));
  writeFileSync(FILE, `{\n  "packs": [\n${sorted.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]\n}\n`);
}
