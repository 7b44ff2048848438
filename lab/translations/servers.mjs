/** Lists the servers with packs, and finds the servers to which a set of tools belongs. */

import { readPacks } from "../../scripts/lib/packs/read.mjs";

/**
 * Returns the packs of servers whose tools are not among these tools. A pack is left out if a large share of its tools is
 * there.
 */
export function packsWithout(tools) {
  const plain = (name) => name.toLowerCase().replaceAll("-", "_");
  const names = new Set(tools.flatMap((name) => [plain(name), plain(name.split("__").at(-1))]));
  return readPacks().filter(({ entries }) => {
    const shared = entries.filter(({ name }) => names.has(plain(name))).length;
    return !(shared >= 2 && shared >= SHARED * entries.length) && !(entries.length <= 3 && shared >= 1);
  });
}

/** A pack is left out if at least this share of its tools is among the given tools. */
const SHARED = 0.15;
