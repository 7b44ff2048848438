/**
 * Brings the tools of a folder to any number: each further copy stands on servers of other names, and says other words
 * where a word is rare, so that the vocabulary grows with the catalog as it does among real servers.
 */

import { readCatalogs } from "../../../scripts/lib/catalogs.mjs";
import { randomFrom } from "../../eval/random.mjs";
import { madeUpWord } from "./words.mjs";

/** A word that at most so many tools have is one of their own. */
const RARE = 2;
const WORD = /[A-Za-z]{4,}/g;
/** Numbers of made-up words are taken below this. */
const NUMBERS = 400_000;

/** Catalogs `{ server, tools }` of so many tools in all, one after the other. */
export function* variedCatalogs(folder, count) {
  const catalogs = readCatalogs(folder);
  const rare = rareWords(catalogs);
  let left = count;
  for (let copy = 1; left > 0; copy++) {
    for (const { server, tools } of catalogs) {
      if (left === 0) return;
      const taken = tools.slice(0, left);
      left -= taken.length;
      yield copy === 1 ? { server, tools: taken } : { server: `${server}-${copy}`, tools: varied(taken, rare, copy) };
    }
  }
}

function rareWords(catalogs) {
  const tools = new Map();
  for (const tool of catalogs.flatMap((catalog) => catalog.tools)) {
    for (const word of new Set(JSON.stringify(tool).toLowerCase().match(WORD))) tools.set(word, (tools.get(word) ?? 0) + 1);
  }
  return new Set([...tools].filter(([, count]) => count <= RARE).map(([word]) => word));
}

/** The same tools with other rare words in their descriptions; names and schemas stay as they are. */
function varied(tools, rare, copy) {
  const other = (word) => {
    if (!rare.has(word.toLowerCase())) return word;
    return madeUpWord(Math.floor(NUMBERS * randomFrom(`${copy} ${word.toLowerCase()}`)()));
  };
  const change = (key, value) => (key === "description" && typeof value === "string" ? value.replace(WORD, other) : value);
  return JSON.parse(JSON.stringify(tools), change);
}
