/** Measures MiniSearch with three fields: with whole words, and with prefixes and typos. */

import MiniSearch from "minisearch";
import { documentsOf, FIELDS } from "../documents.mjs";

export function open({ limit }) {
  const library = new MiniSearch({ fields: FIELDS });
  const first = (query, options) => library.search(query, options).slice(0, limit);
  return {
    prepare: documentsOf,
    add: (documents) => library.addAll(documents),
    searches: {
      minisearch: (query) => first(query),
      // As in the library's own introduction.
      "minisearch-fuzzy": (query) => first(query, { prefix: true, fuzzy: 0.2 }),
    },
  };
}
