/** Gives sets translations from everyday words to the words of tools, learned without the packs of the sets' servers. */

import { tablesOf } from "../translations.mjs";
import { packsWithout } from "../translations/servers.mjs";

/**
 * Returns the sets, each with the option `translations` of a catalog. Sets with the same tools have the same translations.
 */
export function withTranslations(sets) {
  const known = new Map();
  return sets.map((set) => {
    const names = set.tools.map(({ name }) => name).sort();
    const key = names.join("\n");
    const text = known.get(key) ?? textOf(names);
    known.set(key, text);
    return { ...set, translations: text };
  });
}

const textOf = (names) =>
  tablesOf(packsWithout(names))
    .map(({ text }) => text)
    .join("");
