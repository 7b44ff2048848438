/** Lists the libraries that are compared with toolsift, and the rows of each library in the tables. */

import { versionOf } from "../../lib/packages.mjs";

/** By row: the module in `libraries`, the package, and what the row is called. */
export const PEERS = {
  minisearch: { library: "minisearch", package: "minisearch", title: "MiniSearch" },
  "minisearch-fuzzy": { library: "minisearch", package: "minisearch", title: "MiniSearch, prefix + fuzzy" },
  flexsearch: { library: "flexsearch", package: "flexsearch", title: "FlexSearch" },
  "ai-sdk": { library: "ai-sdk", package: "ai-7", title: "AI SDK 7 toolSearch" },
};

/** The rows of toolsift itself. */
export const OWN = { toolsift: "toolsift search", "toolsift call": "toolsift call" };

/** What a row is called in a table. */
export const titleOf = (row) => OWN[row] ?? PEERS[row].title;

/** The version of each package that is measured, by row. */
export const versionsOf = (peers) => Object.fromEntries(peers.map((row) => [row, versionOf(PEERS[row].package)]));

/** The processes that some rows take: rows of one library share the index that they search. */
export function librariesOf(peers) {
  const libraries = new Map([["toolsift", Object.keys(OWN)]]);
  for (const row of peers) {
    const { library } = PEERS[row];
    libraries.set(library, [...(libraries.get(library) ?? []), row]);
  }
  return libraries;
}
