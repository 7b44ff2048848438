/** Lists the servers with packs, and finds the servers to which a set of tools belongs. */

import { readPacks } from "../../scripts/lib/packs/read.mjs";

/** The packs, without those of servers whose tools are among some tools: a share of them, or one of a small pack's. */
export function packsWithout(tools) {
  const plain = (name) => name.toLowerCase().replaceAll("-", "_");
  const names = new Set(tools.flatMap((name) => [plain(name), plain(name.split("__").at(-1))]));
  return readPacks().filter(({ entries }) => {
    const shared = entries.filter(({ name }) => names.has(plain(name))).length;
    return !(shared >= 2 && shared >= SHARED * entries.length) && !(entries.length <= 3 && shared >= 1);
  });
}

/** A pack of which this share of the tools is among others' is taken for theirs. */
const SHARED = 0.15;
