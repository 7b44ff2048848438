/** Lists the libraries that are compared with toolsift, and the rows of each library in the tables. */

import { versionOf } from "../../lib/packages.mjs";

/** The compared rows: for each the module in `libraries`, the package, and the title. */
export const PEERS = {
  minisearch: { library: "minisearch", package: "minisearch", title: "MiniSearch" },
  "minisearch-fuzzy": { library: "minisearch", package: "minisearch", title: "MiniSearch, prefix + fuzzy" },
  flexsearch: { library: "flexsearch", package: "flexsearch", title: "FlexSearch" },
  "ai-sdk": { library: "ai-sdk", package: "ai-7", title: "AI SDK 7 toolSearch" },
};

/** The rows of toolsift itself. */
export const OWN = { toolsift: "toolsift search", "toolsift call": "toolsift call" };

/** Returns the title of a row. */
export const titleOf = (row) => OWN[row] ?? PEERS[row].title;

/** Returns the version of each measured package, by row. */
export const versionsOf = (peers) => Object.fromEntries(peers.map((row) => [row, versionOf(PEERS[row].package)]));

/** Groups rows by process: rows of the same library share one process and its index. */
export function librariesOf(peers) {
  const libraries = new Map([["toolsift", Object.keys(OWN)]]);
  for (const row of peers) {
    const { library } = PEERS[row];
    libraries.set(library, [...(libraries.get(library) ?? []), row]);
  }
  return libraries;
}
